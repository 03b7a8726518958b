// Pages of lists, newest first. Rows are JSON texts: records of history keep the text that they were written with, so
// the caller joins them and parses nothing.
import type { Hit, Page, PageRequest } from '../actor/history.ts'
import { LIST_LIMIT_DEFAULT, type PageQuery } from '../contract/common.ts'
import { decodeCursor, encodeCursor } from '../contract/cursor.ts'
import { parseTime } from '../contract/time-text.ts'
import { parseRfc3339, type TimeMs } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { HistoryReads } from './reads.ts'

/** What most lists take: the account that asks, and the checked query of the route. */
export interface ListInput<Query extends PageQuery = PageQuery> {
  readonly account: AccountNumber
  readonly query: Query
}

export interface ListPage {
  /** JSON texts, newest first. */
  readonly rows: readonly string[]
  /** Cursor of the next page, null at the end. */
  readonly nextCursor: string | null
}

/** The page part of a checked query, as history takes it. */
export type PageWindow = Pick<PageRequest, 'below' | 'limit' | 'createdFromMs' | 'createdToMs'>

export interface HistoryList {
  /** Index terms: a row is filed under all of these. */
  readonly terms: PageRequest['terms']
  /** Whether the hit belongs to the list: terms are hashes, so this looks at the record itself. */
  readonly keep: (hit: Hit) => boolean
  /** JSON text of the row. */
  readonly render: (hit: Hit) => string
}

/** One page of history; null when the cursor belongs to another kind of list. */
export function historyPage(history: HistoryReads, query: PageQuery, { terms, keep, render }: HistoryList): ListPage | null {
  const window = pageWindow(query)
  return window === null ? null : listPage(history.page({ ...window, terms, keep }), render)
}

export function listPage({ hits, next }: Page, render: (hit: Hit) => string): ListPage {
  return { rows: hits.map(render), nextCursor: next === null ? null : encodeCursor({ position: next }) }
}

/** Null when the cursor belongs to another kind of list. */
export function pageWindow(query: PageQuery): PageWindow | null {
  const place = query.cursor === undefined ? null : decodeCursor(query.cursor)
  if (place !== null && !('position' in place)) return null
  const { createdFromMs, createdToMs } = createdRange(query)
  return {
    limit: query.limit ?? LIST_LIMIT_DEFAULT,
    ...(place === null ? {} : { below: place.position }),
    ...(createdFromMs === undefined ? {} : { createdFromMs }),
    ...(createdToMs === undefined ? {} : { createdToMs }),
  }
}

/** A row of live state: ids are UUIDs of version 7, so their order is the order of creation. */
export interface StateRow {
  readonly id: string
  /** RFC 3339. */
  readonly created_at: string
}

export interface StateList<Row extends StateRow> {
  readonly rows: Iterable<Row>
  /** The row as the API shows it. */
  readonly render: (row: Row) => object
  /** The page ends early where its texts would be longer in all. No maximum without it. */
  readonly lengthMax?: number
}

/** One page of rows of live state; null when the cursor belongs to another kind of list. */
export function statePage<Row extends StateRow>(query: PageQuery, { rows, render, lengthMax }: StateList<Row>): ListPage | null {
  const place = query.cursor === undefined ? null : decodeCursor(query.cursor)
  if (place !== null && !('rowId' in place)) return null
  const limit = query.limit ?? LIST_LIMIT_DEFAULT
  // One more than the page shows whether another follows.
  const newest = newestRows(rows, limit + 1, place?.rowId ?? null, createdRange(query))
  const texts = rowTexts(newest.slice(0, limit), render, lengthMax ?? Number.POSITIVE_INFINITY)
  const last = newest[texts.length - 1]
  return { rows: texts, nextCursor: newest.length > texts.length && last !== undefined ? encodeCursor({ rowId: last.id }) : null }
}

/** The first row always, further ones as long as all together are no longer than `lengthMax`. */
function rowTexts<Row>(rows: readonly Row[], render: (row: Row) => object, lengthMax: number): string[] {
  const texts: string[] = []
  let length = 0
  for (const row of rows) {
    const text = JSON.stringify(render(row))
    length += text.length
    if (texts.length > 0 && length > lengthMax) break
    texts.push(text)
  }
  return texts
}

/** The `count` newest rows, newest first, in one pass that holds no more than those: 100 000 rows take about 5 ms. */
function newestRows<Row extends StateRow>(rows: Iterable<Row>, count: number, belowId: string | null, range: CreatedRange): Row[] {
  const newest: Row[] = []
  for (const row of rows) {
    if (belowId !== null && row.id >= belowId) continue
    const last = newest.at(-1)
    if (newest.length === count && last !== undefined && row.id < last.id) continue
    if (!isWithin(row, range)) continue
    let at = newest.length
    while (at > 0 && (newest[at - 1] as Row).id < row.id) at--
    newest.splice(at, 0, row)
    if (newest.length > count) newest.pop()
  }
  return newest
}

function isWithin(row: StateRow, { createdFromMs, createdToMs }: CreatedRange): boolean {
  if (createdFromMs === undefined && createdToMs === undefined) return true
  const createdMs = parseRfc3339(row.created_at)
  return createdMs >= (createdFromMs ?? Number.NEGATIVE_INFINITY) && createdMs < (createdToMs ?? Number.POSITIVE_INFINITY)
}

interface CreatedRange {
  readonly createdFromMs: TimeMs | undefined
  readonly createdToMs: TimeMs | undefined
}

function createdRange(query: PageQuery): CreatedRange {
  return { createdFromMs: timeOf(query.created_from), createdToMs: timeOf(query.created_to) }
}

/** The schema has checked the text already. */
function timeOf(text: string | undefined): TimeMs | undefined {
  return text === undefined ? undefined : (parseTime(text) ?? undefined)
}
