// The newest part of the index, still in memory: entries of records that the archive has not stored yet, in columns
// of 64-bit hashes and positions. Full segments go to the archive once the log has their records on disk.

import { hashIndexKey } from '../kernel/index-key.ts'
import { SEGMENT_ENTRIES } from '../kernel/limits.ts'
import type { Position } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { IndexSegment } from './ports.ts'

class Segment implements IndexSegment {
  throughSequence = 0
  count = 0
  high = new Uint32Array(SEGMENT_ENTRIES)
  low = new Uint32Array(SEGMENT_ENTRIES)
  position = new Float64Array(SEGMENT_ENTRIES)
  /** Idempotency entries (scope and key) of its records. They are dropped with the segment. */
  readonly keys: string[] = []
  readonly openedMs: TimeMs

  constructor(openedMs: TimeMs) {
    this.openedMs = openedMs
  }

  add(high: number, low: number, position: Position): void {
    if (this.count === this.high.length) this.#grow()
    const at = this.count++
    this.high[at] = high
    this.low[at] = low
    this.position[at] = position
  }

  /** Newest first: entries were added by ascending position of their records, so walk back. */
  collect(high: number, low: number, below: Position, limit: number, found: Position[]): void {
    for (let at = this.count - 1; at >= 0 && found.length < limit; at--) {
      if (this.low[at] === low && this.high[at] === high) {
        const position = this.position[at] as Position
        if (position < below) found.push(position)
      }
    }
  }

  /** Doubles the capacity: a record with many events stays in one segment. */
  #grow(): void {
    const capacity = this.high.length * 2
    const high = new Uint32Array(capacity)
    const low = new Uint32Array(capacity)
    const position = new Float64Array(capacity)
    high.set(this.high)
    low.set(this.low)
    position.set(this.position)
    this.high = high
    this.low = low
    this.position = position
  }
}

export class IndexTail {
  #open: Segment | null = null
  readonly #sealed: Segment[] = []
  readonly #sequenceByKey = new Map<string, number>()

  /** Number of segments that wait for the log or the archive. */
  get sealedCount(): number {
    return this.#sealed.length
  }

  get entryCount(): number {
    let count = this.#open?.count ?? 0
    for (const segment of this.#sealed) count += segment.count
    return count
  }

  add(kind: number, owner: number, value: string, position: Position, timeMs: TimeMs): void {
    this.#open ??= new Segment(timeMs)
    const hash = hashIndexKey(kind, owner, value)
    this.#open.add(hash.high, hash.low, position)
  }

  addKey(scopeAndKey: string, sequence: number, timeMs: TimeMs): void {
    this.#open ??= new Segment(timeMs)
    this.#open.keys.push(scopeAndKey)
    this.#sequenceByKey.set(scopeAndKey, sequence)
  }

  sequenceOfKey(scopeAndKey: string): number | undefined {
    return this.#sequenceByKey.get(scopeAndKey)
  }

  /** Ends the entries of the record. Seals a full segment. */
  endRecord(sequence: number): void {
    if (this.#open === null) return
    this.#open.throughSequence = sequence
    if (this.#open.count >= SEGMENT_ENTRIES * 0.9) this.seal()
  }

  /** Time of the first entry in the open segment; null when it has no entry. */
  openSince(): TimeMs | null {
    return this.#open?.openedMs ?? null
  }

  seal(): void {
    if (this.#open === null) return
    this.#sealed.push(this.#open)
    this.#open = null
  }

  /** The oldest sealed segment; it stays findable until `drop`. */
  oldestSealed(): IndexSegment | null {
    return this.#sealed[0] ?? null
  }

  drop(segment: IndexSegment): void {
    const dropped = this.#sealed.shift()
    if (dropped !== segment || dropped === undefined) throw new Error('segments are dropped in order')
    for (const key of dropped.keys) {
      if ((this.#sequenceByKey.get(key) as number) <= dropped.throughSequence) this.#sequenceByKey.delete(key)
    }
  }

  /** Positions under the index key, newest first, below `below`. */
  find(high: number, low: number, below: Position, limit: number): Position[] {
    const found: Position[] = []
    this.#open?.collect(high, low, below, limit, found)
    for (let at = this.#sealed.length - 1; at >= 0 && found.length < limit; at--) {
      this.#sealed[at]?.collect(high, low, below, limit, found)
    }
    return found
  }
}
