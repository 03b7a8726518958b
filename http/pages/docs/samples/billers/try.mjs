import { cauri } from './cauri.mjs'

const due = await cauri.products.testLookup('facture', { fields: { numero: '01234567890' } })
console.log(due)
const delivery = await cauri.products.testFulfillment('facture', { biller_ref: 'FAC-2026-11-0042', amount: 12_500 })
console.log(delivery)
// The last runs, trials and those of customers. What your code printed is in `logs`.
for (const run of await cauri.products.runs('facture').toArray(10)) console.log(run.kind, run.ok, run.duration_ms, run.logs)
