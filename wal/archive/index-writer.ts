// The index on the worker thread: stores segments, merges runs in the background, deletes merged runs. Each step is one
// transaction with a consistent manifest, so a crash loses no more than the current step.
import type { IndexSegment } from '../../engine/actor/ports.ts'
import { CATCH_UP_STEPS, RUNS_MAX } from '../limits.ts'
import type { BloomFilter } from './bloom-filter.ts'
import { type SortedColumns, sortSegment } from './index-columns.ts'
import { type Manifest, type Run, writeManifest } from './manifest.ts'
import { Merge } from './merge.ts'
import { planMerge } from './merge-plan.ts'
import { addToFilter, countHashes, deleteSlice, filterPartCount, newFilter, RunDigest, writeChunks, writeFilterParts } from './run-files.ts'
import type { ArchiveStore } from './store.ts'

export interface StoredSegment {
  readonly indexedThrough: number
  /** Null for a segment without entries. */
  readonly run: Run | null
  readonly filter: BloomFilter | null
}

export interface Merged {
  readonly inputs: readonly number[]
  readonly output: Run
  readonly filter: BloomFilter | null
}

export class IndexWriter {
  readonly #store: ArchiveStore
  #manifest: Manifest
  #merges: Merge[] = []
  /** Garbage runs that no reader uses any more. */
  readonly #deletable: number[]

  /** Garbage runs in the manifest are deletable: no reader has opened them yet. */
  constructor(store: ArchiveStore, manifest: Manifest) {
    this.#store = store
    this.#manifest = manifest
    this.#deletable = [...manifest.rubbish]
    this.#planMerges()
  }

  get manifest(): Manifest {
    return this.#manifest
  }

  get hasWork(): boolean {
    return this.#merges.length > 0 || this.#deletable.length > 0
  }

  /**
   * Called before a segment is stored. Merges until the number of runs falls when there are too many: continuous segments
   * leave large merges no time, and every search must read each run.
   */
  catchUp(onMerged: (merged: Merged) => void): void {
    for (let step = 0; step < CATCH_UP_STEPS && this.#isBehind; step++) {
      const merged = this.step()
      if (merged !== null) onMerged(merged)
    }
  }

  get #isBehind(): boolean {
    return this.#manifest.runs.length > RUNS_MAX && this.#merges.length > 0
  }

  /** Stores each segment as a new run, all in one transaction. They are on disk when this returns. */
  addSegments(segments: readonly IndexSegment[]): StoredSegment[] {
    const stored: StoredSegment[] = []
    this.update(() => {
      const { nextRun, runs } = this.#manifest
      for (const segment of segments) stored.push(this.#write(segment, nextRun + stored.length))
      const added = stored.flatMap(({ run }) => run ?? [])
      const { indexedThrough } = stored[stored.length - 1] ?? this.#manifest
      return { indexedThrough, nextRun: nextRun + stored.length, runs: [...runs, ...added] }
    })
    this.#planMerges()
    return stored
  }

  #write(segment: IndexSegment, number: number): StoredSegment {
    const indexedThrough = segment.throughSequence
    if (segment.count === 0) return { indexedThrough, run: null, filter: null }
    const columns = sortSegment(segment)
    const hashes = countHashes(columns, null)
    const filter = newFilter(hashes)
    const digest = new RunDigest()
    writeChunks(this.#store, number, columns, digest)
    if (filter !== null) {
      addToFilter(filter, columns)
      writeFilterParts(this.#store, number, filter, { fromPart: 0, toPart: filterPartCount(filter) }, digest)
    }
    const run = { number, count: columns.count, hashes, minPosition: lowestPosition(columns), digest: digest.value }
    return { indexedThrough, run, filter }
  }

  /** Changes the manifest in one transaction with `write`, which returns the change. */
  update(write: () => Partial<Manifest>): void {
    let manifest = this.#manifest
    this.#store.transact(() => {
      manifest = { ...manifest, ...write() }
      writeManifest(this.#store, manifest)
    })
    this.#manifest = manifest
  }

  /** Does one slice of background work. Returns the merge that it completed, if any. */
  step(): Merged | null {
    const rubbish = this.#deletable[0]
    if (rubbish !== undefined) {
      this.#deleteSlice(rubbish)
      return null
    }
    const merge = this.#merges[0]
    if (merge === undefined) return null
    if (merge.isWritten) return this.#finish(merge)
    if (merge.isStarted) {
      merge.step(() => {})
      return null
    }
    // After a crash the half-written run is garbage, so the manifest lists it as such from the first slice on.
    const started = { ...this.#manifest, rubbish: [...this.#manifest.rubbish, merge.number] }
    merge.step(() => writeManifest(this.#store, started))
    this.#manifest = started
    return null
  }

  /** Marks merged runs as deletable: the reader does not use them any more. */
  release(runs: readonly number[]): void {
    this.#deletable.push(...runs)
  }

  #finish(merge: Merge): Merged {
    const inputs = merge.inputs.map((run) => run.number)
    const { runs, rubbish } = this.#manifest
    const at = runs.findIndex((run) => run.number === inputs[0])
    this.update(() => ({
      runs: [...runs.slice(0, at), merge.output, ...runs.slice(at + inputs.length)],
      rubbish: [...rubbish.filter((run) => run !== merge.number), ...inputs],
    }))
    this.#merges = this.#merges.filter((other) => other !== merge)
    this.#planMerges()
    return { inputs, output: merge.output, filter: merge.filter }
  }

  #deleteSlice(run: number): void {
    let gone = false
    const without = { ...this.#manifest, rubbish: this.#manifest.rubbish.filter((other) => other !== run) }
    this.#store.transact(() => {
      gone = deleteSlice(this.#store, run)
      if (gone) writeManifest(this.#store, without)
    })
    if (!gone) return
    this.#manifest = without
    this.#deletable.shift()
  }

  /** Plans small merges first: small runs would accumulate during the minutes of a large merge. */
  #planMerges(): void {
    for (;;) {
      const busy = new Set(this.#merges.flatMap((merge) => merge.inputs.map((run) => run.number)))
      const inputs = planMerge(this.#manifest.runs, busy)
      if (inputs === null) return
      const number = this.#manifest.nextRun
      this.#manifest = { ...this.#manifest, nextRun: number + 1 }
      this.#merges.push(new Merge(this.#store, inputs, number))
      this.#merges.sort((one, other) => one.entries - other.entries)
    }
  }
}

function lowestPosition(columns: SortedColumns): number {
  let lowest = Number.POSITIVE_INFINITY
  for (let index = 0; index < columns.count; index++) lowest = Math.min(lowest, columns.position[index] as number)
  return lowest
}
