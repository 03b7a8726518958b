// A log for the simulator that behaves as badly as a disk may: late, failing, and at a crash losing, keeping or tearing
// the batch that was not yet acknowledged. It must never lose an acknowledged one, or the simulator would find bugs of ours alone.

import { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type { BatchToAppend, DurableLog, LocalLogReader, Scheduler, StoredBatch } from '../../engine/actor/ports.ts'
import { readHeader } from '../../engine/actor/record-codec.ts'
import { asBuffer } from '../lmdb-store.ts'
import { LogError } from './log-error.ts'
import type { MemoryLog } from './memory-log.ts'

export interface Faults {
  /** Chance that an append fails, 0 to 1. */
  readonly appendFails: number
  /** An append takes up to this long by the scheduler's clock. */
  readonly delayMaxMs: number
}

export interface FaultyLogOptions {
  /** What survives: pass it on to the next FaultyLog after a crash. Its own `done` must come in a microtask. */
  readonly disk: MemoryLog
  readonly faults: Faults
  /** Seeded; 0 up to but not including 1. */
  readonly random: () => number
  readonly scheduler: Scheduler
  readonly nowMs: () => number
}

/** What a crash did to the append that was under way. */
export type CrashOutcome = 'idle' | 'lost' | 'kept' | 'torn'

export const NO_FAULTS: Faults = { appendFails: 0, delayMaxMs: 0 }

export class FaultyLog implements DurableLog, LocalLogReader {
  readonly #options: FaultyLogOptions
  #pending: { readonly batch: BatchToAppend; readonly cancel: () => void } | null = null
  #failure: LogError | null = null
  #crashed = false

  /** Opens the disk as it was left: a torn batch at the end is dropped, as LMDB's and PostgreSQL's commits do. */
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

  get durableSequence(): number {
    return this.#options.disk.durableSequence
  }

  append(batch: BatchToAppend, done: (error: Error | null) => void): void {
    const { faults, random, scheduler, nowMs } = this.#options
    const delayMs = Math.floor(random() * (faults.delayMaxMs + 1))
    const fails = random() < faults.appendFails
    const owned = { ...batch, bytes: Uint8Array.from(batch.bytes) }
    const cancel = scheduler.at(nowMs() + delayMs, () => {
      this.#pending = null
      if (fails) this.#failure ??= new LogError('append_failed', 'The disk failed, as it was told to.')
      if (this.#failure === null) this.#options.disk.append(owned, (error) => this.#settle(error, done))
      else done(this.#failure)
    })
    this.#pending = { batch: owned, cancel }
  }

  read(fromSequence: number): AsyncIterable<StoredBatch> {
    return this.#options.disk.read(fromSequence)
  }

  batchAt(sequence: number): StoredBatch | null {
    return this.#options.disk.batchAt(sequence)
  }

  /** Cuts the power: no `done` comes any more. The disk keeps what was acknowledged, and perhaps what was not. */
  async crash(): Promise<CrashOutcome> {
    this.#crashed = true
    const pending = this.#pending
    if (pending === null) return 'idle'
    this.#pending = null
    pending.cancel()
    const outcome = (['lost', 'kept', 'torn'] as const)[Math.floor(this.#options.random() * 3)] as CrashOutcome
    if (outcome !== 'lost' && this.#failure === null) await this.#leaveOnDisk(pending.batch, outcome === 'torn')
    return outcome
  }

  async close(): Promise<void> {
    this.#failure ??= new LogError('log_closed', 'The log is closed.')
  }

  #settle(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#crashed) done(error)
  }

  #leaveOnDisk(batch: BatchToAppend, torn: boolean): Promise<void> {
    const keepBytes = torn ? Math.floor(this.#options.random() * batch.bytes.length) : batch.bytes.length
    const bytes = Uint8Array.from(batch.bytes)
    bytes.fill(0, keepBytes)
    return new Promise((resolve) => this.#options.disk.append({ ...batch, bytes }, () => resolve()))
  }
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
