// Under which terms each record is filed in the index. A list is the intersection of its terms; whoever looks one
// up checks the record, because terms are stored as hashes.
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Payout } from './payout/state.ts'
import { type LogRecord, payloadOf, type StoredEvent } from './record.ts'

/** Called with each term and the index of the event within the record that it leads to. */
export type FileUnder = (term: string, eventIndex: number) => void

export const AUDIT_TERM = 'audit'

export function idempotencyTerm(scope: string, key: string): string {
  return `key:${scope}:${key}`
}

export function payoutTerm(id: string): string {
  return `payout:${id}`
}

export type PayoutFilter = 'state' | 'recipient' | 'reference' | 'batch_id' | 'schedule_id'

/** All payouts of a merchant's account, or those with the filter's value. */
export function payoutsTerm(merchant: AccountNumber, filter?: PayoutFilter, value?: string): string {
  return filter === undefined ? `payouts:${merchant}` : `payouts:${merchant}:${filter}:${value}`
}

export function transactionTerm(id: string): string {
  return `tx:${id}`
}

/** All transactions of an account, or those of the type or with the reference. */
export function transactionsTerm(account: AccountNumber, filter?: 'type' | 'reference', value?: string): string {
  return filter === undefined ? `txs:${account}` : `txs:${account}:${filter}:${value}`
}

const EVENT_TERMS: Readonly<Record<string, (event: StoredEvent, index: number, file: FileUnder) => void>> = {
  'payout.paid': filePayout,
  'payout.failed': filePayout,
  'operator.acted': (_event, index, file) => file(AUDIT_TERM, index),
}

/** Files everything of the record. The order of calls is part of nothing. */
export function fileRecord(record: LogRecord, file: FileUnder): void {
  const { idempotency, events, transactions } = record
  if (idempotency !== null) file(idempotencyTerm(idempotency.scope, idempotency.key), 0)
  for (const transaction of transactions) {
    const { eventIndex, reference, type } = transaction
    file(transactionTerm(transaction.id), eventIndex)
    for (const posting of transaction.postings) {
      fileTransaction(posting.debit, type, reference, eventIndex, file)
      fileTransaction(posting.credit, type, reference, eventIndex, file)
    }
  }
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as StoredEvent
    EVENT_TERMS[event.type]?.(event, index, file)
  }
}

/** A record whose transaction has several postings of one account files it once too often; readers drop doubles. */
function fileTransaction(account: AccountNumber, type: string, reference: string, index: number, file: FileUnder): void {
  file(transactionsTerm(account), index)
  file(transactionsTerm(account, 'type', type), index)
  if (reference !== '') file(transactionsTerm(account, 'reference', reference), index)
}

function filePayout(event: StoredEvent, index: number, file: FileUnder): void {
  const payout = payloadOf<Payout>(event)
  const merchant = event.account
  file(payoutTerm(payout.id), index)
  file(payoutsTerm(merchant), index)
  file(payoutsTerm(merchant, 'state', payout.state), index)
  file(payoutsTerm(merchant, 'recipient', payout.recipient), index)
  if (payout.reference !== '') file(payoutsTerm(merchant, 'reference', payout.reference), index)
  if (payout.batch_id !== null) file(payoutsTerm(merchant, 'batch_id', payout.batch_id), index)
  if (payout.schedule_id !== null) file(payoutsTerm(merchant, 'schedule_id', payout.schedule_id), index)
}
