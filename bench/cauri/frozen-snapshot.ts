// An archive that stores the index but does not update the snapshot, so that the next start must replay the records after it.
import type { Archive, IndexSegment, LoadedSnapshot, SnapshotDelta } from '../../engine/actor/ports.ts'
import type { HashKey } from '../../engine/kernel/index-key.ts'
import type { Position } from '../../engine/kernel/position.ts'

type Done = (error: Error | null) => void

export class FrozenSnapshot implements Archive {
  readonly #archive: Archive

  constructor(archive: Archive) {
    this.#archive = archive
  }

  get hashKey(): HashKey {
    return this.#archive.hashKey
  }

  saveSnapshot(_delta: SnapshotDelta, done: Done): void {
    setImmediate(done, null)
  }

  get indexedThrough(): number {
    return this.#archive.indexedThrough
  }

  addSegment(segment: IndexSegment, done: Done): void {
    this.#archive.addSegment(segment, done)
  }

  find(high: number, low: number, below: Position, limit: number): Position[] {
    return this.#archive.find(high, low, below, limit)
  }

  mayHave(high: number, low: number): boolean {
    return this.#archive.mayHave(high, low)
  }

  loadSnapshot(): LoadedSnapshot | null {
    return this.#archive.loadSnapshot()
  }

  close(): Promise<void> {
    return this.#archive.close()
  }
}
