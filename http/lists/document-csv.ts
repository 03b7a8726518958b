// Lists of documents (charges, bill payments, batches, top-ups, withdrawals) as JSON or CSV. The columns of the CSV are
// the fields of the record's schema.
import type { DocumentSlice, EngineApi, ListPage } from '../../engine/api.ts'
import type { PageQuery } from '../../engine/contract/common.ts'
import type { ObjectSchema } from '../../engine/contract/schema.ts'
import type { Call, MerchantPrincipal, RouteResponse } from '../server/route.ts'
import { answerCsv, type CsvExports, prefersCsv } from './csv.ts'
import { csvText } from './csv-text.ts'
import { type AskSlice, answerSlices, SlicedPage } from './list-answers.ts'
import { CSV_CANDIDATES_MAX } from './list-limits.ts'

export interface DocumentListParts {
  readonly engine: Pick<EngineApi, 'query' | 'whenDurable'>
  readonly csvExports: CsvExports
}

export interface DocumentCsv {
  /** Path of the route, for the link to the next part. */
  readonly path: string
  /** File name for browsers. */
  readonly fileName: string
  readonly columns: CsvColumns
}

/** Columns of a record: a field of an inner object is one, named with a dot; a map or a list is JSON text. */
export class CsvColumns {
  readonly header: string
  readonly #paths: readonly (readonly string[])[]

  constructor(schema: ObjectSchema) {
    this.#paths = Object.entries(schema.properties).flatMap(([name, field]) => {
      const inner = (field as Partial<ObjectSchema>).properties
      return inner === undefined ? [[name]] : Object.keys(inner).map((innerName) => [name, innerName])
    })
    this.header = csvText(this.#paths.map((path) => path.join('.')))
  }

  line(record: object): string {
    return csvText(this.#paths.map((path) => cellOf(path.reduce<unknown>((value, name) => (value as Values | undefined)?.[name], record))))
  }
}

type Values = Readonly<Record<string, unknown>>

function cellOf(value: unknown): string | number | null {
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the documentation of the CSV. `example` is a record. */
export function csvResponse({ columns }: Pick<DocumentCsv, 'columns'>, example: object): RouteResponse {
  return { status: 200, description: 'The same as CSV.', contentType: 'text/csv', example: columns.header + columns.line(example) }
}

/** Answers the list in slices. */
export function answerDocuments<Query extends PageQuery>(
  parts: DocumentListParts,
  call: Call<unknown, Query, MerchantPrincipal>,
  csv: DocumentCsv,
  ask: AskSlice<Query>,
): void {
  if (!prefersCsv(call.accept)) answerSlices(call, ask)
  else answerDocumentCsv(parts, call, csv, (query) => pageOf(ask, query as Query))
}

export function answerDocumentCsv<Query extends PageQuery>(
  { engine, csvExports }: DocumentListParts,
  call: Call<unknown, Query, MerchantPrincipal>,
  { columns, ...csv }: DocumentCsv,
  page: (query: PageQuery) => ListPage | null,
): void {
  const line = (row: string): string => columns.line(JSON.parse(row) as object)
  answerCsv(call, engine, csvExports, { ...csv, header: columns.header, line, page })
}

/** Returns one page. It ends early after CSV_CANDIDATES_MAX candidates: an export goes on with its next slice. */
export function pageOf<Query extends PageQuery>(ask: AskSlice<Query>, query: Query): ListPage | null {
  const { limit = 1 } = query
  const page = new SlicedPage(limit, CSV_CANDIDATES_MAX)
  let slice: DocumentSlice | null = ask({ ...query, limit: limit + 1 }, 'first')
  if (slice === null) return null
  for (;;) {
    const whole = page.add(slice)
    if (whole !== null) return whole
    slice = ask({ ...query, limit: page.wanted, cursor: page.cursor }, 'next')
    if (slice === null) return page.end()
  }
}
