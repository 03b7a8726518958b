// Copies a log into a new environment, in a process of its own. argv: from, to. Prints one line of JSON: what went wrong, or
// null. Stops where the log ended when it began.
import { writeSync } from 'node:fs'
import type { StoredBatch } from '../engine/actor/ports.ts'
import { GENESIS_HASH, hashBatch, readHeader } from '../engine/actor/record-codec.ts'
import { asBuffer, type Environment, openEnvironment } from './environment.ts'
import { COPY_TRANSACTION_BYTES, LOG_MAP_BYTES } from './limits.ts'
import { createLog } from './lmdb-log.ts'
import { batchesFrom, lastBatch, lastSequenceOf } from './log-batches.ts'
import { readLogMeta } from './log-meta.ts'

const [from, to] = process.argv.slice(2) as [string, string]

let fault: string | null = null
try {
  await copy()
} catch (error) {
  fault = (error as Error).message
}
writeSync(1, `${JSON.stringify({ fault })}\n`)

async function copy(): Promise<void> {
  const source = openEnvironment({ path: from, mapBytes: LOG_MAP_BYTES, readOnly: true })
  const meta = readLogMeta(source)
  if (meta === null) throw new Error('its first entry is missing')
  await createLog(to, meta)
  const target = openEnvironment({ path: to, mapBytes: LOG_MAP_BYTES })
  const last = lastBatch(source)
  await copyBatches(source, target, last === null ? 0 : lastSequenceOf(last))
  await target.close()
  await source.close()
}

async function copyBatches(source: Environment, target: Environment, throughSequence: number): Promise<void> {
  let gathered: StoredBatch[] = []
  let gatheredBytes = 0
  let before = { through: 0, hash: GENESIS_HASH }
  for await (const batch of batchesFrom(source, 1)) {
    if (batch.firstSequence > throughSequence) break
    const header = readHeader(asBuffer(batch.bytes))
    if (header.firstSequence !== before.through + 1 || header.previousHash !== before.hash) {
      throw new Error(`the batch at sequence ${header.firstSequence} does not continue the one before it`)
    }
    before = { through: lastSequenceOf(batch), hash: hashBatch(batch.bytes) }
    gathered.push(batch)
    gatheredBytes += batch.bytes.length
    if (gatheredBytes < COPY_TRANSACTION_BYTES) continue
    write(target, gathered)
    gathered = []
    gatheredBytes = 0
  }
  write(target, gathered)
  if (before.through !== throughSequence)
    throw new Error(`it ends at sequence ${throughSequence}, but only ${before.through} could be reached`)
}

function write(target: Environment, batches: readonly StoredBatch[]): void {
  target.transactionSync(() => {
    for (const { firstSequence, bytes } of batches) void target.put(firstSequence, bytes, { append: true })
  })
}
