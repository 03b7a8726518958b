// Lists of payouts, newest first, as JSON or CSV: all of a merchant's, those with certain fields, or those of one record.
import type { History, Hit } from '../../engine/actor/history.ts'
import type { ListPayoutsQuery } from '../../engine/contract/payout.ts'
import { batchIdOf } from '../../engine/domain/payout/batch-events.ts'
import type { Payout } from '../../engine/domain/payout/payout-state.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { batchTerm, type PayoutFilter, payoutsTerm } from '../../engine/domain/terms.ts'
import { EVENTS_MAX } from '../../engine/kernel/limits.ts'
import { normalizeTag } from '../../engine/kernel/tag.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { House } from '../app/house.ts'
import type { Call, MerchantPrincipal } from '../server/route.ts'
import { answerCsv, answerCsvPage, type CsvList, prefersCsv } from './csv.ts'
import { csvText } from './csv-text.ts'
import { type HistoryList, pageText, pageWindow } from './lists.ts'
import { payoutsOfRecord } from './payouts-of-record.ts'

/** Each has a term of its own but `batch_id`: the payouts of a batch stand in one record. */
const FILTERS = ['state', 'recipient', 'reference', 'batch_id', 'schedule_id'] as const

const TERMS = ['state', 'recipient', 'reference', 'schedule_id'] as const satisfies readonly PayoutFilter[]

type Filters = { readonly [Filter in (typeof FILTERS)[number]]?: string }

export function answerPayouts(house: House, call: Call<unknown, ListPayoutsQuery, MerchantPrincipal>): void {
  const { account } = call.principal
  const { engine } = house
  const { history } = engine
  const filters = filtersOf(call.query)
  const keep = (hit: Hit): boolean => isPayoutOf(hit, account) && hasFields(payloadOf<Payout>(hit.event), filters)
  const list: HistoryList = { terms: termsOf(account, filters), keep, render: ({ event }) => event.text }
  const csv: CsvList | null = prefersCsv(call.accept)
    ? { ...CSV, ...list, render: ({ event }) => payoutCsvLine(payloadOf<Payout>(event)) }
    : null
  const sequence = recordOf(history, account, filters, call.query.idempotency_key)
  if (sequence === undefined && csv !== null) return answerCsv(call, engine, house.csvExports, csv)
  const window = pageWindow(call.query)
  if (window === null) return call.refuse('invalid_parameter', 'cursor')
  if (csv !== null) {
    const limit = call.query.limit ?? EVENTS_MAX
    return answerCsvPage(call, csv, payoutsOfRecord(history, sequence ?? null, { ...window, limit }, keep))
  }
  call.answer(
    200,
    pageText(sequence === undefined ? history.page({ ...window, ...list }) : payoutsOfRecord(history, sequence, window, keep), list),
  )
}

/** Sequence of the one record that a filter names, null where it does not exist; undefined when no filter names one. */
function recordOf(history: History, account: AccountNumber, filters: Filters, key: string | undefined): number | null | undefined {
  if (key !== undefined) return history.result(String(account), key)?.sequence ?? null
  const { batch_id } = filters
  return batch_id === undefined ? undefined : (findBatch(history, account, batch_id)?.record.sequence ?? null)
}

/** The report of the merchant's batch with this id, which is in lower case. */
export function findBatch(history: History, account: AccountNumber, id: string): Hit | null {
  return history.first(
    batchTerm(id),
    ({ event }) => event.type === 'batch.completed' && event.account === account && batchIdOf(event) === id,
  )
}

/** As the index has them: tags normalized, ids in lower case. */
function filtersOf(query: ListPayoutsQuery): Filters {
  const { recipient, batch_id, schedule_id } = query
  return {
    ...query,
    ...(recipient === undefined ? {} : { recipient: normalizeTag(recipient) ?? recipient }),
    ...(batch_id === undefined ? {} : { batch_id: batch_id.toLowerCase() }),
    ...(schedule_id === undefined ? {} : { schedule_id: schedule_id.toLowerCase() }),
  }
}

function termsOf(account: AccountNumber, filters: Filters): ReturnType<typeof payoutsTerm>[] {
  const terms = TERMS.filter((filter) => filters[filter] !== undefined).map((filter) => payoutsTerm(account, filter, filters[filter]))
  return terms.length === 0 ? [payoutsTerm(account)] : terms
}

export function isPayoutOf({ event }: Hit, account: AccountNumber): boolean {
  return event.account === account && (event.type === 'payout.paid' || event.type === 'payout.failed')
}

function hasFields(payout: Payout, filters: Filters): boolean {
  return FILTERS.every((filter) => filters[filter] === undefined || payout[filter] === filters[filter])
}

const CSV_COLUMNS = [
  'id',
  'recipient',
  'amount',
  'currency',
  'reference',
  'state',
  'failure_code',
  'transaction_id',
  'note',
  'environment',
  'batch_id',
  'schedule_id',
  'created_at',
] as const satisfies readonly (keyof Payout)[]

export const PAYOUT_CSV_HEADER = csvText(CSV_COLUMNS)

const CSV = { path: '/v1/biz/payouts', fileName: 'payouts.csv', header: PAYOUT_CSV_HEADER } as const

export function payoutCsvLine(payout: Payout): string {
  return csvText(CSV_COLUMNS.map((column) => payout[column]))
}
