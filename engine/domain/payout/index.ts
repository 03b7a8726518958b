// The noun module of payouts and payout batches.
import type { NounModule } from '../noun-module.ts'
import { CREATE_BATCH_REJECTIONS, type CreateBatch, type DryRunBatch, decideCreateBatch, decideDryRunBatch } from './batch-decide.ts'
import { packedBatch } from './batch-events.ts'
import { BATCH_FORM } from './batch-form.ts'
import { CREATE_PAYOUT_REJECTIONS, decideCreatePayout } from './payout-decide.ts'
import { PAYOUT_INDEX_KEYS, PAYOUT_INDEXED } from './payout-index-keys.ts'

export const PAYOUT = {
  state: null,
  quotas: [],
  commands: {
    CreatePayout: { decide: decideCreatePayout, rejections: CREATE_PAYOUT_REJECTIONS, overBudget: 'rejected' },
    CreateBatch: {
      decide: decideCreateBatch,
      rejections: CREATE_BATCH_REJECTIONS,
      overBudget: 'rejected',
      lines: ({ lines }: CreateBatch) => lines.length,
    },
    // Its one event is small, and bounded by the budget that it counts.
    DryRunBatch: {
      decide: decideDryRunBatch,
      rejections: [],
      overBudget: 'counted',
      lines: ({ lines }: DryRunBatch) => lines.length,
    },
  },
  events: { 'payout.paid@1': null, 'payout.failed@1': null, 'batch.completed@1': null, 'disbursement.paid@1': null },
  indexKeys: PAYOUT_INDEX_KEYS,
  indexed: PAYOUT_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: ['payout'],
  packed: { 'batch.completed@1': packedBatch(BATCH_FORM), 'disbursement.paid@1': packedBatch(BATCH_FORM, 'disbursement.paid') },
} as const satisfies NounModule
