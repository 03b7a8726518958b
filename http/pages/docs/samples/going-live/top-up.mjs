import { cauri } from './cauri.mjs'

const topUp = await cauri.topUps.create({ amount: 500_000, reference: 'APPRO-11' }, { idempotencyKey: 'appro-2026-11' })
console.log(topUp.state, topUp.payment_reference)
console.log(topUp.instructions)
