// The index entries of a record, computed from the record only.
import type { AccountNumber, Transaction } from '../ledger/transaction.ts'
import type { IndexEntries } from './noun-module.ts'
import type { NounRegistry } from './noun-registry.ts'
import type { LogRecord, StoredEvent } from './record.ts'
import { RECORD_INDEX_KEYS as KEYS, referenceValue } from './record-index-keys.ts'
import type { Frame } from './stream/stream-state.ts'

/** Adds all index keys of the record, in any order. */
export function indexRecord(registry: NounRegistry, record: LogRecord, entries: IndexEntries): void {
  const { idempotency, events, frames, transactions } = record
  if (idempotency !== null) entries.addEntry(KEYS.idempotency, 0, `${idempotency.scope}:${idempotency.key}`, 0)
  for (let at = 0; at < transactions.length; at++) indexTransaction(transactions[at] as Transaction, entries)
  indexFrames(frames, transactions, entries)
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as StoredEvent
    registry.indexers.get(event.type)?.(event, index, entries)
  }
}

/** A transaction with several postings of one account gets the entry more than once; readers drop duplicates. */
function indexTransaction({ id, eventIndex, reference, type, postings }: Transaction, entries: IndexEntries): void {
  entries.addId(KEYS.transaction, id, eventIndex)
  const value = reference === '' ? '' : referenceValue(type, reference)
  for (const { debit, credit } of postings) {
    entries.addEntry(KEYS.transactionsByType, debit, type, eventIndex)
    entries.addEntry(KEYS.transactionsByType, credit, type, eventIndex)
    if (value === '') continue
    entries.addEntry(KEYS.transactionsByReference, debit, value, eventIndex)
    entries.addEntry(KEYS.transactionsByReference, credit, value, eventIndex)
  }
}

/**
 * Frames beside a transaction of their account are found by it. Others have an entry, consecutive ones of one account a
 * single one, because a reader looks at all frames of the record. Transactions and frames both ascend by their event.
 */
function indexFrames(frames: readonly Frame[], transactions: readonly Transaction[], entries: IndexEntries): void {
  let before = -1
  let at = 0
  for (let index = 0; index < frames.length; index++) {
    const { account, eventIndex } = frames[index] as Frame
    while (at < transactions.length && (transactions[at] as Transaction).eventIndex < eventIndex) at++
    const transaction = transactions[at]
    const isFound = transaction?.eventIndex === eventIndex && hasSide(transaction, account)
    if (!isFound && account !== before) entries.addEntry(KEYS.frames, account, '', index)
    before = account
  }
}

function hasSide({ postings }: Transaction, account: AccountNumber): boolean {
  return postings.some(({ debit, credit }) => debit === account || credit === account)
}
