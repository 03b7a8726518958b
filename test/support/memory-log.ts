// The log in memory, for tests and the simulator. The same contract without a disk. Copies every batch, as a disk does.
import type { BatchesToAppend, DurableLog, LocalLogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { FIRST_EPOCH, refusalOf, throughOf } from '../../wal/log/append-rule.ts'
import { lastSequenceOf } from '../../wal/log-batches.ts'

export interface MemoryLogOptions {
  readonly partition?: number
  /** Epoch of this owner. Default: the first. */
  readonly epoch?: number
  /** Schedules `done`. Default: a microtask. */
  readonly soon?: (run: () => void) => void
  /** Default: one batch a flush. */
  readonly largeRecordBytes?: number
}

export class MemoryLog implements DurableLog, LocalLogReader {
  readonly partition: number
  readonly epoch: number
  readonly largeRecordBytes: number
  readonly #soon: (run: () => void) => void
  readonly #batches: StoredBatch[] = []
  /** Epoch of the last batch. */
  #storedEpoch = 0
  #durableSequence = 0
  #closed = false

  constructor(options: MemoryLogOptions = {}) {
    this.partition = options.partition ?? 0
    this.epoch = options.epoch ?? FIRST_EPOCH
    this.largeRecordBytes = options.largeRecordBytes ?? Number.POSITIVE_INFINITY
    this.#soon = options.soon ?? queueMicrotask
  }

  get durableSequence(): number {
    return this.#durableSequence
  }

  append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    const state = {
      partition: this.partition,
      epoch: this.#storedEpoch,
      durableSequence: this.#durableSequence,
      closed: this.#closed,
      failure: null,
    }
    const refusal = refusalOf(batches[0], state)
    if (refusal !== null) {
      this.#soon(() => done(refusal))
      return
    }
    const stored = batches.map(({ expectedSequence, bytes }) => ({ firstSequence: expectedSequence, bytes: Uint8Array.from(bytes) }))
    this.#soon(() => {
      this.#storedEpoch = batches[0].epoch
      this.#batches.push(...stored)
      this.#durableSequence = throughOf(batches)
      done(null)
    })
  }

  async *read(fromSequence: number): AsyncGenerator<StoredBatch> {
    for (let at = Math.max(this.#indexHolding(fromSequence), 0); at < this.#batches.length; at++) yield this.#batches[at] as StoredBatch
  }

  batchAt(sequence: number): StoredBatch | null {
    if (sequence < 1 || sequence > this.#durableSequence) return null
    return this.#batches[this.#indexHolding(sequence)] ?? null
  }

  /** Removes the last batch, as a file system may after a crash. */
  dropLast(): void {
    assert(this.#batches.length > 0, 'there is a batch to drop')
    this.#batches.pop()
    const last = this.#batches[this.#batches.length - 1]
    this.#durableSequence = last === undefined ? 0 : lastSequenceOf(last)
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  /** Returns the index of the last batch that begins at or before `sequence`, -1 when there is none. */
  #indexHolding(sequence: number): number {
    let from = 0
    let to = this.#batches.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#batches[middle] as StoredBatch).firstSequence <= sequence) from = middle + 1
      else to = middle
    }
    return from - 1
  }
}
