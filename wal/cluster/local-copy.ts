// Local copy (write-behind) of a log in PostgreSQL. A batch is copied only after its commit is confirmed, so the copy never holds
// an unacknowledged batch. The copy is derived: when it is deleted, the node fetches it again.
import type { LocalLogReader, LogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { COPY_SLICE_BYTES, COPY_WAITING_MAX_BYTES } from '../limits.ts'
import type { LmdbLog } from '../log/lmdb-log.ts'
import type { PostgresBatch } from '../log/postgres-batches.ts'
import { lastSequenceOf } from '../log-batches.ts'

/** The log on this machine's disk. */
export type CopyDisk = Pick<LmdbLog, 'partition' | 'durableSequence' | 'batchAt' | 'read' | 'append'>

export interface LocalCopyOptions {
  readonly log: CopyDisk
  /** Called when more batches are on disk. */
  readonly onStored: () => void
  /** Called when the disk failed. Memory is bounded, so the node cannot continue. */
  readonly onFailure: (error: Error) => void
  readonly waitingMaxBytes?: number
}

export class LocalCopy implements LocalLogReader, LogReader {
  readonly #options: LocalCopyOptions
  readonly #log: CopyDisk
  readonly #maxBytes: number
  /** Acknowledged batches that are not on disk yet, in order. The first `#writing` of them are being written. */
  readonly #waiting: PostgresBatch[] = []
  #waitingBytes = 0
  #writing = 0
  readonly #onRoom: (() => void)[] = []
  readonly #onIdle: (() => void)[] = []
  #hasFailed = false

  constructor(options: LocalCopyOptions) {
    this.#options = options
    this.#log = options.log
    this.#maxBytes = options.waitingMaxBytes ?? COPY_WAITING_MAX_BYTES
  }

  get durableSequence(): number {
    return this.#log.durableSequence
  }

  /** Sequence of the last record in memory or on disk. */
  get throughSequence(): number {
    const last = this.#waiting[this.#waiting.length - 1]
    return last === undefined ? this.#log.durableSequence : last.firstSequence + last.recordCount - 1
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Takes an acknowledged batch that continues the copy. Copies its bytes. */
  put(batch: PostgresBatch): void {
    assert(batch.firstSequence === this.throughSequence + 1, 'the batch continues the copy')
    this.#waiting.push({ ...batch, bytes: Uint8Array.from(batch.bytes) })
    this.#waitingBytes += batch.bytes.length
    this.#write()
  }

  /** Returns null while there is room for another batch, else a promise of room. */
  room(): Promise<void> | null {
    if (this.#waitingBytes < this.#maxBytes) return null
    return new Promise((resolve) => this.#onRoom.push(resolve))
  }

  batchAt(sequence: number): StoredBatch | null {
    const first = this.#waiting[0]
    if (first === undefined || sequence < first.firstSequence) return this.#log.batchAt(sequence)
    if (sequence > this.throughSequence) return null
    let from = 0
    let to = this.#waiting.length
    while (to - from > 1) {
      const middle = (from + to) >>> 1
      if ((this.#waiting[middle] as PostgresBatch).firstSequence <= sequence) from = middle
      else to = middle
    }
    return this.#waiting[from] ?? null
  }

  /** Reads the batches on disk. */
  read(fromSequence: number): AsyncIterable<StoredBatch> {
    return this.#log.read(fromSequence)
  }

  /** Resolves when all batches are on disk. */
  async flushed(): Promise<void> {
    if (this.#waiting.length === 0 || this.#hasFailed) return
    await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  #write(): void {
    if (this.#writing > 0 || this.#hasFailed) return
    const slice = sliceOf(this.#waiting)
    const [first, ...others] = slice
    if (first === undefined) return
    this.#writing = slice.length
    const { partition } = this.#log
    const toAppend = ({ firstSequence, ...batch }: PostgresBatch) => ({ ...batch, partition, expectedSequence: firstSequence })
    this.#log.append([toAppend(first), ...others.map(toAppend)], (error) => this.#written(error))
  }

  #written(error: Error | null): void {
    if (error !== null) {
      this.#hasFailed = true
      this.#options.onFailure(error)
      return
    }
    for (const { bytes } of this.#waiting.splice(0, this.#writing)) this.#waitingBytes -= bytes.length
    this.#writing = 0
    this.#write()
    this.#options.onStored()
    if (this.#waitingBytes < this.#maxBytes) for (const resolve of this.#onRoom.splice(0)) resolve()
    if (this.#waiting.length === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}

/** Returns the oldest batches for one transaction, at least one. */
function sliceOf(waiting: readonly PostgresBatch[]): readonly PostgresBatch[] {
  let bytes = 0
  let count = 0
  while (count < waiting.length && (count === 0 || bytes < COPY_SLICE_BYTES)) bytes += (waiting[count++] as PostgresBatch).bytes.length
  return waiting.slice(0, count)
}

/** Returns the last batch of a copy on disk, null when it is empty. */
export function newestBatch(log: LocalLogReader): StoredBatch | null {
  const batch = log.batchAt(log.durableSequence)
  return batch === null || lastSequenceOf(batch) !== log.durableSequence ? null : batch
}
