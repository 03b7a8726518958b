// Pages of lists, newest first. Rows are JSON texts in the form in which history stores them, so the caller joins
// them without parsing.
import type { Page, PageRequest } from '../actor/history.ts'
import type { Hit } from '../actor/index-hit.ts'
import { LIST_LIMIT_DEFAULT, type PageQuery } from '../contract/common.ts'
import { decodeCursor, encodeCursor } from '../contract/cursor.ts'
import { parseTime } from '../contract/time-text.ts'
import { parseRfc3339, type TimeMs } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { HistoryReads } from './reads.ts'

/** Input of most lists: the account, and the validated query of the route. */
export interface ListInput<Query extends PageQuery = PageQuery> {
  readonly account: AccountNumber
  readonly query: Query
}

export interface ListPage {
  /** JSON texts of rows, newest first. */
  readonly rows: readonly string[]
  /** Cursor of the next page; null at the end. */
  readonly nextCursor: string | null
}

/** The page part of a validated query, in the form of history. */
export type PageWindow = Pick<PageRequest, 'below' | 'limit' | 'createdFromMs' | 'createdToMs'>

export interface HistoryList {
  /** Each row has all of them; of several that stand together, at least one. */
  readonly indexKeys: PageRequest['indexKeys']
  /** Returns whether the hit belongs to the list. Index keys are hashes, so this compares the record. */
  readonly keep: (hit: Hit) => boolean
  /** Returns JSON text of the row. */
  readonly render: (hit: Hit) => string
}

/** Returns one page of history; null when the cursor belongs to another kind of list. */
export function historyPage(history: HistoryReads, query: PageQuery, { indexKeys, keep, render }: HistoryList): ListPage | null {
  const window = pageWindow(query)
  return window === null ? null : listPage(history.page({ ...window, indexKeys, keep }), render)
}

export function listPage({ hits, next }: Page, render: (hit: Hit) => string): ListPage {
  return { rows: hits.map(render), nextCursor: next === null ? null : encodeCursor({ position: next }) }
}

/** Returns null when the cursor belongs to another kind of list. */
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

/** A row of live state. Ids are UUIDs of version 7, so their order is the order of creation. */
export interface StateRow {
  readonly id: string
  /** RFC 3339. */
  readonly created_at: string
}

export interface StateList<Row extends StateRow> {
  readonly rows: Iterable<Row>
  /** Returns the row for the API. */
  readonly render: (row: Row) => object
  /** Maximum total length of the texts; the page ends early there. Absent: no maximum. */
  readonly lengthMax?: number
}

/** Returns one page of rows of live state; null when the cursor belongs to another kind of list. */
export function statePage<Row extends StateRow>(query: PageQuery, { rows, render, lengthMax }: StateList<Row>): ListPage | null {
  const place = query.cursor === undefined ? null : decodeCursor(query.cursor)
  if (place !== null && !('rowId' in place)) return null
  const limit = query.limit ?? LIST_LIMIT_DEFAULT
  // One row more than the page shows whether another page follows.
  const newest = newestRows(rows, limit + 1, place?.rowId ?? null, createdRange(query))
  const texts = rowTexts(newest.slice(0, limit), render, lengthMax ?? Number.POSITIVE_INFINITY)
  const last = newest[texts.length - 1]
  return { rows: texts, nextCursor: newest.length > texts.length && last !== undefined ? encodeCursor({ rowId: last.id }) : null }
}

/** Returns the first row, and further ones while their total length is at most `lengthMax`. */
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

/** Returns the `count` newest rows, newest first, in one pass that holds only those: 100 000 rows take about 5 ms. */
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

/** Parses a time. The schema has validated the text. */
function timeOf(text: string | undefined): TimeMs | undefined {
  return text === undefined ? undefined : (parseTime(text) ?? undefined)
}
