// The noun module of mandates.

import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { NounModule, TimedCommand } from '../noun-module.ts'
import { LIMIT_KINDS } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
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
import { MANDATE_TIMER, Mandates } from './mandate-state.ts'
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
  timers: { [MANDATE_TIMER]: advanceMandate },
  frames: ['mandate.requested'],
  transactionTypes: ['mandate'],
  documents: MANDATE_DOCUMENTS,
} as const satisfies NounModule

function advanceMandate(state: State, { key, dueMs }: DueTimer): TimedCommand<AdvanceMandate> {
  const live = state.mandates.live.get(key)
  assert(live !== undefined, 'a mandate that is final has no timer')
  return { command: { type: 'AdvanceMandate', merchant: live.account, id: key, dueMs }, mailbox: live.account }
}
