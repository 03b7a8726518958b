import { cauri } from './cauri.mjs'

// The id that you stored with the subscription.
const payment = await cauri.test.collectMandate(process.env.MANDATE_ID)
console.log(payment.state, payment.amount)
