// The archive in LMDB: the main thread reads, a worker thread writes. A stored run becomes visible as a whole when the worker's
// message is handled. Merged runs are deleted only after the list of runs has changed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type {
  Archive,
  IndexSegment,
  LoadedSnapshot,
  LogIndexed,
  RecordsToIndex,
  SnapshotDelta,
  SnapshotRow,
} from '../../engine/actor/ports.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { HashKey } from '../../engine/kernel/index-key.ts'
import type { Position } from '../../engine/kernel/position.ts'
import { threadEntry } from '../../engine/kernel/script-entry.ts'
import { SNAPSHOT_CHARS_PER_MESSAGE, SNAPSHOT_ROWS_PER_MESSAGE } from '../limits.ts'
import { BloomFilter } from './bloom-filter.ts'
import { FILTERS_MAX_BYTES } from './filter-memory.ts'
import { IndexReader } from './index-reader.ts'
import { type Manifest, type ManifestOptions, usableManifest } from './manifest.ts'
import { buffersOf, columnsOf, type FromWorker, type ToWorker, type WorkerStart } from './messages.ts'
import { readSnapshot, type SnapshotPoint } from './snapshot-rows.ts'
import { type ArchiveStore, openStore } from './store.ts'
import { workerHeap } from './worker-heap.ts'
import { takeMarkBack } from './write-mark.ts'

export interface LmdbArchiveOptions extends ManifestOptions {
  /** Folder of the LMDB store; created if it is missing. */
  readonly path: string
  /** Receives a failed write that no caller waits for, such as that of a merge. */
  readonly onFailure?: (error: Error) => void
  /** Folder of the local log's store. Absent: the archive does not index the log itself. */
  readonly logPath?: string
  readonly filtersMaxBytes?: number
}

const WORKER = threadEntry(new URL('./archive-worker.ts', import.meta.url))

/** File in the archive's folder. With it the next start rebuilds the archive. */
export const UNUSABLE_FILE = 'unusable'

/** Range of LMDB's own error numbers, without that of a full map. System errors are positive numbers. */
const LMDB_ERRORS = { min: -30_799, max: -30_779 } as const
const MAP_FULL = -30_792

type Done = (error: Error | null) => void

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly code = 'archive_failed'
}

export class LmdbArchive implements Archive {
  readonly hashKey: HashKey
  readonly indexLog?: (records: RecordsToIndex, done: LogIndexed) => void
  readonly #path: string
  readonly #store: ArchiveStore
  readonly #worker: Worker
  readonly #index: IndexReader
  readonly #onWarning: (message: string) => void
  readonly #onFailure: (error: Error) => void
  readonly #exited: Promise<void>
  #indexedThrough: number
  #snapshot: SnapshotPoint | null
  #segmentDone: Done | null = null
  #logDone: LogIndexed | null = null
  #snapshotDone: Done | null = null
  #failure: ArchiveError | null = null
  #closing = false
  readonly #loaded: Promise<void>
  #onLoaded = (): void => {}
  readonly #onExit = (): void => takeMarkBack(this.#path)

  private constructor(store: ArchiveStore, manifest: Manifest, options: LmdbArchiveOptions) {
    this.#store = store
    this.#path = options.path
    this.hashKey = manifest.hashKey
    this.#indexedThrough = manifest.indexedThrough
    this.#snapshot = manifest.snapshot
    this.#onWarning = options.onWarning
    this.#onFailure = options.onFailure ?? (() => {})
    const { logPath } = options
    if (logPath !== undefined) this.indexLog = (records, done) => this.#indexLog(logPath, records, done)
    this.#loaded = new Promise((resolve) => {
      this.#onLoaded = resolve
    })
    this.#index = new IndexReader(store, manifest.runs, options.filtersMaxBytes ?? FILTERS_MAX_BYTES)
    this.#worker = new Worker(WORKER.source, {
      ...WORKER.options,
      name: 'archive',
      workerData: { path: options.path } satisfies WorkerStart,
      resourceLimits: workerHeap(),
    })
    process.once('exit', this.#onExit)
    this.#worker.on('message', (message: FromWorker) => this.#take(message))
    this.#worker.on('error', (error) => this.#fail(error.message))
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        if (!this.#closing) this.#fail('its thread has ended')
        this.#onLoaded()
        resolve()
      })
    })
  }

  /** Opens the store and starts the worker. Filters load in the background, see `whenLoaded`. Throws errors of LMDB. */
  static async open(options: LmdbArchiveOptions): Promise<LmdbArchive> {
    const store = openStore(options.path)
    try {
      return new LmdbArchive(store, usableManifest(store, options), options)
    } catch (error) {
      await store.close()
      throw error
    }
  }

  get indexedThrough(): number {
    return this.#indexedThrough
  }

  /** Log position of the stored snapshot, null when there is none. */
  get snapshotPoint(): SnapshotPoint | null {
    return this.#snapshot
  }

  /** Returns the number of runs and the bytes of filters, for metrics. */
  figures(): { readonly runs: number; readonly filterBytes: number } {
    return { runs: this.#index.runCount, filterBytes: this.#index.filterBytes }
  }

  addSegment(segment: IndexSegment, done: Done): void {
    assert(this.#segmentDone === null, 'one segment at a time')
    assert(segment.throughSequence >= this.#indexedThrough, 'segments come in order')
    if (this.#refused(done)) return
    this.#segmentDone = done
    // Copies, because the engine searches the segment until `done`.
    const columns = columnsOf(segment)
    this.#send({ type: 'segment', ...columns }, buffersOf(columns))
  }

  #indexLog(logPath: string, { through, checkThrough }: RecordsToIndex, done: LogIndexed): void {
    if (this.#refused((error) => done(error, []))) return
    this.#logDone = done
    this.#send({ type: 'indexLog', logPath, through, checkThrough })
  }

  find(high: number, low: number, below: Position, limit: number): Position[] {
    return this.#index.find(high, low, below, limit)
  }

  mayHave(high: number, low: number): boolean {
    return this.#index.mayHave(high, low)
  }

  /** Resolves when the filters that were stored are loaded, or the archive has failed or is closed. */
  whenLoaded(): Promise<void> {
    return this.#loaded
  }

  loadSnapshot(): LoadedSnapshot | null {
    if (this.#snapshot === null) return null
    const snapshot = readSnapshot(this.#store, this.#snapshot)
    if (snapshot !== null) return snapshot
    this.#onWarning('The stored snapshot of live state does not match its digest: it is dropped, and the whole log is replayed.')
    this.#snapshot = null
    this.#send({ type: 'snapshotForget' })
    return null
  }

  saveSnapshot(delta: SnapshotDelta, done: Done): void {
    assert(this.#snapshotDone === null, 'one snapshot at a time')
    if (this.#refused(done)) return
    const { sequence, timeMs, batchHash, rows } = delta
    this.#snapshotDone = done
    this.#sendRows(rows, 0, { type: 'snapshotEnd', sequence, timeMs, batchHash })
  }

  /** Lets the worker finish its step. Merges continue at the next start. */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true
      this.#send({ type: 'close' })
    }
    await this.#exited
    process.off('exit', this.#onExit)
    await this.#store.close()
  }

  /** Sends the rows in messages of bounded size, so that a large snapshot does not block the event loop. */
  #sendRows(rows: readonly SnapshotRow[], from: number, end: ToWorker): void {
    const to = endOfMessage(rows, from)
    this.#send({ type: 'snapshotRows', rows: rows.slice(from, to) })
    if (to < rows.length) setImmediate(() => this.#sendRows(rows, to, end))
    else this.#send(end)
  }

  #take(message: FromWorker): void {
    this.#store.refresh()
    switch (message.type) {
      case 'segmentStored': {
        if (message.run !== null) this.#index.add(message.run, filterOf(message.filter))
        this.#indexedThrough = message.throughSequence
        return this.#settleSegment(null)
      }
      case 'logIndexed':
        return this.#settleLog(
          message.fault === null ? null : new LogFormatError(message.fault.code, message.fault.message),
          message.unstored.map((columns) => ({ ...columns, count: columns.high.length })),
        )
      case 'merged': {
        this.#index.replace(message.inputs, message.output, filterOf(message.filter))
        return this.#send({ type: 'release', runs: message.inputs })
      }
      case 'filter':
        return this.#index.setFilter(message.run, new BloomFilter(message.filter))
      case 'filtersSent':
        return this.#onLoaded()
      case 'snapshotStored':
        this.#snapshot = message.point
        return this.#settleSnapshot(null)
      case 'failed':
        if (isDamage(message.code)) return this.#failDamaged(message.message)
        return this.#fail(message.message)
    }
  }

  /** The check at a start reads no page that only writes need, such as those of the list of free pages. */
  #failDamaged(reason: string): void {
    writeFileSync(join(this.#path, UNUSABLE_FILE), '')
    this.#fail(reason, 'It is damaged: the next start rebuilds it from the log.')
  }

  #fail(reason: string, advice = 'Check the disk of the data folder, then start again.'): void {
    if (this.#failure !== null) return
    this.#failure = new ArchiveError(`The archive cannot be written: ${reason}. ${advice}`)
    this.#onWarning(this.#failure.message)
    const isAwaited = this.#segmentDone !== null || this.#logDone !== null || this.#snapshotDone !== null
    if (!isAwaited) this.#onFailure(this.#failure)
    this.#settleSegment(this.#failure)
    this.#settleLog(this.#failure, [])
    this.#settleSnapshot(this.#failure)
    this.#onLoaded()
  }

  #settleSegment(error: Error | null): void {
    const done = this.#segmentDone
    this.#segmentDone = null
    done?.(error)
  }

  #settleLog(error: Error | null, unstored: readonly IndexSegment[]): void {
    const done = this.#logDone
    this.#logDone = null
    done?.(error, unstored)
  }

  #settleSnapshot(error: Error | null): void {
    const done = this.#snapshotDone
    this.#snapshotDone = null
    done?.(error)
  }

  #refused(done: Done): boolean {
    const failure = this.#closing ? new ArchiveError('The archive is closed.') : this.#failure
    if (failure !== null) queueMicrotask(() => done(failure))
    return failure !== null
  }

  #send(message: ToWorker, moved: ArrayBufferLike[] = []): void {
    this.#worker.postMessage(message, moved as ArrayBuffer[])
  }
}

function endOfMessage(rows: readonly SnapshotRow[], from: number): number {
  const last = Math.min(from + SNAPSHOT_ROWS_PER_MESSAGE, rows.length)
  let to = from
  for (let chars = 0; to < last && chars < SNAPSHOT_CHARS_PER_MESSAGE; to++) chars += rows[to]?.value?.length ?? 0
  return to
}

/** Whether LMDB found its own file damaged. */
function isDamage(code: string): boolean {
  const number = Number(code)
  return number >= LMDB_ERRORS.min && number <= LMDB_ERRORS.max && number !== MAP_FULL
}

function filterOf(words: Uint32Array | null): BloomFilter | null {
  return words === null ? null : new BloomFilter(words)
}
