// The archive in memory, for tests and the simulator. The same contract without a disk.
import type { Archive, IndexSegment, LoadedSnapshot, SnapshotDelta } from '../../engine/actor/ports.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { HashKey } from '../../engine/kernel/index-key.ts'
import type { Position } from '../../engine/kernel/position.ts'

export interface MemoryArchiveOptions {
  /** Schedules the work. Default: a microtask. */
  readonly soon?: (run: () => void) => void
}

export class MemoryArchive implements Archive {
  /** The same each time, so that a seed gives the same run. */
  readonly hashKey: HashKey = [0x03020100, 0x07060504]
  readonly #soon: (run: () => void) => void
  /** Ascending positions by hash. */
  readonly #positions = new Map<string, Position[]>()
  readonly #rows = new Map<string, string>()
  #snapshot: Omit<SnapshotDelta, 'rows'> | null = null
  #indexedThrough = 0
  #segmentBusy = false
  #snapshotBusy = false
  #closed = false

  constructor(options: MemoryArchiveOptions = {}) {
    this.#soon = options.soon ?? queueMicrotask
  }

  get indexedThrough(): number {
    return this.#indexedThrough
  }

  addSegment(segment: IndexSegment, done: (error: Error | null) => void): void {
    assert(!this.#segmentBusy, 'one segment at a time')
    assert(segment.throughSequence >= this.#indexedThrough, 'segments come in order')
    this.#segmentBusy = true
    this.#soon(() => {
      this.#segmentBusy = false
      if (this.#closed) return done(new Error('The archive is closed.'))
      for (let index = 0; index < segment.count; index++) {
        this.#add(hashText(segment.high[index] as number, segment.low[index] as number), segment.position[index] as Position)
      }
      this.#indexedThrough = segment.throughSequence
      done(null)
    })
  }

  find(high: number, low: number, below: Position, limit: number): Position[] {
    const positions = this.#positions.get(hashText(high, low)) ?? []
    const found: Position[] = []
    for (let at = positions.length - 1; at >= 0 && found.length < limit; at--) {
      const position = positions[at] as Position
      if (position < below) found.push(position)
    }
    return found
  }

  mayHave(high: number, low: number): boolean {
    return this.#positions.has(hashText(high, low))
  }

  loadSnapshot(): LoadedSnapshot | null {
    return this.#snapshot === null ? null : { ...this.#snapshot, rows: Array.from(this.#rows, ([key, value]) => ({ key, value })) }
  }

  saveSnapshot(delta: SnapshotDelta, done: (error: Error | null) => void): void {
    assert(!this.#snapshotBusy, 'one snapshot at a time')
    this.#snapshotBusy = true
    this.#soon(() => {
      this.#snapshotBusy = false
      if (this.#closed) return done(new Error('The archive is closed.'))
      for (const { key, value } of delta.rows) {
        if (value === null) this.#rows.delete(key)
        else this.#rows.set(key, value)
      }
      this.#snapshot = { sequence: delta.sequence, timeMs: delta.timeMs, batchHash: delta.batchHash }
      done(null)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  /** Inserts the position, nearly always at the end: entries of one record may arrive in any order, and twice. */
  #add(hash: string, position: Position): void {
    const positions = this.#positions.get(hash)
    if (positions === undefined) {
      this.#positions.set(hash, [position])
      return
    }
    let at = positions.length
    while (at > 0 && (positions[at - 1] as Position) > position) at--
    if (positions[at - 1] !== position) positions.splice(at, 0, position)
  }
}

function hashText(high: number, low: number): string {
  return `${high}:${low}`
}
