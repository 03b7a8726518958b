// Write access to a new log's LMDB store for a copy, with many batches in one transaction. The store must be empty.
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { LOG_MAP_BYTES } from '../limits.ts'
import { type LmdbStore, openLmdbStore } from '../lmdb-store.ts'
import { createLog } from './lmdb-log.ts'
import type { LogMeta } from './log-meta.ts'

export class LmdbLogTarget {
  readonly #store: LmdbStore

  private constructor(store: LmdbStore) {
    this.#store = store
  }

  static async create(path: string, meta: LogMeta): Promise<LmdbLogTarget> {
    await createLog(path, meta)
    return new LmdbLogTarget(openLmdbStore({ path, mapBytes: LOG_MAP_BYTES }))
  }

  async write(batches: readonly StoredBatch[]): Promise<void> {
    this.#store.transactionSync(() => {
      for (const { firstSequence, bytes } of batches) void this.#store.put(firstSequence, bytes, { append: true })
    })
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}
