import { cauri } from './cauri.mjs'

// The transaction_id of the event bill.paid.
const id = process.env.TRANSACTION_ID
const { state } = await cauri.billPayments.refund(id, {}, { idempotencyKey: `refund-${id}` })
console.log(state)
