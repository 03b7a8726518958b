// Lists as CSV: page after page of history, a slice at a time so that nobody waits behind an export, bounded so that
// memory stays flat.
import type { History } from '../../engine/actor/history.ts'
import type { PageQuery } from '../../engine/contract/common.ts'
import { encodeCursor } from '../../engine/contract/cursor.ts'
import type { Call, Header } from '../route.ts'
import { type HistoryList, pageWindow } from './lists.ts'

/** Lines of one answer: about 1.5 MB. */
export const CSV_LINES_MAX = 10_000
/** Lines between two looks at other requests. */
const CSV_LINES_PER_SLICE = 100

export interface CsvList extends HistoryList {
  /** Of the route, for the link to the next part. */
  readonly path: string
  readonly header: string
}

/** Whether `Accept` names CSV and does not like JSON better (RFC 9110, section 12.5.1). */
export function prefersCsv(accept: string): boolean {
  const csv = quality(accept, 'text/csv')
  return csv > 0 && csv >= quality(accept, 'application/json')
}

/** Answers up to CSV_LINES_MAX lines, or `limit` where the caller named one. */
export function answerCsv(call: Call<unknown, PageQuery>, history: History, list: CsvList): void {
  const window = pageWindow(call.query)
  if (window === null) return call.refuse('invalid_parameter', 'cursor')
  const most = call.query.limit ?? CSV_LINES_MAX
  const lines = [list.header]
  const slice = (below: number | undefined): void => {
    const limit = Math.min(CSV_LINES_PER_SLICE, most - (lines.length - 1))
    const { hits, next } = history.page({ ...window, terms: list.terms, keep: list.keep, limit, ...(below === undefined ? {} : { below }) })
    for (const hit of hits) lines.push(list.render(hit))
    if (next !== null && lines.length - 1 < most) setImmediate(slice, next)
    else call.answerAs(200, lines.join(''), csvHeaders(call, list.path, next))
  }
  slice(window.below)
}

function csvHeaders(call: Call<unknown, PageQuery>, path: string, next: number | null): Header[] {
  const headers: Header[] = [
    ['content-type', 'text/csv; charset=utf-8'],
    ['content-disposition', 'attachment; filename="transactions.csv"'],
  ]
  if (next !== null) {
    const query = new URLSearchParams(call.queryText)
    query.set('cursor', encodeCursor({ position: next }))
    headers.push(['link', `<${path}?${query}>; rel="next"`])
  }
  return headers
}

function quality(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2)) || 0
  }
  return 0
}
