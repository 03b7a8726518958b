// The log in LMDB: one store, ascending sequences as keys, one value per batch, the batches of a flush in one transaction, on disk
// before `done(null)`. The only writer of that store. It must never retry, and it rejects every batch after a failure.
import { channel } from 'node:diagnostics_channel'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type { BatchesToAppend, BatchToAppend, DurableLog, LocalLogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { readHeader } from '../../engine/actor/record-codec.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { DiskSpace } from '../disk-space.ts'
import { APPEND_TIMEOUT_MS, APPEND_WATCH_MS, LARGE_RECORD_BYTES, LOG_MAP_BYTES } from '../limits.ts'
import { dataFileOf, usedBytes } from '../lmdb-file.ts'
import { asBuffer, type LmdbStore, openLmdbStore } from '../lmdb-store.ts'
import { batchesFrom, keyHolding, lastBatch, lastSequenceOf } from '../log-batches.ts'
import { FIRST_EPOCH, refusalOf, throughOf } from './append-rule.ts'
import { FileGrowth } from './file-growth.ts'
import { LogError } from './log-error.ts'
import { type LogMeta, markedAsCopy, newLogMeta, putLogMeta, readLogMeta } from './log-meta.ts'
import { ReadCache } from './read-cache.ts'

export interface LmdbLogOptions {
  /** Folder of the store; created if it is missing. */
  readonly path: string
  readonly partition?: number
  /** Id of the log in PostgreSQL that this one copies. Absent: its own id. */
  readonly logId?: string
  /** Epoch of this owner. Default: the epoch of the last batch. */
  readonly epoch?: number
  /** Absent: the log does not check free space. */
  readonly space?: DiskSpace
  readonly mapBytes?: number
  readonly appendTimeoutMs?: number
}

type Done = (error: Error | null) => void

/** Start and end of each append in milliseconds of `performance.now()`, for tracers. */
const APPENDS = channel('cauri:log-append')

/** Key without a batch. Removing it changes nothing, but as a second write it starts the transaction immediately. */
const ABSENT_KEY = 0

export class LmdbLog implements DurableLog, LocalLogReader {
  readonly #store: LmdbStore
  readonly #space: DiskSpace | null
  readonly #cache = new ReadCache()
  readonly #growth: FileGrowth
  readonly #timeoutMs: number
  readonly #watch: NodeJS.Timeout
  readonly epoch: number
  readonly largeRecordBytes = LARGE_RECORD_BYTES
  #meta: LogMeta
  #durableSequence: number
  #pending: { readonly done: Done; readonly through: number; readonly sizeBytes: number; readonly startedMs: number } | null = null
  #failure: LogError | null = null
  #closed = false

  private constructor(store: LmdbStore, meta: LogMeta, options: LmdbLogOptions) {
    this.#store = store
    this.#meta = meta
    this.epoch = options.epoch ?? Math.max(meta.epoch, FIRST_EPOCH)
    this.#space = options.space ?? null
    this.#timeoutMs = options.appendTimeoutMs ?? APPEND_TIMEOUT_MS
    const last = lastBatch(store)
    if (last !== null) readHeader(asBuffer(last.bytes))
    this.#durableSequence = last === null ? 0 : lastSequenceOf(last)
    this.#growth = new FileGrowth(dataFileOf(options.path), () => usedBytes(store))
    this.#watch = setInterval(() => this.#watchPending(), APPEND_WATCH_MS)
    this.#watch.unref()
  }

  /** Throws LogFormatError for a damaged or newer log, LogError for one of another partition, and errors of LMDB. */
  static async open(options: LmdbLogOptions): Promise<LmdbLog> {
    const partition = options.partition ?? 0
    const mapBytes = options.mapBytes ?? LOG_MAP_BYTES
    if (!existsSync(dataFileOf(options.path))) await createLog(options.path, newLogMeta(partition, options.logId))
    const store = openLmdbStore({ path: options.path, mapBytes })
    try {
      const meta = checkedMeta(store, partition, options)
      if (options.logId === undefined || meta.original !== undefined) return new LmdbLog(store, meta, options)
      const marked = markedAsCopy(meta, 'PostgreSQL')
      await putLogMeta(store, marked)
      return new LmdbLog(store, marked, options)
    } catch (error) {
      await store.close()
      throw error
    }
  }

  get partition(): number {
    return this.#meta.partition
  }

  get durableSequence(): number {
    return this.#durableSequence
  }

  /** Unique id of the log. It never changes. */
  get logId(): string {
    return this.#meta.logId
  }

  /** Whether the log accepts appends: false after a failed append or when the disk is nearly full. */
  canWrite(): boolean {
    return !this.#closed && this.#failure === null && this.#hasRoom()
  }

  append(batches: BatchesToAppend, done: Done): void {
    assert(this.#pending === null, 'one append at a time')
    const [batch] = batches
    const state = {
      partition: this.partition,
      epoch: this.#meta.epoch,
      durableSequence: this.#durableSequence,
      closed: this.#closed,
      failure: this.#failure,
    }
    const refusal = refusalOf(batch, state) ?? this.#refusalForSpace()
    if (refusal !== null) {
      queueMicrotask(() => done(refusal))
      return
    }
    const sizeBytes = batches.reduce((sum, { bytes }) => sum + bytes.length, 0)
    this.#pending = { done, through: throughOf(batches), sizeBytes, startedMs: performance.now() }
    const lastEpoch = (batches[batches.length - 1] as BatchToAppend).epoch
    const raised = lastEpoch > this.#meta.epoch ? { ...this.#meta, epoch: lastEpoch } : null
    this.#write(batches, () => this.#succeed(raised))
    if (raised === null) {
      void this.#store.remove(ABSENT_KEY, SETTLED_BY_THE_PUT)
    } else {
      putLogMeta(this.#store, raised).catch((error: unknown) => this.#failWith(error))
    }
  }

  async *read(fromSequence: number): AsyncGenerator<StoredBatch> {
    yield* batchesFrom(this.#store, fromSequence)
  }

  /** Returns the batch that holds the sequence. Decode its bytes immediately: later calls overwrite them. */
  batchAt(sequence: number): StoredBatch | null {
    if (sequence < 1 || sequence > this.#durableSequence) return null
    const cached = this.#cache.get(sequence)
    if (cached !== null) return cached
    const firstSequence = keyHolding(this.#store, sequence)
    const seen = firstSequence === null ? undefined : this.#store.getBinaryFast(firstSequence)
    if (firstSequence === null || seen === undefined) return null
    const batch = this.#cache.put(firstSequence, seen)
    return sequence <= lastSequenceOf(batch) ? batch : null
  }

  /** Closes the log after the append in progress. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#watch)
    this.#cache.clear()
    this.#growth.close()
    await this.#store.close()
  }

  /**
   * Writes all batches in one transaction. The condition holds for all of them: LMDB commits the others of a transaction whose
   * first put found its key, so with a second writer they would not continue what is stored.
   */
  #write(batches: BatchesToAppend, onStored: () => void): void {
    const [first, ...others] = batches
    const last = others.at(-1)
    if (last === undefined) return this.#put(first, onStored)
    const written = this.#store.ifNoExists(first.expectedSequence, () => {
      for (const batch of batches) this.#put(batch, batch === last ? onStored : SETTLED_BY_THE_PUT)
    })
    // Each put reports a key that exists.
    written.catch((error: unknown) => this.#failWith(error))
  }

  #put({ expectedSequence, bytes }: BatchToAppend, onStored: () => void): void {
    this.#store.put(expectedSequence, bytes, { append: true }).then(
      (appended) =>
        appended ? onStored() : this.#fail(new LogError('append_failed', `The log already holds sequence ${expectedSequence}.`)),
      (error: unknown) => this.#failWith(error),
    )
  }

  #succeed(raised: LogMeta | null): void {
    const pending = this.#pending
    if (pending === null) return
    this.#pending = null
    if (raised !== null) this.#meta = raised
    this.#durableSequence = pending.through
    if (APPENDS.hasSubscribers) APPENDS.publish({ startedMs: pending.startedMs, endedMs: performance.now() })
    pending.done(null)
    this.#growth.committed(pending.sizeBytes)
  }

  #failWith(error: unknown): void {
    // lmdb rejects twice: the put immediately, then `commitError` of its error with the cause.
    const cause = (error as { commitError?: Promise<unknown> }).commitError ?? Promise.reject(error)
    cause.then(undefined, (reason: unknown) => this.#fail(appendError(reason)))
  }

  #fail(error: LogError): void {
    const pending = this.#pending
    if (pending === null) return
    this.#pending = null
    this.#failure = error
    pending.done(error)
  }

  #refusalForSpace(): LogError | null {
    if (this.#space === null || this.#hasRoom()) return null
    if (this.#failure !== null) return this.#failure
    const error = new LogError(
      'disk_full',
      `The disk of the data folder has ${megabytes(this.#space.freeBytes())} MB left, less than the reserve of ${megabytes(this.#space.reserveBytes())} MB: free some space, then start again.`,
    )
    this.#failure = error
    return error
  }

  /** Whether the disk has room. A disk whose space cannot be read has none. */
  #hasRoom(): boolean {
    try {
      return this.#space === null || this.#space.hasRoom()
    } catch (error) {
      this.#failure ??= new LogError('append_failed', `The disk of the data folder does not answer: ${(error as Error).message}.`, error)
      return false
    }
  }

  #watchPending(): void {
    if (this.#pending === null || performance.now() - this.#pending.startedMs < this.#timeoutMs) return
    this.#fail(
      new LogError('append_timeout', `The disk of the data folder has not stored a batch within ${this.#timeoutMs} ms: check the disk.`),
    )
  }
}

const SETTLED_BY_THE_PUT = (): void => {}

/** Returns the store's metadata. Throws for a log of another partition, another log than the copied one, and a copy without its log. */
function checkedMeta(store: LmdbStore, partition: number, { path, logId }: LmdbLogOptions): LogMeta {
  const meta = readLogMeta(store)
  if (meta === null) throw new LogFormatError('batch_damaged', 'its first entry is missing')
  if (meta.partition !== partition) {
    throw new LogError('wrong_partition', `The log belongs to partition ${meta.partition}, not to ${partition}.`)
  }
  if (logId !== undefined && meta.logId !== logId) {
    throw new LogError('log_contradiction', 'The log in the data folder is not a copy of the log in PostgreSQL: it is another one.')
  }
  if (logId === undefined && meta.original !== undefined) throw copyWithoutLog(path, meta.original)
  return meta
}

/** Error of a server that would append to a copy: its log and the original would then contradict each other. */
function copyWithoutLog(path: string, original: string): LogError {
  return new LogError(
    'log_moved',
    `The log in ${path} is only a copy: the log itself is in ${original}. Start the server with that log, or move it with npm run log-copy. If it is lost, npm run restore makes a log of this copy in a new folder.`,
  )
}

/** Creates the log under another name and renames it when it is complete. A log without its first entry is therefore damaged. */
export async function createLog(path: string, meta: LogMeta): Promise<void> {
  const beside = `${path}.new`
  rmSync(beside, { recursive: true, force: true })
  const store = openLmdbStore({ path: beside, mapBytes: LOG_MAP_BYTES })
  await putLogMeta(store, meta)
  await store.close()
  renameSync(beside, path)
}

const DISK_FULL_CODES = new Set<unknown>(['ENOSPC', 'EDQUOT', 28, 122, 27, -30792])

function appendError(cause: unknown): LogError {
  const { code, message } = cause as { code?: unknown; message?: string }
  if (DISK_FULL_CODES.has(code)) {
    return new LogError(
      'disk_full',
      `The batch was not stored: ${message}. Free some space on the disk of the data folder, then start again.`,
      cause,
    )
  }
  return new LogError('append_failed', `The batch was not stored: ${message}. Check the disk of the data folder and its free space.`, cause)
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024)
}
