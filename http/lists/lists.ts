// Lists: query to page to `{data, has_more, next_cursor}`, newest first. Records of history keep the JSON text that
// they were written with, so a page of them is text put together, nothing is parsed to be printed again.
import type { History, Hit, Page, PageRequest } from '../../engine/actor/history.ts'
import { LIST_LIMIT_DEFAULT, type PageQuery } from '../../engine/contract/common.ts'
import { decodeCursor, encodeCursor } from '../../engine/contract/cursor.ts'
import { parseTime } from '../../engine/contract/time-text.ts'
import type { TimeMs } from '../../engine/kernel/time.ts'

/** The page part of a checked query, as history takes it. */
export type PageWindow = Pick<PageRequest, 'below' | 'limit' | 'createdFromMs' | 'createdToMs'>

export interface HistoryList {
  /** Filed under all of these. */
  readonly terms: PageRequest['terms']
  /** Whether the hit belongs to the list: terms are hashes, so this looks at the record itself. */
  readonly keep: (hit: Hit) => boolean
  /** JSON text of the row. */
  readonly render: (hit: Hit) => string
}

/** One page of history as JSON text; null when the cursor belongs to another kind of list. */
export function historyPage(history: History, query: PageQuery, list: HistoryList): string | null {
  const window = pageWindow(query)
  if (window === null) return null
  return pageText(history.page({ ...window, terms: list.terms, keep: list.keep }), list)
}

export function pageText({ hits, next }: Page, { render }: Pick<HistoryList, 'render'>): string {
  return envelope(hits.map(render), next === null ? null : encodeCursor({ position: next }))
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

/**
 * One page of rows of live state as JSON text, which ends early where it would be longer than `lengthMax`; null when the
 * cursor belongs to another kind of list.
 */
export function rowsPage<Row extends StateRow>(
  rows: Iterable<Row>,
  query: PageQuery,
  render: (row: Row) => object,
  lengthMax = Number.POSITIVE_INFINITY,
): string | null {
  const place = query.cursor === undefined ? null : decodeCursor(query.cursor)
  if (place !== null && !('rowId' in place)) return null
  const limit = query.limit ?? LIST_LIMIT_DEFAULT
  // One more than the page shows whether another follows.
  const newest = newestRows(rows, limit + 1, place?.rowId ?? null, createdRange(query))
  const texts = rowTexts(newest.slice(0, limit), render, lengthMax)
  const last = newest[texts.length - 1]
  const next = newest.length > texts.length && last !== undefined ? encodeCursor({ rowId: last.id }) : null
  return envelope(texts, next)
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
  const createdMs = Date.parse(row.created_at)
  return createdMs >= (createdFromMs ?? Number.NEGATIVE_INFINITY) && createdMs < (createdToMs ?? Number.POSITIVE_INFINITY)
}

/** The list's envelope around rows that are JSON text already. */
export function envelope(rows: readonly string[], nextCursor: string | null): string {
  return `{"data":[${rows.join(',')}],"has_more":${nextCursor !== null},"next_cursor":${nextCursor === null ? 'null' : `"${nextCursor}"`}}`
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
