// Index keys of payouts and payout batches.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries } from '../noun-module.ts'
import { payloadOf, type StoredEvent, storedForm } from '../record.ts'
import { BatchPayout, batchIdOf } from './batch-events.ts'
import type { Payout } from './payout-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const PAYOUT_INDEX_KEYS = {
  payout: 20,
  payouts: 21,
  payoutsByState: 22,
  payoutsByRecipient: 23,
  payoutsByReference: 24,
  batch: 25,
  payoutsBySchedule: 26,
  batches: 27,
} as const

const KEYS = PAYOUT_INDEX_KEYS

export const PAYOUT_INDEXED = { 'payout.paid': indexPayout, 'payout.failed': indexPayout, 'batch.completed': indexBatch } as const

function indexPayout(event: StoredEvent, index: number, entries: IndexEntries): void {
  const payout = withKeysOf(event)
  const merchant = event.account
  entries.addEntry(KEYS.payout, 0, payout.id, index)
  entries.addEntry(KEYS.payouts, merchant, '', index)
  entries.addEntry(KEYS.payoutsByState, merchant, payout.state, index)
  entries.addEntry(KEYS.payoutsByRecipient, merchant, payout.recipient, index)
  if (payout.reference !== '') entries.addEntry(KEYS.payoutsByReference, merchant, payout.reference, index)
  if (payout.schedule_id !== null) entries.addEntry(KEYS.payoutsBySchedule, merchant, payout.schedule_id, index)
}

/** A payout of a batch has its keys without its payload, in every version; of any other, the newest shape has them. */
function withKeysOf(event: StoredEvent): Pick<Payout, 'id' | 'state' | 'recipient' | 'reference' | 'schedule_id'> {
  if (event instanceof BatchPayout) return event
  const stored = storedForm(event)
  return stored instanceof BatchPayout ? stored : payloadOf<Payout>(event)
}

function indexBatch(event: StoredEvent, index: number, entries: IndexEntries): void {
  entries.addEntry(KEYS.batch, 0, batchIdOf(event), index)
  entries.addEntry(KEYS.batches, event.account, '', index)
}

const FILTERS = {
  state: KEYS.payoutsByState,
  recipient: KEYS.payoutsByRecipient,
  reference: KEYS.payoutsByReference,
  schedule_id: KEYS.payoutsBySchedule,
} as const

export type PayoutFilter = keyof typeof FILTERS

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

/** All payouts of a merchant's account, or those with the filter's value. */
export function payoutsIndexKey(merchant: AccountNumber, filter?: PayoutFilter, value = ''): IndexKey {
  return { kind: filter === undefined ? KEYS.payouts : FILTERS[filter], owner: merchant, value }
}
