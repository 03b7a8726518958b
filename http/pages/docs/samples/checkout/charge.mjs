import { cauri } from './cauri.mjs'

const redirect_url = 'https://boutique.example/merci'
const charge = await cauri.charges.create({ amount: 1500, reference: 'CMD-118', redirect_url })
// Send the customer to charge.checkout_url. In the test environment this takes the place of the customer.
await cauri.test.payCharge(charge.token, { payer_tag: '@awa_demo' })
const { state } = await cauri.charges.get(charge.token)
console.log(state)
