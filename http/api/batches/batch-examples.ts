// Examples of batches in the OpenAPI document. A test validates each against its schema.
import type { BatchReport, BatchSummary } from '../../../engine/contract/batch.ts'

export const BATCH_REQUEST = {
  items: [
    { recipient: '@awa_diallo', amount: 150_000, reference: 'PAIE-2026-11-AWA', note: 'Salaire de novembre' },
    { recipient: '@moussa_k', amount: 120_000 },
    { recipient: '@kofi', amount: 90_000 },
  ],
  reference: 'PAIE-2026-11',
}

const BATCH_ID = '019aa0f8-1c00-7a01-8c4d-5e6f708192a3'

export const BATCH_REPORT: BatchReport = {
  id: BATCH_ID,
  state: 'completed',
  reference: 'PAIE-2026-11',
  currency: 'XOF',
  environment: 'live',
  total_count: 3,
  paid_count: 1,
  failed_count: 2,
  total_amount: 360_000,
  paid_amount: 150_000,
  failed_amount: 210_000,
  fee_amount: 0,
  created_at: '2026-11-27T10:00:00.000Z',
  items: [
    {
      index: 0,
      payout_id: '019aa0f8-1c00-7a02-8c4d-5e6f708192a3',
      recipient: 'awa_diallo',
      amount: 150_000,
      currency: 'XOF',
      fee: 0,
      reference: 'PAIE-2026-11-AWA',
      state: 'paid',
      transaction_id: '019aa0f8-1c00-7a03-8c4d-5e6f708192a3',
    },
    {
      index: 1,
      payout_id: '019aa0f8-1c00-7a04-8c4d-5e6f708192a3',
      recipient: 'moussa_k',
      amount: 120_000,
      currency: 'XOF',
      fee: 0,
      reference: '',
      state: 'failed',
      failure_code: 'recipient_not_found',
    },
    {
      index: 2,
      payout_id: '019aa0f8-1c00-7a05-8c4d-5e6f708192a3',
      recipient: 'kofi',
      amount: 90_000,
      currency: 'XOF',
      fee: 0,
      reference: '',
      state: 'failed',
      failure_code: 'insufficient_balance',
    },
  ],
  warnings: [],
}

/** Returned by a dry run of the same lines. A dry run makes no payouts, so no line has a payout id. */
export const DRY_RUN_REPORT: BatchReport = {
  ...BATCH_REPORT,
  id: null,
  state: 'dry_run',
  items: BATCH_REPORT.items.map((line) => ({ ...line, payout_id: null, ...(line.state === 'paid' ? { transaction_id: null } : {}) })),
}

const { items: _lines, warnings: _warnings, ...summary } = BATCH_REPORT

export const BATCH_SUMMARY: BatchSummary = summary
