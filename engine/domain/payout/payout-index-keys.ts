// Index keys of payouts and payout batches.
import type { IndexKey } from '../../kernel/index-key.ts'
import { foldReference } from '../../kernel/reference.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries } from '../noun-module.ts'
import { payloadOf, type StoredEvent, storedForm } from '../record.ts'
import { transactionsIndexKeys } from '../record-index-keys.ts'
import { BatchPayout, batchHeadOf, batchIdOf, disbursementIdOf } from './batch-events.ts'
import type { Payout } from './payout-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const PAYOUT_INDEX_KEYS = {
  payout: 20,
  failedPayouts: 22,
  paidPayoutsByRecipient: 23,
  failedPayoutsByReference: 24,
  batch: 25,
  batches: 27,
  schedulePayouts: 28,
  failedPayoutsByRecipient: 29,
  disbursementPayouts: 21,
} as const

const KEYS = PAYOUT_INDEX_KEYS

export const PAYOUT_INDEXED = {
  'payout.paid': indexPayout,
  'payout.failed': indexPayout,
  'batch.completed': indexBatch,
  'disbursement.paid': indexTurn,
} as const

/** A paid payout stands in the lists of its transaction, by reference too. Those of a schedule are in batches, which have the entry. */
function indexPayout(event: StoredEvent, index: number, entries: IndexEntries): void {
  const payout = withKeysOf(event)
  const merchant = event.account
  entries.addId(KEYS.payout, payout.id, index)
  if (payout.state === 'failed') {
    entries.addEntry(KEYS.failedPayouts, merchant, '', index)
    if (payout.reference !== '') entries.addEntry(KEYS.failedPayoutsByReference, merchant, foldReference(payout.reference), index)
  }
  const byRecipient = payout.state === 'paid' ? KEYS.paidPayoutsByRecipient : KEYS.failedPayoutsByRecipient
  entries.addEntry(byRecipient, merchant, payout.recipient, index)
}

type PayoutKeys = Pick<Payout, 'id' | 'state' | 'recipient' | 'reference'>

/** A payout of a batch has its keys without its payload, in every version; of any other, the newest shape has them. */
function withKeysOf(event: StoredEvent): PayoutKeys {
  if (event instanceof BatchPayout) return event
  const stored = storedForm(event)
  if (stored instanceof BatchPayout) return stored
  return (stored === event && event.payload === null ? keysOfText(event) : null) ?? payloadOf<Payout>(event)
}

/** The recipient of a payout as its merchant named it, normalized. */
export function recipientOf(event: StoredEvent): string {
  return withKeysOf(event).recipient
}

const ID_LENGTH = 36
const BEFORE_ID = '{"id":"'
const BEFORE_RECIPIENT = '","recipient":"'
const ID_END = BEFORE_ID.length + ID_LENGTH
const RECIPIENT_AT = ID_END + BEFORE_RECIPIENT.length

/** Returns the keys of a paid payout from its text, 0.2 µs where parsing takes 1.5; null where the text begins in another way. */
function keysOfText({ type, text }: StoredEvent): PayoutKeys | null {
  if (type !== 'payout.paid' || !text.startsWith(BEFORE_ID) || !text.startsWith(BEFORE_RECIPIENT, ID_END)) return null
  const recipient = text.slice(RECIPIENT_AT, text.indexOf('"', RECIPIENT_AT))
  if (recipient.includes('\\')) return null
  // The entries of a paid payout by reference are those of its transaction.
  return { id: text.slice(BEFORE_ID.length, ID_END), state: 'paid', recipient, reference: '' }
}

function indexBatch(event: StoredEvent, index: number, entries: IndexEntries): void {
  entries.addEntry(KEYS.batch, 0, batchIdOf(event), index)
  entries.addEntry(KEYS.batches, event.account, '', index)
  indexSchedule(event, index, entries)
}

/** The payouts of a batch are the events before its report. */
function indexSchedule(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { scheduleId } = batchHeadOf(event)
  if (scheduleId !== null && index > 0) entries.addEntry(KEYS.schedulePayouts, event.account, scheduleId, index - 1)
}

/** The payouts of a turn are the events before it. */
function indexTurn(event: StoredEvent, index: number, entries: IndexEntries): void {
  const id = disbursementIdOf(event)
  if (id !== null && index > 0) entries.addEntry(KEYS.disbursementPayouts, event.account, id, index - 1)
  indexSchedule(event, index, entries)
}

/** Only for ids that their time does not find (see id-search.ts). */
export function payoutIndexKey(id: string): IndexKey {
  return { kind: KEYS.payout, owner: 0, value: id }
}

/** The report of a batch. The payouts of its lines stand in the same record, so they need no index key for it. */
export function batchIndexKey(id: string): IndexKey {
  return { kind: KEYS.batch, owner: 0, value: id }
}

/** The reports of a merchant's account. */
export function batchesIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: KEYS.batches, owner: merchant, value: '' }
}

export interface PayoutFilters {
  readonly state?: string | undefined
  readonly recipient?: string | undefined
  readonly reference?: string | undefined
  readonly schedule_id?: string | undefined
  readonly disbursement_id?: string | undefined
}

/** The payouts that reached the recipient, as it was sent: whether the merchant has ever paid it is one look. */
export function paidRecipientIndexKey(merchant: AccountNumber, recipient: string): IndexKey {
  return { kind: KEYS.paidPayoutsByRecipient, owner: merchant, value: recipient }
}

/** The payouts of a merchant's account with the filters' values have one index key of each list. */
export function payoutsIndexKeys(merchant: AccountNumber, filters: PayoutFilters = {}): IndexKey[][] {
  const { state, recipient, reference, schedule_id, disbursement_id } = filters
  const lists: IndexKey[][] = []
  if (reference !== undefined) lists.push(inState(merchant, state, reference))
  if (recipient !== undefined) lists.push(toRecipient(merchant, recipient, state))
  if (schedule_id !== undefined) lists.push([{ kind: KEYS.schedulePayouts, owner: merchant, value: schedule_id, isRun: true }])
  if (disbursement_id !== undefined) {
    lists.push([{ kind: KEYS.disbursementPayouts, owner: merchant, value: disbursement_id, isRun: true }])
  }
  if (lists.length === 0 || (state !== undefined && reference === undefined && recipient === undefined))
    lists.push(inState(merchant, state))
  return lists
}

function toRecipient(merchant: AccountNumber, recipient: string, state: string | undefined): IndexKey[] {
  const failed = { kind: KEYS.failedPayoutsByRecipient, owner: merchant, value: recipient }
  const paid = paidRecipientIndexKey(merchant, recipient)
  return state === 'paid' ? [paid] : state === 'failed' ? [failed] : [paid, failed]
}

/** Paid payouts by their transactions, and failed ones; of one state or both, all or those with the reference. */
function inState(merchant: AccountNumber, state: string | undefined, reference?: string): IndexKey[] {
  const paid = state === 'failed' ? [] : transactionsIndexKeys(merchant, { type: 'payout', reference })
  const kind = reference === undefined ? KEYS.failedPayouts : KEYS.failedPayoutsByReference
  return state === 'paid' ? paid : [...paid, { kind, owner: merchant, value: foldReference(reference ?? '') }]
}
