// Under which index keys the audit trail of operators is found.
import type { IndexEvent } from '../noun-module.ts'

/** Numbers are in archives: add, never change, never reuse. */
export const OPERATOR_INDEX_KEYS = { audit: 2 } as const

export const OPERATOR_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'operator.acted': (_event, index, filing) => filing.file(OPERATOR_INDEX_KEYS.audit, 0, '', index),
}
