// Index keys of the audit trail of operators.
import type { IndexEvent } from '../noun-module.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const OPERATOR_INDEX_KEYS = { audit: 2 } as const

export const OPERATOR_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'operator.acted': (_event, index, filing) => filing.file(OPERATOR_INDEX_KEYS.audit, 0, '', index),
}
