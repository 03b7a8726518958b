// The index entries of a record, computed from the record only.
import type { AccountNumber, AppliedPosting, Transaction } from '../ledger/transaction.ts'
import type { IndexEntries } from './noun-module.ts'
import type { NounRegistry } from './noun-registry.ts'
import type { LogRecord, StoredEvent } from './record.ts'
import { isInRun, RECORD_INDEX_KEYS as KEYS, RUN_TYPE, referenceValue } from './record-index-keys.ts'
import type { Frame } from './stream/stream-state.ts'

/** Transactions of one payer in one record from which on they have a single entry for its list. */
export const RUN_MIN = 8
/** Maximum of events for each transaction in such a record: at most half of those that a reader looks at are of no use. */
const RUN_EVENTS_PER_TRANSACTION = 2

export interface RecordEntries extends IndexEntries {
  /** The entry of the record's idempotency key. */
  addIdempotencyKey(scope: string, key: string): void
}

/** Adds all index keys of the record, in any order. */
export function indexRecord(registry: NounRegistry, record: LogRecord, entries: RecordEntries): void {
  const { idempotency, events, frames, transactions } = record
  if (idempotency !== null) entries.addIdempotencyKey(idempotency.scope, idempotency.key)
  const payer = payerOfRun(transactions)
  if (payer !== null)
    entries.addEntry(KEYS.transactionRuns, payer, RUN_TYPE, (transactions[transactions.length - 1] as Transaction).eventIndex)
  for (let at = 0; at < transactions.length; at++) indexTransaction(transactions[at] as Transaction, payer, entries)
  indexFrames(frames, transactions, entries)
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as StoredEvent
    registry.indexers.get(event.type)?.(event, index, entries)
  }
}

/**
 * Returns the account that pays all transactions, where they are so many and stand so close together that one entry for its list is
 * enough: a payout batch has one entry for its merchant and not five hundred. Null for all other records.
 */
function payerOfRun(transactions: readonly Transaction[]): AccountNumber | null {
  const count = transactions.length
  if (count < RUN_MIN || (transactions[count - 1] as Transaction).eventIndex >= RUN_EVENTS_PER_TRANSACTION * count) return null
  const payer = transactions[0]?.postings[0]?.debit ?? null
  for (let at = 0; at < count; at++) {
    const { type, postings } = transactions[at] as Transaction
    if (!isInRun(type) || postings.length !== 1 || postings[0]?.debit !== payer) return null
  }
  return payer
}

/** A transaction with several postings of one account gets the entry more than once; readers drop duplicates. */
function indexTransaction(
  { id, eventIndex, reference, type, postings }: Transaction,
  payer: AccountNumber | null,
  entries: IndexEntries,
): void {
  entries.addId(KEYS.transaction, id, eventIndex)
  const value = reference === '' ? '' : referenceValue(type, reference)
  for (let at = 0; at < postings.length; at++) {
    const { debit, credit } = postings[at] as AppliedPosting
    if (debit !== payer) entries.addEntry(KEYS.transactionsByType, debit, type, eventIndex)
    entries.addEntry(KEYS.transactionsByType, credit, type, eventIndex)
    if (value === '') continue
    entries.addEntry(KEYS.transactionsByReference, debit, value, eventIndex)
    entries.addEntry(KEYS.transactionsByReference, credit, value, eventIndex)
  }
}

/**
 * Frames beside a transaction of their account are found by it. Others have an entry, consecutive ones of one account a
 * single one, because a reader looks at all frames of the record. Frames ascend by their event, and so do transactions.
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
