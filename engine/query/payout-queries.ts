// Queries for payouts: one by id, and lists, newest first: all of a merchant, those with certain fields, or those of
// one record.
import type { Page } from '../actor/history.ts'
import { type Hit, hitIn } from '../actor/index-hit.ts'
import type { ListPayoutsQuery } from '../contract/payout.ts'
import { batchIdOf } from '../domain/payout/batch-events.ts'
import { batchIndexKey, payoutIndexKey, payoutsIndexKeys } from '../domain/payout/payout-index-keys.ts'
import type { Payout } from '../domain/payout/payout-state.ts'
import { payloadOf, textOf } from '../domain/record.ts'
import { transactionIndexKey } from '../domain/record-index-keys.ts'
import { POSITION_MAX } from '../kernel/position.ts'
import { normalizeRecipient } from '../kernel/recipient.ts'
import { foldReference, isReference } from '../kernel/reference.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { type ListInput, type ListPage, listPage, type PageWindow, pageWindow } from './list-page.ts'
import type { HistoryReads, Reads } from './reads.ts'
import { type Search, searchOf, searchPage, type Way } from './search.ts'

/** An account and the id of a record, in any case. */
export interface OwnId {
  readonly account: AccountNumber
  readonly id: string
}

/** Returns JSON text of the merchant's payout; null when it has none with this id. */
export function getPayout({ history }: Reads, { account, id: given }: OwnId): string | null {
  const id = given.toLowerCase()
  const hit = history.byId(payoutIndexKey(id), (found) => isPayoutOf(found, account) && payloadOf<Payout>(found.event).id === id)
  return hit === null ? null : textOf(hit.event)
}

/** Returns null when the cursor belongs to another kind of list. */
export function listPayouts({ history }: Reads, { account, query }: ListInput<ListPayoutsQuery>): ListPage | null {
  const window = pageWindow(query)
  if (window === null) return null
  const filters = filtersOf(query)
  const isFiltered = FILTERS.some((filter) => filters[filter] !== undefined)
  const keep = (hit: Hit): boolean => isPayoutOf(hit, account) && (!isFiltered || hasFields(payloadOf<Payout>(hit.event), filters))
  const sequence = recordOf(history, account, filters, query.idempotency_key)
  const search = searchOf(query.q)
  const page =
    sequence !== undefined
      ? payoutsOfRecord(history, sequence, window, (hit) => keep(hit) && (search === null || isMeant(hit, search)))
      : search === null
        ? history.page({ ...window, indexKeys: payoutsIndexKeys(account, filters), keep })
        : searchPage(history, window, keep, waysTo(history, account, filters, search))
  return listPage(page, ({ event }) => textOf(event))
}

/** By reference, by recipient as sent, and by the id of the payout or of its transaction. */
function waysTo(history: HistoryReads, account: AccountNumber, filters: Filters, search: Search): Way[] {
  const { reference, tag, phone, id } = search
  const recipient = tag ?? phone
  const keep = (hit: Hit): boolean => isMeant(hit, search)
  const byId = id === null ? [] : [payoutIndexKey(id), transactionIndexKey(id)]
  return [
    { indexKeys: payoutsIndexKeys(account, { state: filters.state, reference }), keep },
    ...(recipient === null ? [] : [{ indexKeys: payoutsIndexKeys(account, { state: filters.state, recipient }), keep }]),
    byId.flatMap((indexKey) => history.byId(indexKey, (hit) => isPayoutOf(hit, account) && keep(hit)) ?? []),
  ]
}

function isMeant({ event }: Hit, { reference, tag, phone, id: searchedId }: Search): boolean {
  const payout = payloadOf<Payout>(event)
  if (isReference(payout.reference, reference) || payout.recipient === (tag ?? phone)) return true
  return searchedId !== null && (payout.id === searchedId || payout.transaction_id === searchedId)
}

/** Fields that filters compare. `batch_id` has no index key, because the payouts of a batch are in one record. */
const FILTERS = ['state', 'recipient', 'reference', 'batch_id', 'schedule_id', 'disbursement_id'] as const

type Filters = { readonly [Filter in (typeof FILTERS)[number]]?: string }

/**
 * Returns the sequence of the one record that a filter names, null when it does not exist; undefined when no filter
 * names one.
 */
function recordOf(history: HistoryReads, account: AccountNumber, filters: Filters, key: string | undefined): number | null | undefined {
  if (key !== undefined) return history.result(String(account), key)?.sequence ?? null
  const { batch_id } = filters
  return batch_id === undefined ? undefined : (batchHit(history, account, batch_id)?.record.sequence ?? null)
}

/** Returns the report of the merchant's batch with this id, which is in lower case. */
export function batchHit(history: HistoryReads, account: AccountNumber, id: string): Hit | null {
  return history.first(
    batchIndexKey(id),
    ({ event }) => event.type === 'batch.completed' && event.account === account && batchIdOf(event) === id,
  )
}

/** Returns the filters in the form of the index: recipients normalized, references and ids in lower case. */
function filtersOf(query: ListPayoutsQuery): Filters {
  const { recipient, reference, batch_id, schedule_id, disbursement_id } = query
  return {
    ...query,
    ...(recipient === undefined ? {} : { recipient: normalizeRecipient(recipient) ?? recipient }),
    ...(reference === undefined ? {} : { reference: foldReference(reference) }),
    ...(batch_id === undefined ? {} : { batch_id: batch_id.toLowerCase() }),
    ...(schedule_id === undefined ? {} : { schedule_id: schedule_id.toLowerCase() }),
    ...(disbursement_id === undefined ? {} : { disbursement_id: disbursement_id.toLowerCase() }),
  }
}

function isPayoutOf({ event }: Hit, account: AccountNumber): boolean {
  return event.account === account && (event.type === 'payout.paid' || event.type === 'payout.failed')
}

function hasFields(payout: Payout, filters: Filters): boolean {
  const { reference, ...rest } = filters
  if (reference !== undefined && !isReference(payout.reference, reference)) return false
  return FILTERS.every((filter) => filter === 'reference' || rest[filter] === undefined || payout[filter] === rest[filter])
}

const NONE: Page = { hits: [], next: null }

/** Returns a page of the payouts of one record: one of a single payout, up to 500 of a batch. Empty without a record. */
function payoutsOfRecord(history: HistoryReads, sequence: number | null, window: PageWindow, keep: (hit: Hit) => boolean): Page {
  const { limit, below = POSITION_MAX, createdFromMs = Number.NEGATIVE_INFINITY, createdToMs = Number.POSITIVE_INFINITY } = window
  if (sequence === null) return NONE
  const record = history.record(sequence)
  if (record.timeMs < createdFromMs || record.timeMs >= createdToMs) return NONE
  const hits = record.events
    .map((_event, eventIndex) => hitIn(record, eventIndex))
    .filter((hit) => hit.position < below && keep(hit))
    .reverse()
  const last = hits[limit - 1]
  return { hits: hits.slice(0, limit), next: hits.length > limit && last !== undefined ? last.position : null }
}
