// Lists as CSV. One slice is a plain response. A longer list is streamed in slices, so that other requests run in
// between, and as fast as its reader takes it. An export of any size holds one slice in memory.

import type { EngineApi, ListPage } from '../../engine/api.ts'
import type { PageQuery } from '../../engine/contract/common.ts'
import { because } from '../../engine/contract/reasons.ts'
import type { AccountQuota } from '../server/account-quota.ts'
import { fairWork } from '../server/fair-work.ts'
import type { Call, Header, MerchantPrincipal, OpenStream, StreamListener, WalletPrincipal } from '../server/route.ts'
import { CSV_LINES_PER_SLICE, CSV_STALLED_MAX_MS, SLICE_COST } from './list-limits.ts'

export interface CsvList {
  /** Path of the route, for the link to the next part. */
  readonly path: string
  /** File name for browsers. */
  readonly fileName: string
  readonly header: string
  /** Lines of one slice; CSV_LINES_PER_SLICE when absent. */
  readonly linesPerSlice?: number
  /** Returns the page for the query with another cursor and limit; null for a cursor of another kind of list. */
  readonly page: (query: PageQuery) => ListPage | null
  /** Returns the line of a row, which is JSON text. */
  readonly line: (row: string) => string
}

type AnyCsvCall = Call<unknown, PageQuery, MerchantPrincipal | WalletPrincipal>
export type CsvCall = Pick<AnyCsvCall, 'query' | 'queryText' | 'principal' | 'refuse' | 'answerAs' | 'stream' | 'fail' | 'sealCursor'>
type CsvEngine = Pick<EngineApi, 'whenDurable'>

/** Returns whether `Accept` prefers CSV to JSON (RFC 9110, section 12.5.1). JSON is the default. */
export function prefersCsv(accept: string): boolean {
  const csv = quality(accept, 'text/csv')
  return csv > 0 && csv > quality(accept, 'application/json')
}

/** Answers all lines from the cursor on, or `limit` lines when given. */
export function answerCsv(call: CsvCall, engine: CsvEngine, exports: CsvExports, list: CsvList): void {
  const { limit } = call.query
  const first = list.page({ ...call.query, limit: limit ?? list.linesPerSlice ?? CSV_LINES_PER_SLICE })
  if (first === null) return call.refuse('invalid_parameter', 'cursor', because('cursor'))
  if (first.nextCursor === null || limit !== undefined) return answerCsvPage(call, list, first)
  const { account } = call.principal
  if (!exports.take(account)) return exports.refuse(call)
  const open = new CsvExport(call, { list, query: call.query, cursor: first.nextCursor, onOver: () => exports.giveBack(account) })
  // Only the newest slice can hold rows that are not durable yet.
  engine.whenDurable(() => open.begin(csvHeaders(list), list.header + textOf(first, list)))
}

function answerCsvPage(call: CsvCall, list: CsvList, page: ListPage): void {
  const headers = csvHeaders(list)
  if (page.nextCursor !== null) headers.push(nextLink(call, list.path, call.sealCursor(page.nextCursor)))
  call.answerAs(200, list.header + textOf(page, list), headers)
}

/** Running exports: the quota CSV_EXPORTS. */
export type CsvExports = AccountQuota

interface ExportParts {
  readonly list: CsvList
  readonly query: PageQuery
  /** Cursor of the second slice. */
  readonly cursor: string
  /** Called once at the end. */
  readonly onOver: () => void
}

/** One streamed export. It ends when the reader disconnects or stalls, or after its last chunk. */
class CsvExport implements StreamListener {
  readonly #call: Pick<CsvCall, 'stream' | 'fail' | 'principal'>
  readonly #parts: ExportParts
  #cursor: string
  #stream: OpenStream | null = null
  #stall: NodeJS.Timeout | null = null
  #isOver = false

  constructor(call: CsvCall, parts: ExportParts) {
    this.#call = call
    this.#parts = parts
    this.#cursor = parts.cursor
  }

  begin(headers: readonly Header[], first: string): void {
    // A stream is the last response of its connection.
    this.#stream = this.#call.stream([...headers, ['Connection', 'close']], first, this)
    if (this.#stream === null) this.#over()
    else this.#next()
  }

  onWritable(): void {
    this.#clearStall()
    if (!this.#isOver) this.#next()
  }

  onClosed(): void {
    this.#over()
  }

  #next(): void {
    fairWork.add(this.#call.principal.account, SLICE_COST, this.#step)
  }

  readonly #step = (): void => {
    if (this.#isOver || this.#stream === null) return
    try {
      const { list, query } = this.#parts
      const slice = list.page({ ...query, limit: list.linesPerSlice ?? CSV_LINES_PER_SLICE, cursor: this.#cursor })
      if (slice === null) return this.#end()
      const isTaken = this.#stream.write(textOf(slice, list))
      if (slice.nextCursor === null) return this.#end()
      this.#cursor = slice.nextCursor
      if (isTaken) this.#next()
      else this.#stall ??= setTimeout(this.#cut, CSV_STALLED_MAX_MS).unref()
    } catch (error) {
      this.#call.fail(error)
      this.#cut()
    }
  }

  #end(): void {
    this.#stream?.end()
    this.#over()
  }

  /** Cuts the export. The last chunk is missing, so the client sees that the body is incomplete. */
  readonly #cut = (): void => {
    this.#stream?.cut()
    this.#over()
  }

  #clearStall(): void {
    if (this.#stall !== null) clearTimeout(this.#stall)
    this.#stall = null
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#clearStall()
    this.#stream = null
    this.#parts.onOver()
  }
}

function textOf({ rows }: ListPage, { line }: CsvList): string {
  let text = ''
  for (const row of rows) text += line(row)
  return text
}

export function csvHeaders({ fileName }: Pick<CsvList, 'fileName'>): Header[] {
  return [
    ['content-type', 'text/csv; charset=utf-8'],
    ['content-disposition', `attachment; filename="${fileName}"`],
  ]
}

function nextLink(call: CsvCall, path: string, cursor: string): Header {
  const query = new URLSearchParams(call.queryText)
  query.set('cursor', cursor)
  return ['link', `<${path}?${query}>; rel="next"`]
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
