// Merges several runs into one in slices. Each slice is one short transaction, so that segments are stored in between. The
// manifest lists the new run only when it is complete, so an interrupted merge leaves garbage and never a gap.
import { assert } from '../../engine/kernel/assert.ts'
import { MERGE_SLICE_CHUNKS } from '../limits.ts'
import type { BloomFilter } from './bloom-filter.ts'
import { CHUNK_ENTRIES, chunkKey, decodeChunk } from './index-chunk.ts'
import { emptyColumns, type SortedColumns } from './index-columns.ts'
import type { Run } from './manifest.ts'
import { addToFilter, countHashes, filterPartCount, newFilter, RunDigest, writeChunks, writeFilterParts } from './run-files.ts'
import type { ArchiveStore } from './store.ts'

const SLICE_ENTRIES = MERGE_SLICE_CHUNKS * CHUNK_ENTRIES

export class Merge {
  readonly inputs: readonly Run[]
  /** Number of the run that is being written. */
  readonly number: number
  readonly entries: number
  readonly #store: ArchiveStore
  readonly #cursors: RunCursor[]
  readonly #capacity: number
  readonly #slice: ReturnType<typeof emptyColumns>
  #filter: BloomFilter | null
  #written = 0
  #hashes = 0
  #filterParts = 0
  readonly #digest = new RunDigest()

  constructor(store: ArchiveStore, inputs: readonly Run[], number: number) {
    this.#store = store
    this.inputs = inputs
    this.number = number
    this.entries = inputs.reduce((sum, run) => sum + run.count, 0)
    this.#capacity = Math.min(SLICE_ENTRIES, this.entries)
    this.#slice = emptyColumns(this.#capacity)
    this.#filter = newFilter(inputs.reduce((sum, run) => sum + run.hashes, 0))
    this.#cursors = inputs.map((run) => new RunCursor(store, run.number))
  }

  /** Filter over all entries, complete once these are written. */
  get filter(): BloomFilter | null {
    return this.#filter
  }

  get isStarted(): boolean {
    return this.#written > 0
  }

  /** Whether all entries and the filter are stored, so that the manifest can list the run. */
  get isWritten(): boolean {
    return this.#written === this.entries && this.#filterParts === (this.filter === null ? 0 : filterPartCount(this.filter))
  }

  /** The run as the manifest will list it. */
  get output(): Run {
    const [first] = this.inputs as readonly [Run, ...Run[]]
    const { number, entries: count } = this
    return { number, count, hashes: this.#hashes, minPosition: first.minPosition, digest: this.#digest.value }
  }

  /** Writes one slice in one transaction; `alongside` writes in the same transaction. */
  step(alongside: () => void): void {
    if (this.#written < this.entries) this.#stepEntries(alongside)
    else this.#stepFilter(alongside)
  }

  #stepEntries(alongside: () => void): void {
    const slice = this.#slice
    const before = slice.count === 0 ? null : { high: slice.high[slice.count - 1] as number, low: slice.low[slice.count - 1] as number }
    slice.count = 0
    while (slice.count < this.#capacity && this.#cursors.length > 0) this.#takeLowest(slice)
    this.#hashes += countHashes(slice, before)
    if (this.#filter !== null) addToFilter(this.#filter, slice)
    this.#store.transact(() => {
      writeChunks(this.#store, this.number, slice, this.#digest)
      alongside()
    })
    this.#written += slice.count
    assert(slice.count === this.#capacity || this.#written === this.entries, 'a merge writes what its inputs hold')
    // A hash in several inputs was counted once for each of them, so the filter may be smaller.
    if (this.#written === this.entries && this.#filter !== null) this.#filter = this.#filter.foldedFor(this.#hashes)
  }

  /** Few inputs: a linear search for the lowest is as fast as a heap. */
  #takeLowest(slice: { count: number } & SortedColumns): void {
    const cursors = this.#cursors
    let lowest = cursors[0] as RunCursor
    for (let at = 1; at < cursors.length; at++) {
      const cursor = cursors[at] as RunCursor
      if (cursor.isBelow(lowest)) lowest = cursor
    }
    slice.high[slice.count] = lowest.high
    slice.low[slice.count] = lowest.low
    slice.position[slice.count] = lowest.position
    slice.count++
    if (!lowest.advance()) cursors.splice(cursors.indexOf(lowest), 1)
  }

  #stepFilter(alongside: () => void): void {
    const { filter } = this
    assert(filter !== null, 'a merge without a filter is written with its last entry')
    const toPart = Math.min(this.#filterParts + MERGE_SLICE_CHUNKS, filterPartCount(filter))
    this.#store.transact(() => {
      writeFilterParts(this.#store, this.number, filter, { fromPart: this.#filterParts, toPart }, this.#digest)
      alongside()
    })
    this.#filterParts = toPart
  }
}

/** Cursor over the entries of one run. */
class RunCursor {
  high = 0
  low = 0
  position = 0
  readonly #store: ArchiveStore
  readonly #run: number
  #chunk: SortedColumns
  #key: Uint8Array
  #at = 0

  constructor(store: ArchiveStore, run: number) {
    this.#store = store
    this.#run = run
    const first = this.#read(chunkKey(run, 0, 0, 0), false)
    assert(first !== null, `run ${run} has entries`)
    this.#key = first.key
    this.#chunk = first.chunk
    this.#show()
  }

  isBelow(other: RunCursor): boolean {
    if (this.high !== other.high) return this.high < other.high
    if (this.low !== other.low) return this.low < other.low
    return this.position < other.position
  }

  /** Moves to the next entry. Returns false at the end. */
  advance(): boolean {
    if (++this.#at === this.#chunk.count) {
      const next = this.#read(this.#key, true)
      if (next === null) return false
      this.#key = next.key
      this.#chunk = next.chunk
      this.#at = 0
    }
    this.#show()
    return true
  }

  #show(): void {
    this.high = this.#chunk.high[this.#at] as number
    this.low = this.#chunk.low[this.#at] as number
    this.position = this.#chunk.position[this.#at] as number
  }

  #read(start: Uint8Array, exclusiveStart: boolean): { key: Uint8Array; chunk: SortedColumns } | null {
    const range = { start, exclusiveStart, end: chunkKey(this.#run + 1, 0, 0, 0), limit: 1 }
    for (const { key, value } of this.#store.chunks.getRange(range)) return { key, chunk: decodeChunk(value) }
    return null
  }
}
