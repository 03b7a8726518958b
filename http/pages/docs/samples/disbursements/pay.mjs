import { cauri } from './cauri.mjs'

// A file has its type beside it; `content` is its text or its bytes.
const content = 'recipient,amount,reference\n@awa_demo,150000,PAIE-2026-12-AWA\n@kofi_demo,120000,PAIE-2026-12-KOFI\n'
const key = 'payroll-2026-12-node'
const file = { type: 'text/csv', content }
const made = await cauri.disbursements.createFromFile(file, { reference: 'PAIE-2026-12' }, { idempotencyKey: key })
console.log(made.valid_count, 'can be paid,', made.invalid_count, 'cannot')
await cauri.disbursements.start(made.id, { idempotencyKey: `${key}/start` })
// It also returns where a person must act: paused without balance, or awaiting_approval.
const { state, pause_reason, paid_count } = await cauri.disbursements.waitUntilDone(made.id)
console.log(state, pause_reason ?? '', paid_count, 'paid')
