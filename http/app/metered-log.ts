// Log decorator that measures each flush: records and duration. It reads the clock twice per flush, which holds
// hundreds of payouts. It must not change what it passes on.
import type { BatchesToAppend, DurableLog, StoredBatch } from '../../engine/actor/ports.ts'
import { RecentTimes } from '../server/recent-times.ts'
import { Tally } from '../server/tally.ts'

const FLUSH_BOUNDS_MS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 25, 50, 100, 250, 1000, 5000] as const
const BATCH_BOUNDS_RECORDS = [1, 4, 16, 64, 128, 256, 512, 1024, 2048, 4096] as const

export class MeteredLog implements DurableLog {
  readonly flushesMs = new Tally(FLUSH_BOUNDS_MS)
  readonly batchRecords = new Tally(BATCH_BOUNDS_RECORDS)
  /** The last flushes, for percentiles of now. */
  readonly recent = new RecentTimes()
  #log: DurableLog
  /** Start of the running append; null without one. There is at most one (see the port). */
  #appendingSinceMs: number | null = null

  constructor(log: DurableLog) {
    this.#log = log
  }

  /** Switches to another log: a follower measures its copy until it owns the log. */
  use(log: DurableLog): void {
    this.#log = log
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

  /** Returns the age of the running append; 0 without one. */
  get oldestAppendMs(): number {
    return this.#appendingSinceMs === null ? 0 : performance.now() - this.#appendingSinceMs
  }

  append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    const startedMs = performance.now()
    this.#appendingSinceMs = startedMs
    this.#log.append(batches, (error) => {
      this.#appendingSinceMs = null
      const durationMs = performance.now() - startedMs
      this.flushesMs.add(durationMs)
      this.recent.add(durationMs)
      this.batchRecords.add(batches.reduce((sum, { recordCount }) => sum + recordCount, 0))
      done(error)
    })
  }

  read(fromSequence: number): AsyncIterable<StoredBatch> {
    return this.#log.read(fromSequence)
  }

  close(): Promise<void> {
    return this.#log.close()
  }
}
