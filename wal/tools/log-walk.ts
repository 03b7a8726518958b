// Verifies the whole log: checksums, chain of hashes, sequences, times and postings. Read-only. The log may be in use: it is checked
// up to its end at the start.

import { findingOf, isOtherFormat } from '../../engine/actor/log-format-error.ts'
import type { LogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { decodeBatch, GENESIS_HASH, hashBatch, readHeader } from '../../engine/actor/record-codec.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import { ENVIRONMENTS, type Environment } from '../../engine/kernel/environment.ts'
import { WALK_PROGRESS_BATCHES } from '../limits.ts'
import { asBuffer } from '../lmdb-store.ts'
import { LedgerAudit, type LedgerFigures } from './ledger-audit.ts'

export interface LogReport {
  readonly batches: number
  readonly records: number
  readonly events: number
  readonly sizeBytes: number
  readonly lastSequence: number
  readonly firstTimeMs: number
  readonly lastTimeMs: number
  readonly lastHash: string
  readonly ledger: Readonly<Record<Environment, LedgerFigures>>
  /** First error, where the verification ends. Null for a sound log. */
  readonly fault: string | null
  /** True: the fault is the format of another release, whole sentence, and no damage. */
  readonly isOtherFormat: boolean
}

export interface LogWalkListener {
  /** Called for each record that continues the log. */
  onRecord?(record: LogRecord): void
  onProgress?(throughSequence: number): void
}

export async function walkLog(log: LogReader, listener: LogWalkListener = {}): Promise<LogReport> {
  const through = log.durableSequence
  const walk = new Walk(listener)
  try {
    for await (const batch of log.read(1)) {
      if (batch.firstSequence > through || !walk.take(batch)) break
    }
  } catch (error) {
    walk.stopReading(error)
  }
  return walk.report(through)
}

class Walk {
  readonly #listener: LogWalkListener
  readonly #audit = new LedgerAudit()
  #batches = 0
  #records = 0
  #events = 0
  #sizeBytes = 0
  #lastSequence = 0
  #firstTimeMs = 0
  #lastTimeMs = 0
  #lastHash: string = GENESIS_HASH
  #fault: string | null = null
  #isOtherFormat = false

  constructor(listener: LogWalkListener) {
    this.#listener = listener
  }

  /** Checks one batch. Returns false if it is not sound. */
  take(batch: StoredBatch): boolean {
    try {
      this.#fault = this.#takeBatch(batch)
    } catch (error) {
      this.#isOtherFormat = isOtherFormat(error)
      this.#fault = this.#isOtherFormat
        ? findingOf(error)
        : `the batch at sequence ${batch.firstSequence} cannot be read: ${findingOf(error)}`
    }
    return this.#fault === null
  }

  /** Takes the error that ended the reading. */
  stopReading(error: unknown): void {
    this.#fault = `${findingOf(error)}, after sequence ${this.#lastSequence}`
  }

  report(throughSequence: number): LogReport {
    const ledger = Object.fromEntries(ENVIRONMENTS.map((name) => [name, this.#audit.figures(name)])) as LogReport['ledger']
    return {
      batches: this.#batches,
      records: this.#records,
      events: this.#events,
      sizeBytes: this.#sizeBytes,
      lastSequence: this.#lastSequence,
      firstTimeMs: this.#firstTimeMs,
      lastTimeMs: this.#lastTimeMs,
      lastHash: this.#lastHash,
      ledger,
      fault: this.#fault ?? this.#endFault(throughSequence, ledger),
      isOtherFormat: this.#isOtherFormat,
    }
  }

  #takeBatch(batch: StoredBatch): string | null {
    const bytes = asBuffer(batch.bytes)
    const header = readHeader(bytes)
    if (header.firstSequence !== batch.firstSequence)
      return `the batch of sequence ${header.firstSequence} is stored at ${batch.firstSequence}`
    if (header.firstSequence !== this.#lastSequence + 1) return `sequence ${this.#lastSequence + 1} is missing`
    if (header.previousHash !== this.#lastHash) return `the batch at sequence ${header.firstSequence} does not continue the one before it`
    const records = decodeBatch(bytes)
    if (records.length !== header.recordCount)
      return `the batch at sequence ${header.firstSequence} holds ${records.length} records, not ${header.recordCount}`
    for (const record of records) {
      const fault = this.#takeRecord(record)
      if (fault !== null) return fault
    }
    this.#lastHash = hashBatch(bytes)
    this.#sizeBytes += bytes.length
    if (++this.#batches % WALK_PROGRESS_BATCHES === 0) this.#listener.onProgress?.(this.#lastSequence)
    return null
  }

  #takeRecord(record: LogRecord): string | null {
    if (record.timeMs < this.#lastTimeMs) return `the time of sequence ${record.sequence} is before that of the record before it`
    const fault = this.#audit.add(record)
    if (fault !== null) return fault
    if (this.#records === 0) this.#firstTimeMs = record.timeMs
    this.#records++
    this.#events += record.events.length
    this.#lastSequence = record.sequence
    this.#lastTimeMs = record.timeMs
    this.#listener.onRecord?.(record)
    return null
  }

  #endFault(throughSequence: number, ledger: LogReport['ledger']): string | null {
    if (this.#lastSequence < throughSequence)
      return `the log ends at sequence ${throughSequence}, but only ${this.#lastSequence} could be reached`
    const unbalanced = ENVIRONMENTS.find((name) => ledger[name].sum !== 0)
    return unbalanced === undefined ? null : `the balances of ${unbalanced} sum to ${ledger[unbalanced].sum}, not to zero`
  }
}
