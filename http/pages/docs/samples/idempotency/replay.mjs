import { cauri } from './cauri.mjs'

const line = { recipient: '@awa_demo', amount: 25_000, reference: 'PAIE-2026-11' }
const options = { idempotencyKey: 'payroll-2026-11-awa-node' }
const first = await cauri.payouts.create(line, options)
const again = await cauri.payouts.create(line, options)
console.log(first.id === again.id)
