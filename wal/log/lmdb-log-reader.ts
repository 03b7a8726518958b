// Read-only access to a log's LMDB store, also while a server runs: for verify, backup and restore.
import type { LogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { LOG_MAP_BYTES } from '../limits.ts'
import { shortFile } from '../lmdb-file.ts'
import { type LmdbStore, openLmdbStore } from '../lmdb-store.ts'
import { batchesFrom, lastBatch, lastSequenceOf } from '../log-batches.ts'
import { type LogMeta, readLogMeta } from './log-meta.ts'

export class LmdbLogReader implements LogReader {
  readonly meta: LogMeta
  /** Last sequence when the store was opened. Batches that a running server appends later are not read. */
  readonly durableSequence: number
  readonly #store: LmdbStore

  private constructor(store: LmdbStore, meta: LogMeta) {
    this.#store = store
    this.meta = meta
    const last = lastBatch(store)
    this.durableSequence = last === null ? 0 : lastSequenceOf(last)
  }

  /** Throws an error that describes the damage of the file, LogFormatError, and errors of LMDB. */
  static open(path: string): LmdbLogReader {
    const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES, readOnly: true })
    const short = shortFile(path, store)
    if (short !== null) throw new Error(short)
    const meta = readLogMeta(store)
    if (meta === null) throw new Error('its first entry is missing')
    return new LmdbLogReader(store, meta)
  }

  async *read(fromSequence: number): AsyncGenerator<StoredBatch> {
    for await (const batch of batchesFrom(this.#store, fromSequence)) {
      if (batch.firstSequence > this.durableSequence) return
      yield batch
    }
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}
