import { cauri } from './cauri.mjs'

const payout = await cauri.payouts.create({ recipient: '@awa_demo', amount: 5000, reference: 'PREMIER' })
console.log(payout.id, payout.state, payout.failure_code ?? '')
