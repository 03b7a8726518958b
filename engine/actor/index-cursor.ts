// Walks the index backwards: positions under one index key from tail and archive, and positions that several keys
// share.

import { hashIndexKey, type IndexKey } from '../kernel/index-key.ts'
import { POSITION_MAX, type Position, positionOf, sequenceOf } from '../kernel/position.ts'
import type { IndexTail } from './index-tail.ts'
import type { Archive } from './ports.ts'

/** Maximum of positions that are read ahead. */
export const CANDIDATES_PER_STEP = 128

export interface Cursor {
  /** Returns the newest position below `below`, -1 when there is none. */
  before(below: Position): Position
}

/** Index keys that make one list: a position belongs to it when it has at least one of them. */
export type AnyOf = readonly IndexKey[]

/** Returns a cursor over the positions that have the index key, or one of several. */
export function cursorOf(tail: IndexTail, archive: Archive, list: IndexKey | AnyOf): Cursor {
  const cursors = ('kind' in list ? [list] : list).map((indexKey) => {
    const cursor = new IndexCursor(tail, archive, indexKey)
    return indexKey.isRun === true ? new RunCursor(cursor) : cursor
  })
  const [first] = cursors
  return first !== undefined && cursors.length === 1 ? first : new UnionCursor(cursors)
}

/** Reads positions under one index key from tail and archive, newest first, several at a time. */
class IndexCursor implements Cursor {
  readonly #tail: IndexTail
  readonly #archive: Archive
  readonly #high: number
  readonly #low: number
  #ahead: Position[] = []
  #at = 0
  #exhaustedBelow = POSITION_MAX
  #step = 16

  constructor(tail: IndexTail, archive: Archive, indexKey: IndexKey) {
    this.#tail = tail
    this.#archive = archive
    const { high, low } = hashIndexKey(archive.hashKey, indexKey.kind, indexKey.owner, indexKey.value)
    this.#high = high
    this.#low = low
  }

  before(below: Position): Position {
    for (;;) {
      while (this.#at < this.#ahead.length) {
        const position = this.#ahead[this.#at] as Position
        if (position < below) return position
        this.#at++
      }
      if (this.#exhaustedBelow <= 0) return -1
      this.#fill(Math.min(below, this.#exhaustedBelow))
    }
  }

  /** Merges tail and archive. A segment just stored may be in both, so duplicates are dropped. */
  #fill(below: Position): void {
    const limit = this.#step
    this.#step = Math.min(limit * 2, CANDIDATES_PER_STEP)
    const found = this.#tail.find(this.#high, this.#low, below, limit)
    if (found.length < limit) {
      const older = found.length === 0 ? below : Math.min(below, found[found.length - 1] as Position)
      found.push(...this.#archive.find(this.#high, this.#low, older, limit - found.length))
    }
    this.#ahead = found
    this.#at = 0
    this.#exhaustedBelow = found.length < limit ? 0 : (found[found.length - 1] as Position)
  }
}

/** Reads entries that lead to all events of their record up to their own: every such position, newest first. */
class RunCursor implements Cursor {
  readonly #runs: Cursor

  constructor(runs: Cursor) {
    this.#runs = runs
  }

  before(below: Position): Position {
    const newest = below - 1
    return Math.min(newest, this.#runs.before(positionOf(sequenceOf(newest) + 1, 0)))
  }
}

class UnionCursor implements Cursor {
  readonly #cursors: readonly Cursor[]

  constructor(cursors: readonly Cursor[]) {
    this.#cursors = cursors
  }

  before(below: Position): Position {
    let newest: Position = -1
    for (const cursor of this.#cursors) newest = Math.max(newest, cursor.before(below))
    return newest
  }
}

/**
 * Returns the newest position below `below` that all cursors have, -1 when there is none. Each cursor skips to the
 * lowest one.
 */
export function intersect(cursors: readonly Cursor[], below: Position): Position {
  let candidate = cursors[0]?.before(below) ?? -1
  let agreed = 1
  for (let at = 1; agreed < cursors.length && candidate >= 0; at = (at + 1) % cursors.length) {
    const position = (cursors[at] as Cursor).before(candidate + 1)
    agreed = position === candidate ? agreed + 1 : 1
    candidate = position
  }
  return candidate
}
