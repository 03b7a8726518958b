// An archive that behaves as badly as a derived store may: slow, failing, with false hits, and after a crash behind by any
// number of writes, or gone. It must never answer too little for what it says it has indexed.
import type { Archive, Clock, IndexSegment, LoadedSnapshot, Scheduler, SnapshotDelta } from '../../../engine/actor/ports.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import type { Prng } from '../../support/prng.ts'

type Write = { readonly segment: IndexSegment } | { readonly snapshot: SnapshotDelta }

export interface ArchiveFaults {
  readonly delayMaxMs: number
  /** Chance that a write fails, 0 to 1. */
  readonly writeFails: number
  /** Chance of a false hit in each answer, 0 to 1. */
  readonly falseHits: number
}

/** What survives a crash: the writes that were carried out, in their order, and what they come to. */
export class ArchiveDisk {
  writes: Write[] = []
  #content: ArchiveContent | null = null

  /** Made of the writes once, and kept up with them. */
  get content(): ArchiveContent {
    if (this.#content === null) {
      this.#content = new ArchiveContent()
      for (const write of this.writes) this.#content.apply(write)
    }
    return this.#content
  }

  write(write: Write): void {
    this.content.apply(write)
    this.writes.push(write)
  }

  /** Loses the newest writes, as many as `keep` leaves out. */
  fallBack(keep: number): void {
    this.writes = this.writes.slice(0, keep)
    this.#content = null
  }
}

interface HashPositions {
  readonly high: number
  readonly positions: Position[]
}

class ArchiveContent {
  readonly rows = new Map<string, string>()
  readonly positions: Position[] = []
  snapshot: SnapshotDelta | null = null
  indexedThrough = 0
  /** By the lower half of the hash. */
  readonly #byLow = new Map<number, HashPositions[]>()

  positionsOf(high: number, low: number): readonly Position[] | undefined {
    return this.#byLow.get(low)?.find((one) => one.high === high)?.positions
  }

  apply(write: Write): void {
    if ('snapshot' in write) {
      for (const { key, value } of write.snapshot.rows) {
        if (value === null) this.rows.delete(key)
        else this.rows.set(key, value)
      }
      this.snapshot = write.snapshot
      return
    }
    const { count, high, low, position, throughSequence } = write.segment
    for (let at = 0; at < count; at++) this.#add(high[at] as number, low[at] as number, position[at] as Position)
    this.indexedThrough = throughSequence
  }

  #add(high: number, low: number, position: Position): void {
    this.positions.push(position)
    const hashes = this.#byLow.get(low)
    const found = hashes?.find((one) => one.high === high)
    if (found !== undefined) found.positions.push(position)
    else if (hashes !== undefined) hashes.push({ high, positions: [position] })
    else this.#byLow.set(low, [{ high, positions: [position] }])
  }
}

export class SimArchive implements Archive {
  readonly hashKey = [1, 2] as const
  readonly #disk: ArchiveDisk
  readonly #loop: Clock & Scheduler
  readonly #prng: Prng
  readonly #faults: ArchiveFaults
  readonly #content: ArchiveContent
  #segmentBusy = false
  #snapshotBusy = false

  constructor(disk: ArchiveDisk, loop: Clock & Scheduler, prng: Prng, faults: ArchiveFaults) {
    this.#disk = disk
    this.#content = disk.content
    this.#loop = loop
    this.#prng = prng
    this.#faults = faults
  }

  get indexedThrough(): number {
    return this.#content.indexedThrough
  }

  addSegment(segment: IndexSegment, done: (error: Error | null) => void): void {
    assert(!this.#segmentBusy, 'one segment at a time')
    assert(segment.throughSequence > this.indexedThrough, 'segments come in order')
    this.#segmentBusy = true
    const handedOver = copyOf(segment)
    const free = (error: Error | null): void => {
      this.#segmentBusy = false
      done(error)
    }
    this.#later(free, () => {
      assert(isSame(handedOver, segment), 'a segment that was handed over does not change')
      this.#disk.write({ segment: handedOver })
    })
  }

  saveSnapshot(delta: SnapshotDelta, done: (error: Error | null) => void): void {
    assert(!this.#snapshotBusy, 'one snapshot at a time')
    assert(delta.sequence > (this.#content.snapshot?.sequence ?? 0), 'snapshots go on')
    this.#snapshotBusy = true
    const snapshot = { ...delta, rows: delta.rows.map((row) => ({ ...row })) }
    const free = (error: Error | null): void => {
      this.#snapshotBusy = false
      done(error)
    }
    this.#later(free, () => this.#disk.write({ snapshot }))
  }

  find(high: number, low: number, below: Position, limit: number): Position[] {
    const { positions } = this.#content
    const found = new Set(this.#content.positionsOf(high, low)?.filter((position) => position < below))
    if (positions.length > 0 && this.#prng.chance(this.#faults.falseHits)) {
      const alien = this.#prng.pick(positions)
      if (alien < below) found.add(alien)
    }
    return [...found].sort((one, other) => other - one).slice(0, limit)
  }

  mayHave(high: number, low: number): boolean {
    return this.#content.positionsOf(high, low) !== undefined || this.#prng.chance(this.#faults.falseHits)
  }

  loadSnapshot(): LoadedSnapshot | null {
    const { snapshot, rows } = this.#content
    return snapshot === null ? null : { ...snapshot, rows: Array.from(rows, ([key, value]) => ({ key, value })) }
  }

  async close(): Promise<void> {}

  /** What is written is seen before the engine gets the callback; a crash may come in between. */
  #later(done: (error: Error | null) => void, write: () => void): void {
    const { delayMaxMs, writeFails } = this.#faults
    const fails = this.#prng.chance(writeFails)
    const afterMs = (): number => this.#loop.now() + this.#prng.below(delayMaxMs + 1)
    this.#loop.at(afterMs(), () => {
      if (fails) return done(new Error('injected failure of the archive'))
      write()
      this.#loop.at(afterMs(), () => done(null))
    })
  }
}

function copyOf({ throughSequence, count, high, low, position }: IndexSegment): IndexSegment {
  return { throughSequence, count, high: high.slice(0, count), low: low.slice(0, count), position: position.slice(0, count) }
}

function isSame(one: IndexSegment, other: IndexSegment): boolean {
  if (one.count !== other.count || one.throughSequence !== other.throughSequence) return false
  for (let at = 0; at < one.count; at++) {
    if (one.high[at] !== other.high[at] || one.low[at] !== other.low[at] || one.position[at] !== other.position[at]) return false
  }
  return true
}
