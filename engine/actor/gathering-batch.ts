// The records that gather for the next flush, and those in the flush: there is one flush at a time.
import type { LogRecord } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'
import { BATCH_BYTES_MAX, BATCH_RECORDS_MAX } from '../kernel/limits.ts'
import { BatchEncoder, type EncodedBatch } from './batch-encoder.ts'
import { FlushGathering } from './flush-gathering.ts'

export interface Flush {
  readonly records: readonly LogRecord[]
  readonly batches: readonly [EncodedBatch, ...EncodedBatch[]]
}

export class GatheringBatch {
  #encoder = new BatchEncoder()
  /** Keeps the bytes of the flush until its outcomes have left: an answer is copied from them. */
  #flushedEncoder = new BatchEncoder()
  readonly #wait = new FlushGathering()
  #gathering: LogRecord[] = []
  #flushing: LogRecord[] | null = null
  #hash: string

  /** `hash` is that of the newest batch. */
  constructor(hash: string) {
    this.#hash = hash
  }

  /** Hash of the newest batch, in hex. */
  get hash(): string {
    return this.#hash
  }

  /** True when no record gathers or is in the flush. */
  get areEmpty(): boolean {
    return this.#flushing === null && this.#gathering.length === 0
  }

  /** Bounds the gathering batch. */
  get hasRoom(): boolean {
    const { length } = this.#gathering
    return length === 0 || (length < BATCH_RECORDS_MAX && this.#encoder.sizeBytes < BATCH_BYTES_MAX)
  }

  add(record: LogRecord): void {
    if (this.#gathering.length === 0) this.#encoder.reset()
    this.#encoder.add(record)
    this.#gathering.push(record)
  }

  /** Begins a flush. Returns null when none can begin, and `wait` when a small one waits one more turn of the loop. */
  beginFlush(largeRecordBytes: number): Flush | 'wait' | null {
    if (this.#flushing !== null || this.#gathering.length === 0) return null
    if (this.#wait.waits(this.#gathering.length)) return 'wait'
    const batches = this.#encoder.finishAll(this.#hash, largeRecordBytes)
    const next = this.#flushedEncoder
    this.#flushedEncoder = this.#encoder
    this.#encoder = next
    this.#hash = (batches[batches.length - 1] as EncodedBatch).hash
    const records = this.#gathering
    this.#flushing = records
    this.#gathering = []
    return { records, batches }
  }

  /** Ends the flush and returns its records. */
  endFlush(): readonly LogRecord[] {
    const flushed = this.#flushing
    assert(flushed !== null, 'a flush ends that began')
    this.#flushing = null
    this.#wait.flushed(flushed.length, this.#gathering.length)
    return flushed
  }

  /** Follower: the owner's batch with this hash was applied. */
  applied(hash: string): void {
    this.#hash = hash
  }
}
