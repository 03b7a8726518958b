import { cauri } from './cauri.mjs'

// Any number of lines, in files of 500. Started again with the same runId, it pays nothing twice.
const lines = [
  { recipient: '@awa_demo', amount: 150_000, reference: 'PAIE-2026-11-AWA' },
  { recipient: '@kofi_demo', amount: 120_000, reference: 'PAIE-2026-11-KOFI' },
]
const runId = 'payroll-2026-11-node'
// A dry run pays nothing and reports what would be paid.
const check = await cauri.batches.upload(lines, { runId, dryRun: true })
console.log(check.paidCount, 'would be paid', check.failedLines, check.warnings)
const { paidCount, failedLines } = await cauri.batches.upload(lines, { runId })
console.log(paidCount, 'paid', failedLines)
