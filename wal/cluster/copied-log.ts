// Log of an owner in a cluster: PostgreSQL acknowledges the batch, then the local copy takes it, then the engine is answered.
import type { BatchesToAppend, DurableLog, StoredBatch } from '../../engine/actor/ports.ts'
import { throughOf } from '../log/append-rule.ts'
import type { LocalCopy } from './local-copy.ts'

/** Receives what happens to appends. */
export interface AppendWatch {
  onBegin(): void
  /** Called before the engine is answered. `through` is the batch's last sequence; null when the append failed. */
  onEnd(through: number | null): void
  /** Called after the engine was answered, which may have begun the next append. */
  onAnswered(): void
}

export class CopiedLog implements DurableLog {
  readonly #log: DurableLog
  readonly #copy: LocalCopy
  readonly #watch: AppendWatch | null

  constructor(log: DurableLog, copy: LocalCopy, watch: AppendWatch | null = null) {
    this.#log = log
    this.#copy = copy
    this.#watch = watch
  }

  get partition(): number {
    return this.#log.partition
  }

  get epoch(): number {
    return this.#log.epoch
  }

  get largeRecordBytes(): number {
    return this.#log.largeRecordBytes
  }

  get durableSequence(): number {
    return this.#log.durableSequence
  }

  /** Waits for room in the copy, which bounds the memory of the owner when its disk is slow. */
  append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    const room = this.#copy.room()
    if (room === null) this.#append(batches, done)
    else void room.then(() => this.#append(batches, done))
  }

  read(fromSequence: number): AsyncIterable<StoredBatch> {
    return this.#log.read(fromSequence)
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  #append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    this.#watch?.onBegin()
    this.#log.append(batches, (error) => {
      if (error === null) {
        for (const { expectedSequence, epoch, recordCount, bytes } of batches) {
          this.#copy.put({ firstSequence: expectedSequence, epoch, recordCount, bytes })
        }
      }
      this.#watch?.onEnd(error === null ? throughOf(batches) : null)
      done(error)
      this.#watch?.onAnswered()
    })
  }
}
