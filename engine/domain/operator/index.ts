// The noun module of the audit trail of operators.
import type { NounModule } from '../noun-module.ts'
import { OPERATOR_INDEX_KEYS, OPERATOR_INDEXED } from './operator-index-keys.ts'

export const OPERATOR = {
  state: null,
  commands: {},
  events: { 'operator.acted@1': null },
  indexKeys: OPERATOR_INDEX_KEYS,
  indexed: OPERATOR_INDEXED,
  timers: {},
  frames: [],
  transactionTypes: [],
} as const satisfies NounModule
