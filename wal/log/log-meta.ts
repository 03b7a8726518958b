// Metadata entry of the log's store, the only one that is not a batch: id of the log, partition, epoch, and where the log itself is
// when the store is only a copy. A released format version never changes; add the next.
import { randomUUID } from 'node:crypto'
import { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type { LmdbStore } from '../lmdb-store.ts'

/** Version of a log. */
const LOG_VERSION = 1
/** Version of a copy of a log: programs that know only version 1 must not append to it. */
const COPY_VERSION = 2

export interface LogMeta {
  readonly format: number
  /** Unique id of the log. An archive contains the id of the log that it was derived from. */
  readonly logId: string
  readonly partition: number
  /** Raised by a takeover. Appends of an older epoch are rejected. */
  readonly epoch: number
  /** Description of the place of the log itself when this store is only a copy. */
  readonly original?: string
}

/** Symbols sort before the numbers of the batches, so batches are always appended at the end. */
const META_KEY = Symbol.for('meta')

export function newLogMeta(partition: number, logId: string = randomUUID()): LogMeta {
  return { format: LOG_VERSION, logId, partition, epoch: 0 }
}

/** Returns the entry of a store that is only a copy from now on: no server may append to it as to a log of its own. */
export function markedAsCopy(meta: LogMeta, original: string): LogMeta {
  return { ...meta, format: COPY_VERSION, original }
}

/** Returns null for a store without the entry. Throws LogFormatError. */
export function readLogMeta(store: LmdbStore): LogMeta | null {
  const bytes = store.get(META_KEY)
  if (bytes === undefined) return null
  let meta: LogMeta
  try {
    meta = JSON.parse(Buffer.from(bytes).toString('utf8')) as LogMeta
  } catch {
    throw new LogFormatError('batch_damaged', 'its first entry is not readable')
  }
  if (!(meta.format <= COPY_VERSION)) {
    throw new LogFormatError(
      'format_too_new',
      `The log has store version ${meta.format}, this program reads up to ${COPY_VERSION}: start the newer release that wrote it.`,
    )
  }
  return meta
}

export function putLogMeta(store: LmdbStore, meta: LogMeta): Promise<boolean> {
  return store.put(META_KEY, Buffer.from(JSON.stringify(meta)))
}
