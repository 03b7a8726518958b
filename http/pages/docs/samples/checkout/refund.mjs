import { cauri } from './cauri.mjs'

const [paid] = await cauri.charges.list({ state: 'paid' }).toArray(1)
const charge = await cauri.charges.refund(paid.token, { idempotencyKey: `refund-${paid.token}` })
console.log(charge.state)
