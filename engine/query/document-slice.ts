// Slices of lists of documents: things that change after they were filed, listed by creation, each as it stands now. Each
// candidate is looked up on its own, so a query reads one slice of candidates and the caller asks for slices until its
// page is full.
import type { Hit } from '../actor/history.ts'
import type { PageQuery } from '../contract/common.ts'
import { encodeCursor } from '../contract/cursor.ts'
import type { Position } from '../kernel/position.ts'
import type { Term } from '../kernel/term.ts'
import { type ListInput, pageWindow } from './list-page.ts'
import type { HistoryReads } from './reads.ts'

/** Maximum of candidates that one query reads. */
const CANDIDATES_PER_SLICE = 16

export interface SliceInput<Query extends PageQuery = PageQuery> extends ListInput<Query> {
  /** Whether the page begins with this slice: the query's cursor is then the caller's, later the `nextCursor` of the slice before. */
  readonly slice: 'first' | 'next'
}

export interface DocumentSlice {
  /** JSON texts, newest first, at most `limit` of the query. */
  readonly rows: readonly string[]
  /** Where each row was created: a cursor of the place goes on behind the row. */
  readonly positions: readonly Position[]
  /** How many candidates were read. */
  readonly candidates: number
  /** Cursor of the next slice, null at the end of the list. */
  readonly nextCursor: string | null
}

export interface DocumentList {
  /** Each document is filed under these, once, when it was created: under all of them, or with `match` `any` under one. */
  readonly terms: readonly Term[]
  readonly match?: 'all' | 'any'
  /** Drops hash collisions: true when the hit is the creation of a document of this list. */
  readonly keep: (hit: Hit) => boolean
  /** JSON text of the document as it stands now; null when the filters leave it out. */
  readonly current: (created: Hit) => string | null
}

/** The slice from the query's cursor on; null when the cursor belongs to another kind of list. */
export function documentSlice(history: HistoryReads, query: PageQuery, list: DocumentList): DocumentSlice | null {
  const window = pageWindow(query)
  if (window === null) return null
  const { terms, match = 'all', keep, current } = list
  const { hits, next } = history.page({ ...window, terms, match, keep, limit: CANDIDATES_PER_SLICE })
  const rows: string[] = []
  const positions: Position[] = []
  for (const hit of hits) {
    const text = current(hit)
    if (text === null) continue
    rows.push(text)
    positions.push(hit.position)
    if (rows.length < window.limit) continue
    const isEnd = next === null && hit === hits.at(-1)
    return { rows, positions, candidates: hits.length, nextCursor: isEnd ? null : encodeCursor({ position: hit.position }) }
  }
  return { rows, positions, candidates: hits.length, nextCursor: next === null ? null : encodeCursor({ position: next }) }
}
