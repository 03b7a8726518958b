// Responses with pages of lists: `{data, has_more, next_cursor}`, newest first. Rows are JSON text, so a page is
// joined text.

import type { DocumentSlice, ListPage } from '../../engine/api.ts'
import { LIST_LIMIT_DEFAULT, type PageQuery } from '../../engine/contract/common.ts'
import { encodeCursor } from '../../engine/contract/cursor.ts'
import { because } from '../../engine/contract/reasons.ts'
import { fairWork, ownerOf } from '../server/fair-work.ts'
import { later } from '../server/later.ts'
import type { Call } from '../server/route.ts'
import { CANDIDATES_MAX, SLICE_COST } from './list-limits.ts'

/** Answers a page. Null, for a cursor of another kind of list, gets `invalid_parameter`. */
export function answerPage(call: Pick<Call, 'answer' | 'refuse' | 'sealCursor'>, page: ListPage | null): void {
  if (page === null) return call.refuse('invalid_parameter', 'cursor', because('cursor'))
  const { rows, nextCursor } = page
  call.answer(200, pageText({ rows, nextCursor: nextCursor === null ? null : call.sealCursor(nextCursor) }))
}

/** Returns the page as JSON text, with the cursor as it is. */
export function pageText({ rows, nextCursor }: ListPage): string {
  return `{"data":[${rows.join(',')}],"has_more":${nextCursor !== null},"next_cursor":${nextCursor === null ? 'null' : `"${nextCursor}"`}}`
}

/** Queries the engine for one slice. `query` is the request's with another cursor and limit. */
export type AskSlice<Query extends PageQuery> = (query: Query, slice: 'first' | 'next') => DocumentSlice | null

/**
 * Answers a page of documents, read in slices so that other requests run in between. A page reads at most
 * `candidatesMax` candidates; then it ends early and its cursor continues.
 */
export function answerSlices<Query extends PageQuery>(
  call: Call<unknown, Query>,
  ask: AskSlice<Query>,
  candidatesMax = CANDIDATES_MAX,
): void {
  const { limit = LIST_LIMIT_DEFAULT } = call.query
  // One more than the page holds: it shows whether another page follows.
  const slice = ask({ ...call.query, limit: limit + 1 }, 'first')
  if (slice === null) return call.refuse('invalid_parameter', 'cursor', because('cursor'))
  const page = new SlicedPage(limit, candidatesMax)
  const first = page.add(slice)
  if (first !== null) return answerPage(call, first)
  later(call, async () => answerPage(call, await restOf(page, call, ask)))
}

async function restOf<Query extends PageQuery>(page: SlicedPage, call: Call<unknown, Query>, ask: AskSlice<Query>): Promise<ListPage> {
  const { query } = call
  for (;;) {
    await fairWork.turn(ownerOf(call), SLICE_COST)
    const slice = ask({ ...query, limit: page.wanted, cursor: page.cursor }, 'next')
    const whole = slice === null ? page.end() : page.add(slice)
    if (whole !== null) return whole
  }
}

/** Builds a page from slices. */
export class SlicedPage {
  readonly #limit: number
  readonly #candidatesMax: number
  readonly #rows: string[] = []
  /** Position of the last row. */
  #lastPosition = 0
  #candidates = 0
  #cursor = ''

  constructor(limit: number, candidatesMax = CANDIDATES_MAX) {
    this.#limit = limit
    this.#candidatesMax = candidatesMax
  }

  /** Number of missing rows, one more than the page holds. */
  get wanted(): number {
    return this.#limit - this.#rows.length + 1
  }

  /** Cursor of the next slice. */
  get cursor(): string {
    return this.#cursor
  }

  /** Adds a slice. Returns the page when it is full or the list has ended, null when another slice is needed. */
  add(slice: DocumentSlice): ListPage | null {
    const full = this.fill(slice)
    if (full !== null) return full
    if (slice.nextCursor === null) return this.end()
    this.#candidates += slice.candidates
    this.#cursor = slice.nextCursor
    if (this.#candidates < this.#candidatesMax) return null
    return this.#endedBy(this.#rows.length === this.#limit ? this.#rowCursor() : slice.nextCursor)
  }

  /** Adds the rows. Returns the page when there is a row more than it holds, else null. */
  fill({ rows, positions }: Pick<DocumentSlice, 'rows' | 'positions'>): ListPage | null {
    for (const [index, row] of rows.entries()) {
      if (this.#rows.length === this.#limit) return this.#endedBy(this.#rowCursor())
      this.#rows.push(row)
      this.#lastPosition = positions[index] ?? 0
    }
    return null
  }

  /** Returns the last page of the list. */
  end(): ListPage {
    return this.#endedBy(null)
  }

  #rowCursor(): string {
    return encodeCursor({ position: this.#lastPosition })
  }

  #endedBy(nextCursor: string | null): ListPage {
    return { rows: this.#rows, nextCursor }
  }
}
