// Index keys of the audit trail of operators.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { IndexEvent } from '../noun-module.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const OPERATOR_INDEX_KEYS = { audit: 2 } as const

export const OPERATOR_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'operator.acted': (_event, index, entries) => entries.addEntry(OPERATOR_INDEX_KEYS.audit, 0, '', index),
}

export const AUDIT_INDEX_KEY: IndexKey = { kind: OPERATOR_INDEX_KEYS.audit, owner: 0, value: '' }
