// Indexes records of the log that the index lacks, for the archive's thread. It uses the same code as the turn, so the index is the same.
import type { NounRegistry } from '../domain/noun-registry.ts'
import { REGISTRY } from '../domain/registry.ts'
import { BatchChain } from './batch-chain.ts'
import { History } from './history.ts'
import type { Archive, LocalLogReader, StoredBatch } from './ports.ts'
import { peekHeader } from './record-codec.ts'

export interface LogIndexParts {
  readonly log: LocalLogReader
  /** Takes segments at once: `done` is called before `addSegment` returns. */
  readonly archive: Archive
  /** Batches through this sequence are checked here. Recovery checks later ones itself. */
  readonly checkThrough: number
}

/** Takes the batches of the log in order, from the one that holds `archive.indexedThrough` on. */
export class LogIndexer {
  readonly #history: History
  readonly #chain: BatchChain
  readonly #indexedThrough: number
  readonly #checkThrough: number

  constructor({ log, archive, checkThrough }: LogIndexParts, registry: NounRegistry = REGISTRY) {
    this.#checkThrough = checkThrough
    this.#indexedThrough = archive.indexedThrough
    this.#chain = new BatchChain(archive.indexedThrough)
    this.#history = new History(log, archive, rethrow, registry)
  }

  /** Throws LogFormatError when the batch is damaged or does not continue the one before. */
  add(batch: StoredBatch): void {
    if (batch.firstSequence <= this.#checkThrough) this.#chain.next(batch)
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength)
    const header = peekHeader(bytes)
    const through = header.firstSequence + header.recordCount - 1
    for (let sequence = Math.max(this.#indexedThrough + 1, header.firstSequence); sequence <= through; sequence++)
      this.#history.addStored(bytes, sequence, header)
    this.#history.durable(0)
  }

  /** Stores what is left. */
  end(): void {
    this.#history.sealAll()
  }
}

function rethrow(error: Error): never {
  throw error
}
