// Copies a log batch by batch and checks each against the chain of hashes. Source and target are ports, so a copy can convert one
// kind of log to another, and continues an interrupted copy.
import type { LogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { hashBatch, readHeader } from '../../engine/actor/record-codec.ts'
import { COPY_TRANSACTION_BYTES } from '../limits.ts'
import { asBuffer } from '../lmdb-store.ts'
import { lastSequenceOf } from '../log-batches.ts'

/** A log that accepts many batches in one transaction. */
export interface LogTarget {
  /** Last sequence and hash of its last batch. */
  readonly end: { readonly lastSequence: number; readonly lastHash: string }
  /** Resolves when all of them are stored. */
  write(batches: readonly StoredBatch[]): Promise<void>
  close(): Promise<void>
}

export interface CopyFigures {
  /** Sequence at which the copy started, 0 for a new one. */
  readonly fromSequence: number
  readonly batches: number
  readonly sizeBytes: number
  readonly lastSequence: number
  readonly lastHash: string
}

/**
 * Copies up to the end of the source when it was opened. Rejects for a damaged or missing batch, a broken chain, and a target that
 * does not hold the beginning of the source.
 */
export async function copyLog(source: LogReader, target: LogTarget, onProgress: (throughSequence: number) => void): Promise<CopyFigures> {
  const start = target.end
  if (start.lastSequence > source.durableSequence) throw differs(start.lastSequence)
  const copy = new Copy(target, start.lastSequence, start.lastHash)
  for await (const batch of source.read(Math.max(start.lastSequence, 1))) {
    if (lastSequenceOf(batch) <= start.lastSequence) {
      if (hashBatch(batch.bytes) !== start.lastHash) throw differs(start.lastSequence)
      continue
    }
    if (await copy.add(batch)) onProgress(target.end.lastSequence)
  }
  await copy.flush()
  const { through, hash, batches, sizeBytes } = copy
  if (through !== source.durableSequence)
    throw new Error(`it ends at sequence ${source.durableSequence}, but only ${through} could be reached`)
  return { fromSequence: start.lastSequence, batches, sizeBytes, lastSequence: through, lastHash: hash }
}

class Copy {
  readonly #target: LogTarget
  #gathered: StoredBatch[] = []
  #gatheredBytes = 0
  through: number
  hash: string
  batches = 0
  sizeBytes = 0

  constructor(target: LogTarget, through: number, hash: string) {
    this.#target = target
    this.through = through
    this.hash = hash
  }

  /** Takes the next batch. Resolves with whether batches were written. */
  async add(batch: StoredBatch): Promise<boolean> {
    const header = readHeader(asBuffer(batch.bytes))
    if (header.firstSequence !== batch.firstSequence || header.firstSequence !== this.through + 1 || header.previousHash !== this.hash) {
      throw new Error(`the batch at sequence ${batch.firstSequence} does not continue the one before it`)
    }
    this.through = lastSequenceOf(batch)
    this.hash = hashBatch(batch.bytes)
    this.batches++
    this.sizeBytes += batch.bytes.length
    this.#gathered.push(batch)
    this.#gatheredBytes += batch.bytes.length
    if (this.#gatheredBytes < COPY_TRANSACTION_BYTES) return false
    await this.flush()
    return true
  }

  async flush(): Promise<void> {
    await this.#target.write(this.#gathered)
    this.#gathered = []
    this.#gatheredBytes = 0
  }
}

function differs(sequence: number): Error {
  return new Error(`the target holds another batch at sequence ${sequence}: name an empty target`)
}
