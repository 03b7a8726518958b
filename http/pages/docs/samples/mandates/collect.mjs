import { cauri } from './cauri.mjs'

const [mandate] = await cauri.mandates.list({ state: 'active', reference: 'ABO-118' }).toArray(1)
const payment = await cauri.test.collectMandate(mandate.id)
console.log(payment.state, payment.amount)
