// Index keys of each record, computed from the record only.
import type { Term } from '../kernel/term.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Filing } from './noun-module.ts'
import type { NounRegistry } from './noun-registry.ts'
import type { LogRecord, StoredEvent } from './record.ts'
import type { Frame } from './stream/stream-state.ts'

/** Index keys for records of any noun. Archives store these numbers: add new ones, never change or reuse one. */
export const RECORD_INDEX_KEYS = {
  idempotency: 1,
  transaction: 10,
  transactions: 11,
  transactionsByType: 12,
  transactionsByReference: 13,
  frames: 14,
} as const

const KEYS = RECORD_INDEX_KEYS

/** Adds all index keys of the record, in any order. */
export function fileRecord(registry: NounRegistry, record: LogRecord, filing: Filing): void {
  const { idempotency, events, frames, transactions } = record
  if (idempotency !== null) filing.file(KEYS.idempotency, 0, `${idempotency.scope}:${idempotency.key}`, 0)
  for (const { id, eventIndex, reference, type, postings } of transactions) {
    filing.file(KEYS.transaction, 0, id, eventIndex)
    for (const { debit, credit } of postings) {
      fileTransaction(debit, type, reference, eventIndex, filing)
      fileTransaction(credit, type, reference, eventIndex, filing)
    }
  }
  fileFrames(frames, filing)
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as StoredEvent
    registry.indexers.get(event.type)?.(event, index, filing)
  }
}

/** Consecutive frames of one account have one index key, that of the first: a payment has two for its recipient. */
function fileFrames(frames: readonly Frame[], filing: Filing): void {
  let before = -1
  for (let index = 0; index < frames.length; index++) {
    const { account } = frames[index] as Frame
    if (account !== before) filing.file(KEYS.frames, account, '', index)
    before = account
  }
}

/** A transaction with several postings of one account files it once too often; readers drop doubles. */
function fileTransaction(account: AccountNumber, type: string, reference: string, index: number, filing: Filing): void {
  filing.file(KEYS.transactions, account, '', index)
  filing.file(KEYS.transactionsByType, account, type, index)
  if (reference !== '') filing.file(KEYS.transactionsByReference, account, reference, index)
}

/** `owner` 0: the scope is part of the value. */
export function idempotencyTerm(scope: string, key: string): Term {
  return { kind: KEYS.idempotency, owner: 0, value: `${scope}:${key}` }
}

export function transactionTerm(id: string): Term {
  return { kind: KEYS.transaction, owner: 0, value: id }
}

/** All transactions of an account, or those of the type or with the reference. */
export function transactionsTerm(account: AccountNumber, filter?: 'type' | 'reference', value = ''): Term {
  if (filter === undefined) return { kind: KEYS.transactions, owner: account, value: '' }
  return {
    kind: filter === 'type' ? KEYS.transactionsByType : KEYS.transactionsByReference,
    owner: account,
    value,
  }
}

/** The stream frames of a wallet; the index of a hit counts within the record's frames. */
export function framesTerm(wallet: AccountNumber): Term {
  return { kind: KEYS.frames, owner: wallet, value: '' }
}
