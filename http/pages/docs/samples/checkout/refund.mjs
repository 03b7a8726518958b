import { cauri } from './cauri.mjs'

// The token that you stored with the order.
const token = process.env.CHARGE_TOKEN
const charge = await cauri.charges.refund(token, {}, { idempotencyKey: `refund-${token}` })
console.log(charge.state)
