// The newest part of the index, still in memory: entries of records that the archive has not stored yet, in columns
// of 64-bit hashes and positions. Full segments go to the archive once the log has their records on disk.

import { type HashKey, hashIndexKey } from '../kernel/index-key.ts'
import { SEGMENT_ENTRIES } from '../kernel/limits.ts'
import { type Position, positionOf } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { IndexSegment } from './ports.ts'

/** Chains of a segment: four entries each when it is full. A power of two. */
const CHAINS = 16_384

class Segment implements IndexSegment {
  throughSequence = 0
  count = 0
  high: Uint32Array
  low: Uint32Array
  position: Float64Array
  readonly openedMs: TimeMs
  /** Newest entry of each chain, and the entry before each entry in its chain. Counted from 1; 0 is the end. */
  readonly #newest = new Uint32Array(CHAINS)
  #before: Uint32Array

  constructor(openedMs: TimeMs, columns: Pick<IndexSegment, 'high' | 'low' | 'position'> = newColumns()) {
    this.openedMs = openedMs
    this.high = columns.high
    this.low = columns.low
    this.position = columns.position
    this.#before = new Uint32Array(this.high.length)
  }

  /** Takes the columns of a segment that was made elsewhere. */
  static of(made: IndexSegment): Segment {
    const segment = new Segment(0, made)
    segment.throughSequence = made.throughSequence
    while (segment.count < made.count) segment.#link(made.low[segment.count] as number)
    return segment
  }

  /** The halves of the hash may be signed. */
  add(high: number, low: number, sequence: number, eventIndex: number): void {
    if (this.count === this.high.length) this.#grow()
    const at = this.count
    this.high[at] = high
    this.low[at] = low
    this.position[at] = positionOf(sequence, eventIndex)
    this.#link(low)
  }

  /** Puts the next entry at the front of its chain. */
  #link(low: number): void {
    const chain = low & (CHAINS - 1)
    this.#before[this.count++] = this.#newest[chain] as number
    this.#newest[chain] = this.count
  }

  /** Newest first: entries were added by ascending position of their records, and a chain begins with its newest. */
  collect(high: number, low: number, below: Position, limit: number, found: Position[]): void {
    let next = this.#newest[low & (CHAINS - 1)] as number
    for (; next > 0 && found.length < limit; next = this.#before[next - 1] as number) {
      const at = next - 1
      if (this.low[at] !== low || this.high[at] !== high) continue
      const position = this.position[at] as Position
      if (position < below) found.push(position)
    }
  }

  has(high: number, low: number): boolean {
    let next = this.#newest[low & (CHAINS - 1)] as number
    for (; next > 0; next = this.#before[next - 1] as number) {
      if (this.low[next - 1] === low && this.high[next - 1] === high) return true
    }
    return false
  }

  /** Doubles the capacity: a record with many events stays in one segment. */
  #grow(): void {
    const capacity = this.high.length * 2
    const high = new Uint32Array(capacity)
    const low = new Uint32Array(capacity)
    const position = new Float64Array(capacity)
    const before = new Uint32Array(capacity)
    high.set(this.high)
    low.set(this.low)
    position.set(this.position)
    before.set(this.#before)
    this.high = high
    this.low = low
    this.position = position
    this.#before = before
  }
}

function newColumns(): Pick<IndexSegment, 'high' | 'low' | 'position'> {
  return {
    high: new Uint32Array(SEGMENT_ENTRIES),
    low: new Uint32Array(SEGMENT_ENTRIES),
    position: new Float64Array(SEGMENT_ENTRIES),
  }
}

export class IndexTail {
  readonly #hashKey: HashKey
  /** What was hashed last: the fees of a batch have one index key, that of their account. */
  #kind = 0
  #owner = 0
  #value: string | null = null
  #high = 0
  #low = 0
  /** Of the record whose entries are added. */
  #sequence = 0
  #timeMs: TimeMs = 0
  #open: Segment | null = null
  readonly #sealed: Segment[] = []

  constructor(hashKey: HashKey) {
    this.#hashKey = hashKey
  }

  /** Number of segments that wait for the log or the archive. */
  get sealedCount(): number {
    return this.#sealed.length
  }

  get entryCount(): number {
    let count = this.#open?.count ?? 0
    for (const segment of this.#sealed) count += segment.count
    return count
  }

  /** Begins the entries of a record. */
  begin(sequence: number, timeMs: TimeMs): void {
    this.#sequence = sequence
    this.#timeMs = timeMs
  }

  add(kind: number, owner: number, value: string, eventIndex: number): void {
    if (kind !== this.#kind || owner !== this.#owner || value !== this.#value) {
      const { high, low } = hashIndexKey(this.#hashKey, kind, owner, value)
      this.#kind = kind
      this.#owner = owner
      this.#value = value
      this.#high = high | 0
      this.#low = low | 0
    }
    this.addHash(this.#high, this.#low, eventIndex)
  }

  /** Times, positions and unsigned halves as arguments were a number on the heap each: 0.1 KB a payout. */
  addHash(high: number, low: number, eventIndex: number): void {
    this.#open ??= new Segment(this.#timeMs)
    this.#open.add(high | 0, low | 0, this.#sequence, eventIndex)
  }

  /** Ends the entries of the record. Seals a full segment. */
  endRecord(): void {
    if (this.#open === null) return
    this.#open.throughSequence = this.#sequence
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

  /** Takes segments that were made elsewhere, in order, as sealed ones. */
  adopt(segments: readonly IndexSegment[]): void {
    for (const segment of segments) this.#sealed.push(Segment.of(segment))
  }

  /** The oldest sealed segment; it stays findable until `drop`. */
  oldestSealed(): IndexSegment | null {
    return this.#sealed[0] ?? null
  }

  drop(segment: IndexSegment): void {
    if (this.#sealed.shift() !== segment) throw new Error('segments are dropped in order')
  }

  has(high: number, low: number): boolean {
    if (this.#open?.has(high, low) === true) return true
    const sealed = this.#sealed
    for (let at = 0; at < sealed.length; at++) if ((sealed[at] as Segment).has(high, low)) return true
    return false
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
