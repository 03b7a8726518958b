// Reading batches from a log's store; shared by the log, the checks and the backup. Never writes.
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { peekHeader } from '../../engine/actor/record-codec.ts'
import { READ_SLICE_BYTES } from '../limits.ts'
import { asBuffer, type LmdbStore } from '../lmdb-store.ts'

/** The smallest sequence; keys below it are not batches. */
const FIRST_SEQUENCE = 1

export function lastBatch(store: LmdbStore): StoredBatch | null {
  return batchHolding(store, Number.MAX_SAFE_INTEGER)
}

/** The batch with the largest first sequence that is not above `sequence`; its bytes are the caller's. */
export function batchHolding(store: LmdbStore, sequence: number): StoredBatch | null {
  const firstSequence = keyHolding(store, sequence)
  const bytes = firstSequence === null ? undefined : store.get(firstSequence)
  return firstSequence === null || bytes === undefined ? null : { firstSequence, bytes }
}

/** The largest first sequence that is not above `sequence`. */
export function keyHolding(store: LmdbStore, sequence: number): number | null {
  const range = { start: sequence, end: FIRST_SEQUENCE, inclusiveEnd: true, reverse: true, limit: 1 }
  for (const key of store.getKeys(range)) return key as number
  return null
}

export function lastSequenceOf(batch: StoredBatch): number {
  return batch.firstSequence + peekHeader(asBuffer(batch.bytes)).recordCount - 1
}

/**
 * Batches from the one that holds `fromSequence` on. Lets the loop turn after READ_SLICE_BYTES; each slice has a read
 * transaction of its own, so a long walk does not keep a running server from reusing pages.
 */
export async function* batchesFrom(store: LmdbStore, fromSequence: number): AsyncGenerator<StoredBatch> {
  let start = batchHolding(store, fromSequence)?.firstSequence ?? FIRST_SEQUENCE
  for (;;) {
    const slice = sliceFrom(store, start)
    const last = slice[slice.length - 1]
    if (last === undefined) return
    yield* slice
    start = last.firstSequence + 1
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

function sliceFrom(store: LmdbStore, start: number): StoredBatch[] {
  const slice: StoredBatch[] = []
  let sizeBytes = 0
  for (const { key, value } of store.getRange({ start })) {
    slice.push({ firstSequence: key as number, bytes: value })
    sizeBytes += value.length
    if (sizeBytes >= READ_SLICE_BYTES) break
  }
  return slice
}
