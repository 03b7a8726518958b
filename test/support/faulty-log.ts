// A log for the simulator with the faults of a real disk: delays, failures and, at a crash, a lost, kept or torn
// unacknowledged batch. It must never lose an acknowledged batch, because no real disk is allowed to.

import { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type { BatchesToAppend, BatchToAppend, DurableLog, LocalLogReader, Scheduler, StoredBatch } from '../../engine/actor/ports.ts'
import { readHeader } from '../../engine/actor/record-codec.ts'
import { asBuffer } from '../../wal/lmdb-store.ts'
import { LogError } from '../../wal/log/log-error.ts'
import type { MemoryLog } from './memory-log.ts'

export interface Faults {
  /** Probability that an append fails, 0 to 1. */
  readonly appendFails: number
  /** Maximum duration of an append on the scheduler's clock. */
  readonly delayMaxMs: number
}

export interface FaultyLogOptions {
  /** Storage that survives a crash: pass it to the next FaultyLog. It must call `done` in a microtask. */
  readonly disk: MemoryLog
  readonly faults: Faults
  /** Seeded random number, from 0 to below 1. */
  readonly random: () => number
  readonly scheduler: Scheduler
  readonly nowMs: () => number
}

/** Effect of a crash on the append in progress. */
export type CrashOutcome = 'idle' | 'lost' | 'kept' | 'torn'

export const NO_FAULTS: Faults = { appendFails: 0, delayMaxMs: 0 }

export class FaultyLog implements DurableLog, LocalLogReader {
  readonly #options: FaultyLogOptions
  #pending: { readonly batches: BatchesToAppend; readonly cancel: () => void } | null = null
  #failure: LogError | null = null
  #crashed = false

  /** Opens the disk after a crash. Drops a torn batch at the end, as LMDB and PostgreSQL do. */
  constructor(options: FaultyLogOptions) {
    this.#options = options
    const { disk } = options
    const last = disk.batchAt(disk.durableSequence)
    if (last !== null && !isWhole(last)) disk.dropLast()
  }

  get partition(): number {
    return this.#options.disk.partition
  }

  get epoch(): number {
    return this.#options.disk.epoch
  }

  get largeRecordBytes(): number {
    return this.#options.disk.largeRecordBytes
  }

  get durableSequence(): number {
    return this.#options.disk.durableSequence
  }

  append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    const { faults, random, scheduler, nowMs } = this.#options
    const delayMs = Math.floor(random() * (faults.delayMaxMs + 1))
    const fails = random() < faults.appendFails
    const [first, ...others] = batches
    const owned: BatchesToAppend = [copyOf(first), ...others.map(copyOf)]
    const cancel = scheduler.at(nowMs() + delayMs, () => {
      this.#pending = null
      if (fails) this.#failure ??= new LogError('append_failed', 'Injected failure of the disk.')
      if (this.#failure === null) this.#options.disk.append(owned, (error) => this.#settle(error, done))
      else done(this.#failure)
    })
    this.#pending = { batches: owned, cancel }
  }

  read(fromSequence: number): AsyncIterable<StoredBatch> {
    return this.#options.disk.read(fromSequence)
  }

  batchAt(sequence: number): StoredBatch | null {
    return this.#options.disk.batchAt(sequence)
  }

  /** Simulates a power failure: no `done` is called any more. The disk keeps acknowledged batches and perhaps the pending ones. */
  async crash(): Promise<CrashOutcome> {
    this.#crashed = true
    const pending = this.#pending
    if (pending === null) return 'idle'
    this.#pending = null
    pending.cancel()
    const outcome = (['lost', 'kept', 'torn'] as const)[Math.floor(this.#options.random() * 3)] as CrashOutcome
    if (outcome !== 'lost' && this.#failure === null) await this.#leaveOnDisk(pending.batches, outcome === 'torn')
    return outcome
  }

  async close(): Promise<void> {
    this.#failure ??= new LogError('log_closed', 'The log is closed.')
  }

  #settle(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#crashed) done(error)
  }

  /** A torn flush keeps its first batches and a part of the next, which is harder than LMDB's all or none. */
  #leaveOnDisk([first, ...others]: BatchesToAppend, torn: boolean): Promise<void> {
    const { random, disk } = this.#options
    const whole = torn && others.length > 0 ? Math.floor(random() * (others.length + 1)) : others.length
    const left: BatchesToAppend = [first, ...others.slice(0, whole)]
    const last = left[left.length - 1] as BatchToAppend
    if (torn) last.bytes.fill(0, Math.floor(random() * last.bytes.length))
    return new Promise((resolve) => disk.append(left, () => resolve()))
  }
}

function copyOf(batch: BatchToAppend): BatchToAppend {
  return { ...batch, bytes: Uint8Array.from(batch.bytes) }
}

function isWhole(batch: StoredBatch): boolean {
  try {
    readHeader(asBuffer(batch.bytes))
    return true
  } catch (error) {
    if (error instanceof LogFormatError) return false
    throw error
  }
}
