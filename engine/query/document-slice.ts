// Slices of lists of documents, which change after their creation: listed by creation, each in its current version.
// Each candidate is read separately, so a query reads one slice and the caller queries until its page is full.
import type { Page, PageRequest } from '../actor/history.ts'
import type { Hit } from '../actor/index-hit.ts'
import type { PageQuery } from '../contract/common.ts'
import { encodeCursor } from '../contract/cursor.ts'
import type { Position } from '../kernel/position.ts'
import { type ListInput, type PageWindow, pageWindow } from './list-page.ts'
import type { HistoryReads } from './reads.ts'

/** Maximum of candidates that one query reads. */
const CANDIDATES_PER_SLICE = 16

export interface SliceInput<Query extends PageQuery = PageQuery> extends ListInput<Query> {
  /**
   * True for the first slice of a page: its cursor is the caller's. Later cursors are the `nextCursor` of the slice
   * before.
   */
  readonly slice: 'first' | 'next'
}

export interface DocumentSlice {
  /** JSON texts, newest first, at most `limit` of the query. */
  readonly rows: readonly string[]
  /** Position of each row's creation. A cursor at this position continues after the row. */
  readonly positions: readonly Position[]
  /** Number of candidates that were read. */
  readonly candidates: number
  /** Cursor of the next slice; null at the end of the list. */
  readonly nextCursor: string | null
}

/** The creations of the documents of a list: by their index keys, or a page of them from elsewhere. */
export type ListedDocuments =
  | {
      readonly indexKeys: PageRequest['indexKeys']
      /** True when the hit is the creation of a document of this list. Drops hash collisions. */
      readonly keep: (hit: Hit) => boolean
    }
  | { readonly page: (window: PageWindow) => Page }

export type DocumentList = ListedDocuments & {
  /** Returns JSON text of the current version; null when the filters exclude it. */
  readonly current: (created: Hit) => string | null
}

/** Returns the slice at the query's cursor; null when the cursor belongs to another kind of list. */
export function documentSlice(history: HistoryReads, query: PageQuery, list: DocumentList): DocumentSlice | null {
  const window = pageWindow(query)
  if (window === null) return null
  const slice = { ...window, limit: CANDIDATES_PER_SLICE }
  const { hits, next } = 'page' in list ? list.page(slice) : history.page({ ...slice, indexKeys: list.indexKeys, keep: list.keep })
  const rows: string[] = []
  const positions: Position[] = []
  for (const hit of hits) {
    const text = list.current(hit)
    if (text === null) continue
    rows.push(text)
    positions.push(hit.position)
    if (rows.length < window.limit) continue
    const isEnd = next === null && hit === hits.at(-1)
    return { rows, positions, candidates: hits.length, nextCursor: isEnd ? null : encodeCursor({ position: hit.position }) }
  }
  return { rows, positions, candidates: hits.length, nextCursor: next === null ? null : encodeCursor({ position: next }) }
}
