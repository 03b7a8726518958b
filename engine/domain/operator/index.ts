// The noun module of operators with a name and of their audit trail.
import type { NounModule } from '../noun-module.ts'
import { ADD_NOTE_REJECTIONS, decideAddNote } from './note-decide.ts'
import {
  CREATE_OPERATOR_REJECTIONS,
  decideCreateOperator,
  decideRevokeOperator,
  REVOKE_OPERATOR_REJECTIONS,
} from './operator-account-decide.ts'
import { OPERATOR_EVENTS } from './operator-evolve.ts'
import { OPERATOR_INDEX_KEYS, OPERATOR_INDEXED } from './operator-index-keys.ts'
import {
  APPROVE_OPERATOR_REJECTIONS,
  decideApproveOperator,
  decideRefuseOperator,
  REFUSE_OPERATOR_REJECTIONS,
} from './operator-request-decide.ts'
import { Operators } from './operator-state.ts'

export const OPERATOR = {
  state: { name: 'operators', create: () => new Operators() },
  quotas: [],
  commands: {
    AddNote: { decide: decideAddNote, rejections: ADD_NOTE_REJECTIONS, overBudget: 'rejected' },
    CreateOperator: { decide: decideCreateOperator, rejections: CREATE_OPERATOR_REJECTIONS, overBudget: 'counted' },
    RevokeOperator: { decide: decideRevokeOperator, rejections: REVOKE_OPERATOR_REJECTIONS, overBudget: 'rejected_unchanged' },
    ApproveOperator: { decide: decideApproveOperator, rejections: APPROVE_OPERATOR_REJECTIONS, overBudget: 'counted' },
    RefuseOperator: { decide: decideRefuseOperator, rejections: REFUSE_OPERATOR_REJECTIONS, overBudget: 'rejected_unchanged' },
  },
  events: OPERATOR_EVENTS,
  indexKeys: OPERATOR_INDEX_KEYS,
  indexed: OPERATOR_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
