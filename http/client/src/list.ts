// Lists of the API: one page, or all rows by an async iterator that fetches the next page when it is needed.
import { PAGE_ROWS_MAX } from './client-limits.ts'

export interface Page<Row> {
  readonly data: readonly Row[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** A type and no interface, so that it is a record of query values. */
type PageWish = {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Fetches nothing before it is read. Newest rows come first; rows that appear meanwhile do not shift the pages. */
export class List<Row> implements AsyncIterable<Row> {
  readonly #fetchPage: (wish: PageWish) => Promise<Page<Row>>

  constructor(fetchPage: (wish: PageWish) => Promise<Page<Row>>) {
    this.#fetchPage = fetchPage
  }

  /** The page that the query asked for: `limit` rows after its `cursor`. */
  page(): Promise<Page<Row>> {
    return this.#fetchPage({})
  }

  /** All pages from the query's `cursor` on, of 100 rows where the query has no `limit`. */
  async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.#fetchPage({ limit: PAGE_ROWS_MAX, ...(cursor === undefined ? {} : { cursor }) })
      yield page
      if (!page.has_more || page.next_cursor === null) return
      cursor = page.next_cursor
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }

  /** The first `max` rows. */
  async toArray(max: number): Promise<Row[]> {
    const rows: Row[] = []
    if (max <= 0) return rows
    for await (const row of this) {
      rows.push(row)
      if (rows.length >= max) break
    }
    return rows
  }
}

/** A list whose query is `sent`; a page of the iteration adds its cursor, and a limit where `sent` has none. */
export function listOf<Query extends object, Row>(
  sent: Query & PageWish,
  fetchPage: (query: Query & PageWish) => Promise<{ data: Row[]; has_more: boolean; next_cursor: string | null }>,
): List<Row> {
  return new List(({ limit, cursor }) => fetchPage({ ...sent, limit: sent.limit ?? limit, cursor: cursor ?? sent.cursor }))
}
