// Reads batches from a log's store, for the log, the checks and the backup. Never writes.
import type { StoredBatch } from '../engine/actor/ports.ts'
import { peekHeader } from '../engine/actor/record-codec.ts'
import { READ_SLICE_BYTES } from './limits.ts'
import { asBuffer, type LmdbStore } from './lmdb-store.ts'

/** Smallest sequence. Keys below it are not batches. */
const FIRST_SEQUENCE = 1

export function lastBatch(store: LmdbStore): StoredBatch | null {
  return batchHolding(store, Number.MAX_SAFE_INTEGER)
}

/** Returns the batch with the largest first sequence that is not above `sequence`. The caller owns its bytes. */
export function batchHolding(store: LmdbStore, sequence: number): StoredBatch | null {
  const firstSequence = keyHolding(store, sequence)
  const bytes = firstSequence === null ? undefined : store.get(firstSequence)
  return firstSequence === null || bytes === undefined ? null : { firstSequence, bytes }
}

/** Returns the largest first sequence that is not above `sequence`. */
export function keyHolding(store: LmdbStore, sequence: number): number | null {
  const range = { start: sequence, end: FIRST_SEQUENCE, inclusiveEnd: true, reverse: true, limit: 1 }
  for (const key of store.getKeys(range)) return key as number
  return null
}

export function lastSequenceOf(batch: StoredBatch): number {
  return batch.firstSequence + peekHeader(asBuffer(batch.bytes)).recordCount - 1
}

/**
 * Yields batches from the one that holds `fromSequence` on. Yields to the event loop after READ_SLICE_BYTES. Each slice has
 * its own read transaction, because a long one prevents a running server from reusing pages.
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
