// Indexes the local log in the archive's thread. It opens the log's store a second time in this process and only reads.
import { LogIndexer } from '../../engine/actor/index-log.ts'
import type { Archive, IndexSegment } from '../../engine/actor/ports.ts'
import type { HashKey } from '../../engine/kernel/index-key.ts'
import { LOG_MAP_BYTES, SEGMENTS_PER_TRANSACTION } from '../limits.ts'
import { openLmdbStore } from '../lmdb-store.ts'
import { batchesFrom, batchHolding } from '../log-batches.ts'

export interface LogToIndex {
  readonly logPath: string
  readonly through: number
  readonly checkThrough: number
  readonly isStopped: () => boolean
}

/** Where the entries go. */
export interface SegmentTarget {
  readonly hashKey: HashKey
  readonly indexedThrough: number
  /** The segments are on disk when this returns. */
  readonly store: (segments: readonly IndexSegment[]) => void
}

export async function indexLogInto(target: SegmentTarget, { logPath, through, checkThrough, isStopped }: LogToIndex): Promise<void> {
  const store = openLmdbStore({ path: logPath, mapBytes: LOG_MAP_BYTES })
  try {
    const log = { durableSequence: through, batchAt: (sequence: number) => batchHolding(store, sequence) }
    const archive = new WrittenArchive(target)
    const indexer = new LogIndexer({ log, archive, checkThrough })
    for await (const batch of batchesFrom(store, target.indexedThrough)) {
      if (isStopped()) return
      indexer.add(batch)
    }
    indexer.end()
    archive.flush()
  } finally {
    await store.close()
  }
}

/** The archive as the index tail sees it: several segments are stored in one transaction, nothing is read. */
class WrittenArchive implements Archive {
  readonly hashKey: HashKey
  readonly indexedThrough: number
  readonly #store: (segments: readonly IndexSegment[]) => void
  #waiting: IndexSegment[] = []

  constructor({ hashKey, indexedThrough, store }: SegmentTarget) {
    this.hashKey = hashKey
    this.indexedThrough = indexedThrough
    this.#store = store
  }

  addSegment(segment: IndexSegment, done: (error: Error | null) => void): void {
    this.#waiting.push(segment)
    if (this.#waiting.length === SEGMENTS_PER_TRANSACTION) this.flush()
    done(null)
  }

  flush(): void {
    const segments = this.#waiting
    this.#waiting = []
    if (segments.length > 0) this.#store(segments)
  }

  find(): never {
    throw new Error('indexing reads no index')
  }

  mayHave(): never {
    throw new Error('indexing reads no index')
  }

  loadSnapshot(): null {
    return null
  }

  saveSnapshot(): never {
    throw new Error('indexing stores no snapshot')
  }

  async close(): Promise<void> {}
}
