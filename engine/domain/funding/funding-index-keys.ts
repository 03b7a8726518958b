// Index keys of movements that a second operator decided: the list of all of them, and each by its id.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { IndexEvent } from '../noun-module.ts'
import { payloadOf } from '../record.ts'
import type { Approval } from './funding-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const FUNDING_INDEX_KEYS = { approvals: 110, approval: 111 } as const

export const FUNDING_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'approval.decided': (event, index, entries) => {
    const { id, state } = payloadOf<Approval>(event)
    entries.addEntry(FUNDING_INDEX_KEYS.approvals, 0, state, index)
    entries.addEntry(FUNDING_INDEX_KEYS.approval, 0, id, index)
  },
}

/** The decided approvals of a state. */
export function approvalsIndexKey(state: Approval['state']): IndexKey {
  return { kind: FUNDING_INDEX_KEYS.approvals, owner: 0, value: state }
}

/** The decision of one approval. */
export function approvalIndexKey(id: string): IndexKey {
  return { kind: FUNDING_INDEX_KEYS.approval, owner: 0, value: id }
}
