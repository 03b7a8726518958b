// The index entries of a record, computed from the record only.
import type { AccountNumber } from '../ledger/transaction.ts'
import type { IndexEntries } from './noun-module.ts'
import type { NounRegistry } from './noun-registry.ts'
import type { LogRecord, StoredEvent } from './record.ts'
import { RECORD_INDEX_KEYS as KEYS } from './record-index-keys.ts'
import type { Frame } from './stream/stream-state.ts'

/** Adds all index keys of the record, in any order. */
export function indexRecord(registry: NounRegistry, record: LogRecord, entries: IndexEntries): void {
  const { idempotency, events, frames, transactions } = record
  if (idempotency !== null) entries.addEntry(KEYS.idempotency, 0, `${idempotency.scope}:${idempotency.key}`, 0)
  for (const { id, eventIndex, reference, type, postings } of transactions) {
    entries.addEntry(KEYS.transaction, 0, id, eventIndex)
    for (const { debit, credit } of postings) {
      indexTransaction(debit, type, reference, eventIndex, entries)
      indexTransaction(credit, type, reference, eventIndex, entries)
    }
  }
  indexFrames(frames, entries)
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as StoredEvent
    registry.indexers.get(event.type)?.(event, index, entries)
  }
}

/** Consecutive frames of one account have one index key, that of the first: a payment has two for its recipient. */
function indexFrames(frames: readonly Frame[], entries: IndexEntries): void {
  let before = -1
  for (let index = 0; index < frames.length; index++) {
    const { account } = frames[index] as Frame
    if (account !== before) entries.addEntry(KEYS.frames, account, '', index)
    before = account
  }
}

/** A transaction with several postings of one account gets the entry more than once; readers drop duplicates. */
function indexTransaction(account: AccountNumber, type: string, reference: string, index: number, entries: IndexEntries): void {
  entries.addEntry(KEYS.transactions, account, '', index)
  entries.addEntry(KEYS.transactionsByType, account, type, index)
  if (reference !== '') entries.addEntry(KEYS.transactionsByReference, account, reference, index)
}
