// Indexes the local log in the archive's thread. It opens the log's store a second time in this process and only reads. The last segments
// are not stored: the main thread searches them in memory, so that a start does not wait for their sorting and their syncs.
import { LogIndexer } from '../../engine/actor/index-log.ts'
import type { Archive, IndexSegment } from '../../engine/actor/ports.ts'
import type { HashKey } from '../../engine/kernel/index-key.ts'
import { LOG_MAP_BYTES, SEGMENTS_PER_TRANSACTION, UNSTORED_SEGMENTS_MAX } from '../limits.ts'
import { openLmdbStore } from '../lmdb-store.ts'
import { batchesFrom, batchHolding } from '../log-batches.ts'

export interface LogToIndex {
  readonly logPath: string
  readonly through: number
  readonly checkThrough: number
  readonly isStopped: () => boolean
  /** Default: UNSTORED_SEGMENTS_MAX. */
  readonly unstoredMax?: number
}

/** Where the entries go. */
export interface SegmentTarget {
  readonly hashKey: HashKey
  readonly indexedThrough: number
  /** The segments are on disk when this returns. */
  readonly store: (segments: readonly IndexSegment[]) => void
}

/** Resolves with the segments that are not stored. */
export async function indexLogInto(
  target: SegmentTarget,
  { logPath, through, checkThrough, isStopped, unstoredMax = UNSTORED_SEGMENTS_MAX }: LogToIndex,
): Promise<readonly IndexSegment[]> {
  const store = openLmdbStore({ path: logPath, mapBytes: LOG_MAP_BYTES })
  try {
    const log = { durableSequence: through, batchAt: (sequence: number) => batchHolding(store, sequence) }
    const archive = new WrittenArchive(target, unstoredMax)
    const indexer = new LogIndexer({ log, archive, checkThrough })
    for await (const batch of batchesFrom(store, target.indexedThrough)) {
      if (isStopped()) return []
      indexer.add(batch)
    }
    indexer.end()
    return archive.unstored
  } finally {
    await store.close()
  }
}

/** The archive as the index tail sees it: the oldest segments are stored, several in one transaction; nothing is read. */
class WrittenArchive implements Archive {
  readonly hashKey: HashKey
  readonly indexedThrough: number
  readonly #store: (segments: readonly IndexSegment[]) => void
  readonly #unstoredMax: number
  readonly unstored: IndexSegment[] = []

  constructor({ hashKey, indexedThrough, store }: SegmentTarget, unstoredMax: number) {
    this.hashKey = hashKey
    this.indexedThrough = indexedThrough
    this.#store = store
    this.#unstoredMax = unstoredMax
  }

  addSegment(segment: IndexSegment, done: (error: Error | null) => void): void {
    this.unstored.push(segment)
    if (this.unstored.length > this.#unstoredMax) this.#store(this.unstored.splice(0, SEGMENTS_PER_TRANSACTION))
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
