// Worker thread of the archive and its only writer. Stores segments and snapshots as they arrive and merges runs in between,
// one short transaction at a time with a pause after each. It reports its first failure and then does nothing more.
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type { IndexSegment, SnapshotRow } from '../../engine/actor/ports.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { yieldToEventLoop } from '../thread-priority.ts'
import type { BloomFilter } from './bloom-filter.ts'
import { FILTERS_MAX_BYTES } from './filter-memory.ts'
import { IndexWriter, type Merged } from './index-writer.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { mergePauseMs } from './merge-plan.ts'
import { buffersOf, columnsOf, type FromWorker, type ToWorker, type WorkerStart } from './messages.ts'
import { readFilter } from './run-files.ts'
import { applyRows } from './snapshot-rows.ts'
import { type ArchiveStore, openStore } from './store.ts'

class ArchiveWorker {
  readonly #port: MessagePort
  readonly #store: ArchiveStore
  readonly #index: IndexWriter
  #snapshotRows: SnapshotRow[] = []
  /** Runs whose filters the main thread does not have yet, small runs first. */
  readonly #unloaded: number[]
  /** Size of the filters that were read at the start. What has no room beside them is not read. */
  #loadedBytes = 0
  #stepPlanned = false
  #pausedUntilMs = 0
  /** While the log is indexed, runs are merged only where they are too many: the server does not listen until the index is whole. */
  #isIndexing = false
  #stopped = false

  constructor(port: MessagePort, store: ArchiveStore, manifest: Manifest) {
    this.#port = port
    this.#store = store
    this.#index = new IndexWriter(store, manifest)
    this.#unloaded = [...manifest.runs].sort((one, other) => one.count - other.count).map((run) => run.number)
    port.on('message', (message: ToWorker) => this.#guard(() => this.#take(message)))
    if (this.#unloaded.length === 0) this.#send({ type: 'filtersSent' }, null)
    this.#planStep()
  }

  #take(message: ToWorker): void {
    switch (message.type) {
      case 'segment':
        return this.#storeSegments([{ ...message, count: message.high.length }])
      case 'indexLog':
        void this.#indexLog(message)
        return
      case 'snapshotRows':
        this.#snapshotRows.push(...message.rows)
        return
      case 'snapshotEnd':
        return this.#storeSnapshot(message)
      case 'snapshotForget':
        return this.#forgetSnapshot()
      case 'release':
        this.#index.release(message.runs)
        return this.#planStep()
      case 'close':
        return this.#close()
    }
  }

  #storeSegments(segments: readonly IndexSegment[]): void {
    this.#index.catchUp((merged) => this.#tellMerged(merged))
    for (const { indexedThrough, run, filter } of this.#index.addSegments(segments))
      this.#send({ type: 'segmentStored', throughSequence: indexedThrough, run, filter: filter?.words ?? null }, filter)
    this.#planStep()
  }

  /** Loads the code of the engine on its first use: most starts have few records to index. */
  async #indexLog(message: ToWorker & { type: 'indexLog' }): Promise<void> {
    this.#isIndexing = true
    try {
      const { indexLogInto } = await import('./log-index.ts')
      const { hashKey, indexedThrough } = this.#index.manifest
      const target = { hashKey, indexedThrough, store: (segments: readonly IndexSegment[]) => this.#storeSegments(segments) }
      const segments = await indexLogInto(target, { ...message, isStopped: () => this.#stopped })
      const unstored = segments.map(columnsOf)
      if (!this.#stopped)
        this.#port.postMessage({ type: 'logIndexed', fault: null, unstored } satisfies FromWorker, unstored.flatMap(buffersOf))
    } catch (error) {
      this.#guard(() => {
        if (!(error instanceof LogFormatError)) throw error
        this.#send({ type: 'logIndexed', fault: { code: error.code, message: error.message }, unstored: [] }, null)
      })
    }
    this.#isIndexing = false
    this.#planStep()
  }

  #storeSnapshot(message: ToWorker & { type: 'snapshotEnd' }): void {
    const { sequence, timeMs, batchHash } = message
    const rows = this.#snapshotRows
    this.#snapshotRows = []
    this.#index.update(() => ({
      snapshot: { sequence, timeMs, batchHash, ...applyRows(this.#store, this.#index.manifest.snapshot, rows) },
    }))
    const point = this.#index.manifest.snapshot
    assert(point !== null, 'the snapshot was stored')
    this.#send({ type: 'snapshotStored', point }, null)
  }

  #forgetSnapshot(): void {
    this.#index.update(() => {
      this.#store.clear(this.#store.snapshot)
      return { snapshot: null }
    })
  }

  #planStep(): void {
    const hasWork = this.#unloaded.length > 0 || (this.#index.hasWork && !this.#isIndexing)
    if (this.#stepPlanned || this.#stopped || !hasWork) return
    this.#stepPlanned = true
    const run = () => {
      this.#stepPlanned = false
      if (!this.#stopped) this.#guard(() => this.#step())
    }
    const waitMs = this.#unloaded.length > 0 ? 0 : this.#pausedUntilMs - performance.now()
    if (waitMs > 0) setTimeout(run, waitMs).unref()
    else setImmediate(run)
  }

  /** Sends filters first: without them the main thread searches each run on disk. */
  #step(): void {
    const run = this.#unloaded.shift()
    if (run !== undefined) {
      this.#sendFilter(run)
      if (this.#unloaded.length === 0) this.#send({ type: 'filtersSent' }, null)
    } else if (!this.#isIndexing) this.#stepIndex()
    this.#planStep()
  }

  #stepIndex(): void {
    const fromMs = performance.now()
    const merged = this.#index.step()
    const untilMs = performance.now()
    this.#pausedUntilMs = untilMs + mergePauseMs(untilMs - fromMs, this.#index.manifest.runs.length)
    if (merged !== null) this.#tellMerged(merged)
  }

  #tellMerged({ inputs, output, filter }: Merged): void {
    this.#send({ type: 'merged', inputs, output, filter: filter?.words ?? null }, filter)
  }

  #sendFilter(run: number): void {
    const filter = readFilter(this.#store, run, FILTERS_MAX_BYTES - this.#loadedBytes)
    if (filter === null) return
    this.#loadedBytes += filter.sizeBytes
    this.#send({ type: 'filter', run, filter: filter.words }, filter)
  }

  #send(message: FromWorker, moved: BloomFilter | null): void {
    this.#port.postMessage(message, moved === null ? [] : [moved.words.buffer as ArrayBuffer])
  }

  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#stopped = true
      const { message, code } = error as { message: string; code?: unknown }
      this.#send({ type: 'failed', message, code: String(code ?? '') }, null)
      this.#close()
    }
  }

  #close(): void {
    this.#stopped = true
    this.#port.close()
    void this.#store.close()
  }
}

assert(!isMainThread && parentPort !== null, 'the archive worker runs in a thread of its own')
yieldToEventLoop()
const { path } = workerData as WorkerStart
const store = openStore(path)
const manifest = readManifest(store)
assert(manifest !== null, 'the main thread has made the archive')
new ArchiveWorker(parentPort, store, manifest)
