// The chain of the log's batches: each has its checksum, continues the sequence and names the hash of the batch before it.
import { LogFormatError } from './log-format-error.ts'
import type { StoredBatch } from './ports.ts'
import { GENESIS_HASH, hashBatch, readHeader } from './record-codec.ts'

export interface CheckedBatch {
  readonly bytes: Buffer
  readonly firstSequence: number
  /** Sequence of its last record. */
  readonly through: number
  readonly hash: string
}

export class BatchChain {
  readonly #from: number
  #before: { readonly through: number; readonly hash: string } | null

  /** The first batch is the one that holds `sequence`, or the first of the log for 0. */
  constructor(sequence: number) {
    this.#from = sequence
    this.#before = sequence === 0 ? { through: 0, hash: GENESIS_HASH } : null
  }

  /** Returns the next batch of the log. Throws LogFormatError when it is damaged or does not continue the one before. */
  next(batch: StoredBatch): CheckedBatch {
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength)
    const { firstSequence, recordCount, previousHash } = readHeader(bytes)
    if (firstSequence !== batch.firstSequence) throw brokenChain(batch.firstSequence)
    const before = this.#before
    const isNext = before === null ? firstSequence <= this.#from : firstSequence === before.through + 1 && previousHash === before.hash
    if (!isNext) throw brokenChain(firstSequence)
    const checked = { bytes, firstSequence, through: firstSequence + recordCount - 1, hash: hashBatch(bytes) }
    this.#before = checked
    return checked
  }
}

export function brokenChain(sequence: number): LogFormatError {
  return new LogFormatError(
    'chain_broken',
    `The log is not whole: the batch at sequence ${sequence} does not continue the one before it. Restore the data folder from a backup (npm run restore -- --help).`,
  )
}
