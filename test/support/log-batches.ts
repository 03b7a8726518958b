// Makes batches as the engine would: chained, numbered, with balances that follow from each other.

import { BatchEncoder } from '../../engine/actor/batch-encoder.ts'
import type { BatchesToAppend, BatchToAppend, DurableLog, LocalLogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { GENESIS_HASH } from '../../engine/actor/record-codec.ts'
import type { LogRecord } from '../../engine/domain/record.ts'

export const FIRST_TIME_MS = 1_790_000_000_000
const ACCOUNTS = 8
/** Of records, where their usual size is between 300 and 1 500 bytes: flushes of several commands have several batches. */
export const SIM_LARGE_RECORD_BYTES = 700

export class BatchSource {
  readonly #encoder = new BatchEncoder()
  readonly #balances = new Float64Array(ACCOUNTS)
  #sequence = 0
  #hash: string = GENESIS_HASH

  /** A source that goes on after `lastSequence`: what a record holds depends on its sequence alone. */
  static after(lastSequence: number, hash: string): BatchSource {
    const source = new BatchSource()
    while (source.#sequence < lastSequence) source.#record(++source.#sequence, 1)
    source.#hash = hash
    return source
  }

  get lastSequence(): number {
    return this.#sequence
  }

  /** Hash of the last batch. */
  get hash(): string {
    return this.#hash
  }

  next(recordCount: number, textBytes = 20): BatchToAppend {
    const expectedSequence = this.#sequence + 1
    for (let index = 0; index < recordCount; index++) this.#encoder.add(this.#record(++this.#sequence, textBytes))
    const { bytes, hash } = this.#encoder.finish(this.#hash)
    this.#encoder.reset()
    this.#hash = hash
    return { partition: 0, epoch: 1, expectedSequence, recordCount, bytes }
  }

  #record(sequence: number, textBytes: number): LogRecord {
    const debit = sequence % 3 === 0 ? 1 + (sequence % (ACCOUNTS - 1)) : 0
    const credit = (debit + 1 + (sequence % (ACCOUNTS - 1))) % ACCOUNTS
    const amount = 1 + (sequence % 7)
    this.#balances[debit] = (this.#balances[debit] as number) - amount
    this.#balances[credit] = (this.#balances[credit] as number) + amount
    const posting = {
      debit,
      credit,
      amount,
      debitBalance: this.#balances[debit] as number,
      creditBalance: this.#balances[credit] as number,
    }
    return {
      sequence,
      timeMs: FIRST_TIME_MS + sequence,
      command: 'CreateDeposit',
      environment: 'live',
      transactions: [{ id: `t-${sequence}`, type: 'deposit', currency: 'XOF', reference: '', eventIndex: 0, postings: [posting] }],
      events: [{ type: 'deposit.made', version: 1, account: credit, text: JSON.stringify({ note: 'x'.repeat(textBytes) }), payload: null }],
      frames: [],
      idempotency: { scope: 'operator', key: `k-${sequence}`, fingerprint: 'f', kind: 'created', body: 0 },
    }
  }
}

/** Resolves with the argument of `done`. */
export function appendAll(log: DurableLog, batches: BatchesToAppend): Promise<Error | null> {
  return new Promise((resolve) => log.append(batches, resolve))
}

/** Appends a flush of one batch. */
export function append(log: DurableLog, batch: BatchToAppend): Promise<Error | null> {
  return appendAll(log, [batch])
}

/** Appends and fails the test when the log refuses. */
export async function mustAppend(log: DurableLog, ...batches: BatchesToAppend): Promise<void> {
  const error = await appendAll(log, batches)
  if (error !== null) throw error
}

/** First sequences of everything that `read` yields. */
export async function firstSequences(log: DurableLog, from: number): Promise<number[]> {
  const found: number[] = []
  for await (const batch of log.read(from)) found.push(batch.firstSequence)
  return found
}

/** The batch that holds the sequence, read as the log allows: a log on another machine has no synchronous reads. */
export async function batchHolding(log: DurableLog & Partial<LocalLogReader>, sequence: number): Promise<StoredBatch | null> {
  if (log.batchAt !== undefined) return log.batchAt(sequence)
  if (sequence < 1 || sequence > log.durableSequence) return null
  for await (const batch of log.read(sequence)) return batch
  return null
}
