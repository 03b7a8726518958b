// The noun of mandates: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { type AdvanceMandate, decideAdvanceMandate, decideChargeMandate } from './mandate-collect-decide.ts'
import { decideApproveMandate, decideCancelMandate, decideCreateMandate, decideRejectMandate } from './mandate-decide.ts'
import { MANDATE_EVENTS } from './mandate-evolve.ts'
import { MANDATE_INDEX_KEYS, MANDATE_INDEXED } from './mandate-index-keys.ts'
import { Mandates } from './mandate-state.ts'
import { MANDATE_TIMERS } from './mandate-timers.ts'
import { MANDATE_DOCUMENTS } from './mandate-versions.ts'

export const MANDATE = {
  state: { name: 'mandates', create: ({ timers }) => new Mandates(timers) },
  commands: {
    CreateMandate: { decide: decideCreateMandate, overBudget: 'rejected' },
    ApproveMandate: { decide: decideApproveMandate, overBudget: 'rejected' },
    RejectMandate: { decide: decideRejectMandate, overBudget: 'rejected_unchanged' },
    CancelMandate: { decide: decideCancelMandate, overBudget: 'rejected_unchanged' },
    AdvanceMandate: { decide: decideAdvanceMandate, overBudget: ({ dueMs }: AdvanceMandate) => (dueMs === null ? 'rejected' : 'counted') },
    ChargeMandate: { decide: decideChargeMandate, overBudget: 'rejected' },
  },
  events: MANDATE_EVENTS,
  indexKeys: MANDATE_INDEX_KEYS,
  indexed: MANDATE_INDEXED,
  timers: MANDATE_TIMERS,
  frames: ['mandate.requested'],
  transactionTypes: ['mandate'],
  documents: MANDATE_DOCUMENTS,
} as const satisfies NounModule
