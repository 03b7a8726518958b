// The noun module of mandates.
import type { NounModule } from '../noun-module.ts'
import { LIMIT_KINDS } from '../rules/movement-rules.ts'
import {
  ADVANCE_MANDATE_REJECTIONS,
  type AdvanceMandate,
  CHARGE_MANDATE_REJECTIONS,
  decideAdvanceMandate,
  decideChargeMandate,
} from './mandate-collect-decide.ts'
import {
  APPROVE_MANDATE_REJECTIONS,
  CANCEL_MANDATE_REJECTIONS,
  CREATE_MANDATE_REJECTIONS,
  decideApproveMandate,
  decideCancelMandate,
  decideCreateMandate,
  decideRejectMandate,
  REJECT_MANDATE_REJECTIONS,
} from './mandate-decide.ts'
import { MANDATE_EVENTS } from './mandate-evolve.ts'
import { MANDATE_INDEX_KEYS, MANDATE_INDEXED } from './mandate-index-keys.ts'
import { LIVE_MANDATES } from './mandate-limits.ts'
import { Mandates } from './mandate-state.ts'
import { MANDATE_TIMERS } from './mandate-timers.ts'
import { MANDATE_DOCUMENTS } from './mandate-versions.ts'

export const MANDATE = {
  state: { name: 'mandates', create: (shared) => new Mandates(shared) },
  quotas: [LIVE_MANDATES],
  commands: {
    CreateMandate: { decide: decideCreateMandate, rejections: CREATE_MANDATE_REJECTIONS, overBudget: 'rejected' },
    ApproveMandate: { decide: decideApproveMandate, rejections: APPROVE_MANDATE_REJECTIONS, overBudget: 'rejected' },
    RejectMandate: { decide: decideRejectMandate, rejections: REJECT_MANDATE_REJECTIONS, overBudget: 'rejected_unchanged' },
    CancelMandate: { decide: decideCancelMandate, rejections: CANCEL_MANDATE_REJECTIONS, overBudget: 'rejected_unchanged' },
    AdvanceMandate: {
      decide: decideAdvanceMandate,
      rejections: ADVANCE_MANDATE_REJECTIONS,
      overBudget: ({ dueMs }: AdvanceMandate) => (dueMs === null ? 'rejected' : 'counted'),
    },
    ChargeMandate: { decide: decideChargeMandate, rejections: CHARGE_MANDATE_REJECTIONS, kinds: LIMIT_KINDS, overBudget: 'rejected' },
  },
  events: MANDATE_EVENTS,
  indexKeys: MANDATE_INDEX_KEYS,
  indexed: MANDATE_INDEXED,
  timers: MANDATE_TIMERS,
  frames: ['mandate.requested'],
  transactionTypes: ['mandate'],
  documents: MANDATE_DOCUMENTS,
} as const satisfies NounModule
