// Lists of things that change after they were filed: newest first by creation, each as it stands now. What it is now is
// looked up one by one: in slices, so that nobody waits behind a list, and no more than a maximum, after which the page
// ends early and its cursor goes on.
import type { History, Hit } from '../../engine/actor/history.ts'
import type { PageQuery } from '../../engine/contract/common.ts'
import { encodeCursor } from '../../engine/contract/cursor.ts'
import type { Position } from '../../engine/kernel/position.ts'
import type { Term } from '../../engine/kernel/term.ts'
import { later } from '../server/later.ts'
import type { Call } from '../server/route.ts'
import { envelope, type PageWindow, pageWindow } from './lists.ts'

/** Candidates between two looks at other requests. */
const CANDIDATES_PER_SLICE = 16
/** Candidates of one page. */
const CANDIDATES_MAX = 2048

export interface DocumentList {
  /** Each document is filed under these, once, when it was created: under all of them, or with `match` `any` under one. */
  readonly terms: readonly Term[]
  readonly match?: 'all' | 'any'
  /** Drops hash collisions: true when the hit is the creation of a document of this list. */
  readonly keep: (hit: Hit) => boolean
  /** JSON text of the document as it stands now; null when the filters leave it out. */
  readonly current: (created: Hit) => string | null
}

export function answerDocuments(call: Call<unknown, PageQuery>, history: History, list: DocumentList): void {
  const window = pageWindow(call.query)
  if (window === null) return call.refuse('invalid_parameter', 'cursor')
  later(call, async () => call.answer(200, await documentPage(history, window, list)))
}

async function documentPage(history: History, window: PageWindow, { terms, match = 'all', keep, current }: DocumentList): Promise<string> {
  const rows: string[] = []
  let lastRow: Position = 0
  let below = window.below
  for (let candidates = 0; ; await new Promise(setImmediate)) {
    const { hits, next } = history.page({
      ...window,
      terms,
      match,
      keep,
      limit: CANDIDATES_PER_SLICE,
      ...(below === undefined ? {} : { below }),
    })
    for (const hit of hits) {
      const text = current(hit)
      if (text === null) continue
      // One more than the page holds: now it is known that another page follows.
      if (rows.length === window.limit) return envelope(rows, encodeCursor({ position: lastRow }))
      rows.push(text)
      lastRow = hit.position
    }
    if (next === null) return envelope(rows, null)
    candidates += hits.length
    if (candidates >= CANDIDATES_MAX) return envelope(rows, encodeCursor({ position: rows.length === window.limit ? lastRow : next }))
    below = next
  }
}
