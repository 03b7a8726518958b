import { cauri } from './cauri.mjs'

const [payment] = await cauri.billPayments.list().toArray(1)
console.log(payment.product, payment.amount, payment.fulfillment.state)
const { state } = await cauri.billPayments.refund(payment.transaction_id, { idempotencyKey: `refund-${payment.transaction_id}` })
console.log(state)
