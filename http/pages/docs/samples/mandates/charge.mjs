import { cauri } from './cauri.mjs'

const [mandate] = await cauri.mandates.list({ state: 'active', reference: 'CONSO-7' }).toArray(1)
const body = { amount: 3200, reference: 'CONSO-7-2026-11' }
const payment = await cauri.mandates.charge(mandate.id, body, { idempotencyKey: 'conso-7-2026-11' })
console.log(payment.state, payment.transaction_id)
