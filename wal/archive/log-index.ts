// Indexes the local log in the archive's thread. It opens the log's store a second time in this process and only reads.
import { LogIndexer } from '../../engine/actor/index-log.ts'
import type { Archive, IndexSegment } from '../../engine/actor/ports.ts'
import type { HashKey } from '../../engine/kernel/index-key.ts'
import { LOG_MAP_BYTES } from '../limits.ts'
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
  /** The segment is on disk when this returns. */
  readonly store: (segment: IndexSegment) => void
}

export async function indexLogInto(target: SegmentTarget, { logPath, through, checkThrough, isStopped }: LogToIndex): Promise<void> {
  const store = openLmdbStore({ path: logPath, mapBytes: LOG_MAP_BYTES })
  try {
    const log = { durableSequence: through, batchAt: (sequence: number) => batchHolding(store, sequence) }
    const indexer = new LogIndexer({ log, archive: new WrittenArchive(target), checkThrough })
    for await (const batch of batchesFrom(store, target.indexedThrough)) {
      if (isStopped()) return
      indexer.add(batch)
    }
    indexer.end()
  } finally {
    await store.close()
  }
}

/** The archive as the index tail sees it: segments are stored at once, nothing is read. */
class WrittenArchive implements Archive {
  readonly hashKey: HashKey
  readonly indexedThrough: number
  readonly #store: (segment: IndexSegment) => void

  constructor({ hashKey, indexedThrough, store }: SegmentTarget) {
    this.hashKey = hashKey
    this.indexedThrough = indexedThrough
    this.#store = store
  }

  addSegment(segment: IndexSegment, done: (error: Error | null) => void): void {
    this.#store(segment)
    done(null)
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
