// The noun module of disbursements.

import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { NounModule, TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import { ADVANCE_DISBURSEMENT_REJECTIONS, type AdvanceDisbursement, decideAdvanceDisbursement } from './disbursement-advance-decide.ts'
import { CREATE_DISBURSEMENT_REJECTIONS, decideCreateDisbursement } from './disbursement-create-decide.ts'
import { DISBURSEMENT_EVENTS } from './disbursement-evolve.ts'
import { DISBURSEMENT_INDEX_KEYS, DISBURSEMENT_INDEXED } from './disbursement-index-keys.ts'
import {
  decideJudgeDisbursementLines,
  JUDGE_DISBURSEMENT_LINES_REJECTIONS,
  type JudgeDisbursementLines,
} from './disbursement-judge-decide.ts'
import { LINES_PER_BLOCK, LIVE_DISBURSEMENTS } from './disbursement-limits.ts'
import {
  decideMoveDisbursement,
  decideReleaseDisbursement,
  MOVE_DISBURSEMENT_REJECTIONS,
  RELEASE_DISBURSEMENT_REJECTIONS,
} from './disbursement-move-decide.ts'
import { decideRetryDisbursement, RETRY_DISBURSEMENT_REJECTIONS } from './disbursement-retry-decide.ts'
import { DISBURSEMENT_TIMER, Disbursements } from './disbursement-state.ts'

export const DISBURSEMENT = {
  state: { name: 'disbursements', create: (shared) => new Disbursements(shared) },
  quotas: [LIVE_DISBURSEMENTS],
  commands: {
    CreateDisbursement: {
      decide: decideCreateDisbursement,
      rejections: CREATE_DISBURSEMENT_REJECTIONS,
      overBudget: 'rejected',
    },
    ReleaseDisbursement: { decide: decideReleaseDisbursement, rejections: RELEASE_DISBURSEMENT_REJECTIONS, overBudget: 'rejected' },
    MoveDisbursement: { decide: decideMoveDisbursement, rejections: MOVE_DISBURSEMENT_REJECTIONS, overBudget: 'rejected_unchanged' },
    JudgeDisbursementLines: {
      decide: decideJudgeDisbursementLines,
      rejections: JUDGE_DISBURSEMENT_LINES_REJECTIONS,
      overBudget: 'rejected',
      lines: ({ lines }: JudgeDisbursementLines) => lines.length,
    },
    RetryDisbursement: {
      decide: decideRetryDisbursement,
      rejections: RETRY_DISBURSEMENT_REJECTIONS,
      overBudget: 'rejected',
    },
    AdvanceDisbursement: {
      decide: decideAdvanceDisbursement,
      rejections: ADVANCE_DISBURSEMENT_REJECTIONS,
      overBudget: 'counted',
      lines: () => LINES_PER_BLOCK,
    },
  },
  events: DISBURSEMENT_EVENTS,
  indexKeys: DISBURSEMENT_INDEX_KEYS,
  indexed: DISBURSEMENT_INDEXED,
  timers: { [DISBURSEMENT_TIMER]: advanceDisbursement },
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule

function advanceDisbursement({ disbursements }: State, { key, dueMs }: DueTimer): TimedCommand<AdvanceDisbursement> {
  const row = disbursements.live.get(key)
  assert(row !== undefined, 'a disbursement that has ended has no timer')
  const { account } = row
  return {
    command: { type: 'AdvanceDisbursement', merchant: account, id: key, dueMs },
    mailbox: account,
    linesCount: LINES_PER_BLOCK,
    isPaced: true,
  }
}
