import { cauri } from './cauri.mjs'

// Any number of lines, in files of 500. Started again with the same runId, it pays nothing twice.
const lines = [
  { recipient: '@awa_demo', amount: 150_000, reference: 'PAIE-2026-11-AWA' },
  { recipient: '@kofi_demo', amount: 120_000, reference: 'PAIE-2026-11-KOFI' },
]
const { paidCount, failedLines } = await cauri.batches.upload(lines, { runId: 'payroll-2026-11-node' })
console.log(paidCount, 'paid', failedLines)
