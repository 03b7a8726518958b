// Copies a log batch by batch and checks each against the chain of hashes. Source and target are ports, so a copy can convert one
// kind of log to another.
import type { LogReader, StoredBatch } from '../../engine/actor/ports.ts'
import { GENESIS_HASH, hashBatch, readHeader } from '../../engine/actor/record-codec.ts'
import { COPY_TRANSACTION_BYTES } from '../limits.ts'
import { asBuffer } from '../lmdb-store.ts'
import { lastSequenceOf } from '../log/log-batches.ts'

/** An empty log that accepts many batches in one transaction. */
export interface LogTarget {
  /** Resolves when all of them are on disk. */
  write(batches: readonly StoredBatch[]): Promise<void>
  close(): Promise<void>
}

/** Copies up to the end of the source when it was opened. Rejects for a damaged or missing batch or a broken chain. */
export async function copyLog(source: LogReader, target: LogTarget): Promise<void> {
  let gathered: StoredBatch[] = []
  let gatheredBytes = 0
  let before = { through: 0, hash: GENESIS_HASH }
  for await (const batch of source.read(1)) {
    const header = readHeader(asBuffer(batch.bytes))
    if (header.firstSequence !== before.through + 1 || header.previousHash !== before.hash) {
      throw new Error(`the batch at sequence ${header.firstSequence} does not continue the one before it`)
    }
    before = { through: lastSequenceOf(batch), hash: hashBatch(batch.bytes) }
    gathered.push(batch)
    gatheredBytes += batch.bytes.length
    if (gatheredBytes < COPY_TRANSACTION_BYTES) continue
    await target.write(gathered)
    gathered = []
    gatheredBytes = 0
  }
  await target.write(gathered)
  if (before.through !== source.durableSequence)
    throw new Error(`it ends at sequence ${source.durableSequence}, but only ${before.through} could be reached`)
}
