import { cauri } from './cauri.mjs'

const body = { amount: 3200, reference: 'CONSO-7-2026-11' }
// The id that you stored with the subscription.
const payment = await cauri.mandates.charge(process.env.USAGE_MANDATE_ID, body, { idempotencyKey: 'conso-7-2026-11' })
console.log(payment.state, payment.transaction_id)
