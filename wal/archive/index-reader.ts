// The index on the main thread: the list of runs, their filters, and searches in them. Never writes.
import { POSITION_MAX, type Position } from '../../engine/kernel/position.ts'
import { type BloomFilter, FilterSet, Probe } from './bloom-filter.ts'
import { FILTERS_MAX_BYTES } from './filter-memory.ts'
import { ChunkWindow, chunkKey } from './index-chunk.ts'
import { lowerBound } from './index-columns.ts'
import type { Run } from './manifest.ts'
import type { ArchiveStore } from './store.ts'

interface OpenRun {
  readonly run: Run
  /** Null until it is loaded, or when there is no room for it. */
  filter: BloomFilter | null
}

export class IndexReader {
  readonly #store: ArchiveStore
  readonly #filtersMaxBytes: number
  readonly #probe = new Probe()
  readonly #window = new ChunkWindow()
  /** Newest first. */
  #runs: OpenRun[]
  /** The filters of the runs that have one, and the other runs. */
  #filters: FilterSet
  #unfiltered: readonly Run[]

  constructor(store: ArchiveStore, runs: readonly Run[], filtersMaxBytes = FILTERS_MAX_BYTES) {
    this.#store = store
    this.#filtersMaxBytes = filtersMaxBytes
    this.#runs = runs.map((run) => ({ run, filter: null })).reverse()
    this.#filters = new FilterSet([])
    this.#unfiltered = this.#runs.map(({ run }) => run)
  }

  get runCount(): number {
    return this.#runs.length
  }

  get filterBytes(): number {
    return this.#runs.reduce((sum, { filter }) => sum + (filter?.sizeBytes ?? 0), 0)
  }

  /** Adds the run of a stored segment as the newest. */
  add(run: Run, filter: BloomFilter | null): void {
    this.#runs.unshift({ run, filter })
    this.#fitFilters()
  }

  /** Replaces the inputs of a merge by the merged run. */
  replace(inputs: readonly number[], output: Run, filter: BloomFilter | null): void {
    const replaced = new Set(inputs)
    const at = this.#runs.findIndex(({ run }) => replaced.has(run.number))
    const others = this.#runs.filter(({ run }) => !replaced.has(run.number))
    others.splice(at, 0, { run: output, filter })
    this.#runs = others
    this.#fitFilters()
  }

  setFilter(number: number, filter: BloomFilter): void {
    const open = this.#runs.find(({ run }) => run.number === number)
    if (open === undefined) return
    open.filter = filter
    this.#fitFilters()
  }

  /** Returns false only if no entry has the hash. */
  mayHave(high: number, low: number): boolean {
    if (this.#filters.mayHold(this.#probe.aim(high, low))) return true
    const unfiltered = this.#unfiltered
    for (let at = 0; at < unfiltered.length; at++) if (this.#isIn(unfiltered[at] as Run, high, low)) return true
    return false
  }

  /** Returns positions of the hash below `below`, newest first, at most `limit`. Each run holds newer positions than the next. */
  find(high: number, low: number, below: Position, limit: number): Position[] {
    const found: Position[] = []
    const probe = this.#probe.aim(high, low)
    for (const { run, filter } of this.#runs) {
      if (found.length >= limit) break
      if (run.minPosition >= below) continue
      if (filter !== null && !filter.mayHold(probe)) continue
      this.#collect(run, high, low, below, limit, found)
    }
    return found
  }

  #isIn(run: Run, high: number, low: number): boolean {
    const found: Position[] = []
    this.#collect(run, high, low, POSITION_MAX, 1, found)
    return found.length > 0
  }

  /** Reads the chunks of one run backwards from the one that may hold the last entry below (high, low, below). */
  #collect(run: Run, high: number, low: number, below: Position, limit: number, found: Position[]): void {
    const range = { start: chunkKey(run.number, high, low, below), end: chunkKey(run.number, 0, 0, 0), inclusiveEnd: true, reverse: true }
    for (const key of this.#store.chunks.getKeys(range)) {
      const chunk = this.#window.show(this.#store.chunks.getBinaryFast(key))
      for (let at = lowerBound(chunk, high, low, below) - 1; at >= 0; at--) {
        if (chunk.low[at] !== low || chunk.high[at] !== high) return
        found.push(chunk.position[at] as Position)
        if (found.length === limit) return
      }
    }
  }

  /** Called after each change of runs or filters. */
  #fitFilters(): void {
    if (this.filterBytes > this.#filtersMaxBytes) this.#dropLargest()
    this.#filters = new FilterSet(this.#runs.flatMap(({ filter }) => filter ?? []))
    this.#unfiltered = this.#runs.flatMap(({ run, filter }) => (filter === null ? run : []))
  }

  /** Keeps the small filters in memory: each saves one disk read, and a large one takes the memory of many. */
  #dropLargest(): void {
    let room = this.#filtersMaxBytes
    const bySize = [...this.#runs].sort((one, other) => (one.filter?.sizeBytes ?? 0) - (other.filter?.sizeBytes ?? 0))
    for (const open of bySize) {
      const sizeBytes = open.filter?.sizeBytes ?? 0
      if (sizeBytes <= room) room -= sizeBytes
      else open.filter = null
    }
  }
}
