// Index keys of the audit trail of operators, and of requests for new ones that were decided.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { IndexEvent } from '../noun-module.ts'
import { payloadOf } from '../record.ts'
import type { OperatorRequest } from './operator-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const OPERATOR_INDEX_KEYS = { audit: 2, operatorRequest: 120 } as const

export const OPERATOR_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'operator.acted': (_event, index, entries) => entries.addEntry(OPERATOR_INDEX_KEYS.audit, 0, '', index),
  'operator.request_decided': (event, index, entries) =>
    entries.addEntry(OPERATOR_INDEX_KEYS.operatorRequest, 0, payloadOf<OperatorRequest>(event).id, index),
}

export const AUDIT_INDEX_KEY: IndexKey = { kind: OPERATOR_INDEX_KEYS.audit, owner: 0, value: '' }

/** The decision of one request for a new operator. */
export function operatorRequestIndexKey(id: string): IndexKey {
  return { kind: OPERATOR_INDEX_KEYS.operatorRequest, owner: 0, value: id }
}
