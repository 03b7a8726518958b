// Write access to a new log's LMDB store for a copy, with many batches in one transaction. A copy that was interrupted continues
// where it ended.
import { existsSync } from 'node:fs'
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { GENESIS_HASH, hashBatch } from '../../engine/actor/record-codec.ts'
import { LOG_MAP_BYTES } from '../limits.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { type LmdbStore, openLmdbStore } from '../lmdb-store.ts'
import { lastBatch, lastSequenceOf } from '../log-batches.ts'
import { createLog } from './lmdb-log.ts'
import { LogError } from './log-error.ts'
import { type LogMeta, markedAsCopy, putLogMeta, readLogMeta } from './log-meta.ts'

export class LmdbLogTarget {
  readonly #store: LmdbStore

  private constructor(store: LmdbStore) {
    this.#store = store
  }

  /** Throws LogError `log_not_empty` for a store with another log. */
  static async open(path: string, meta: LogMeta): Promise<LmdbLogTarget> {
    if (!existsSync(dataFileOf(path))) await createLog(path, meta)
    const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES })
    if (readLogMeta(store)?.logId === meta.logId) return new LmdbLogTarget(store)
    await store.close()
    throw new LogError('log_not_empty', `${path} is the unfinished copy of another log: name an empty folder.`)
  }

  get end(): { readonly lastSequence: number; readonly lastHash: string } {
    const last = lastBatch(this.#store)
    return last === null
      ? { lastSequence: 0, lastHash: GENESIS_HASH }
      : { lastSequence: lastSequenceOf(last), lastHash: hashBatch(last.bytes) }
  }

  /** Checks in the transaction that no other process has written meanwhile. */
  async write(batches: readonly StoredBatch[]): Promise<void> {
    const [first] = batches
    if (first === undefined) return
    this.#store.transactionSync(() => {
      const last = lastBatch(this.#store)
      if (first.firstSequence !== (last === null ? 0 : lastSequenceOf(last)) + 1) {
        throw new LogError('log_in_use', 'Another process writes to the copy: stop it first.')
      }
      for (const { firstSequence, bytes } of batches) void this.#store.put(firstSequence, bytes, { append: true })
    })
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

/** Marks a log as a copy of the log in `original`: no server opens it as a log of its own any more. */
export async function markMovedLog(path: string, original: string): Promise<void> {
  const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES })
  try {
    const meta = readLogMeta(store)
    if (meta !== null) await putLogMeta(store, markedAsCopy(meta, original))
  } finally {
    await store.close()
  }
}
