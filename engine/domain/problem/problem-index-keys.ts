// Index keys of problems and their answers.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { ProblemAnswered, ProblemOpened } from './problem-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const PROBLEM_INDEX_KEYS = { problem: 150, problems: 151, problemsOfPayment: 152 } as const

const KEYS = PROBLEM_INDEX_KEYS

export const PROBLEM_INDEXED = {
  'problem.opened': indexOpened,
  'problem.answered': indexAnswered,
} as const

function indexOpened(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { id, transaction_id } = payloadOf<ProblemOpened>(event).problem
  entries.addEntry(KEYS.problem, 0, id, index)
  entries.addEntry(KEYS.problems, event.account, '', index)
  entries.addEntry(KEYS.problemsOfPayment, 0, transaction_id, index)
}

function indexAnswered(event: StoredEvent, index: number, entries: IndexEntries): void {
  entries.addEntry(KEYS.problem, 0, payloadOf<ProblemAnswered>(event).id, index)
}

/** The problem with this id, and its answer. */
export function problemIndexKey(id: string): IndexKey {
  return { kind: KEYS.problem, owner: 0, value: id }
}

/** All problems with payments of a merchant's account. */
export function problemsIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: KEYS.problems, owner: merchant, value: '' }
}

/** The problems with one payment, by the id of its transaction. */
export function problemsOfPaymentIndexKey(transactionId: string): IndexKey {
  return { kind: KEYS.problemsOfPayment, owner: 0, value: transactionId }
}
