import { cauri } from './cauri.mjs'

const mandate = await cauri.mandates.create({
  customer_tag: '@awa_demo',
  amount: 5000,
  interval: 'monthly',
  max_payments: 12,
  reference: 'ABO-118',
  description: 'Abonnement mensuel',
})
console.log(mandate.state, mandate.approval_url)
