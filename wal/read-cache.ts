// The last few batches that were read from the log: pages of history ask for neighbours. Bounded in number and bytes.
import type { StoredBatch } from '../engine/actor/ports.ts'
import { peekHeader } from '../engine/actor/record-codec.ts'
import { asBuffer } from './environment.ts'
import { READ_CACHE_BATCH_BYTES, READ_CACHE_BATCHES } from './limits.ts'

interface CachedBatch extends StoredBatch {
  readonly lastSequence: number
}

export class ReadCache {
  /** Latest first. */
  readonly #batches: CachedBatch[] = []

  get(sequence: number): StoredBatch | null {
    const batches = this.#batches
    for (let at = 0; at < batches.length; at++) {
      const batch = batches[at] as CachedBatch
      if (sequence < batch.firstSequence || sequence > batch.lastSequence) continue
      if (at > 0) {
        batches.splice(at, 1)
        batches.unshift(batch)
      }
      return batch
    }
    return null
  }

  /** Keeps the batch unless it is too large, and answers it when it holds `sequence`, else null. */
  keep(batch: StoredBatch, sequence: number): StoredBatch | null {
    const lastSequence = lastSequenceOf(batch)
    if (batch.bytes.length <= READ_CACHE_BATCH_BYTES) {
      this.#batches.unshift({ firstSequence: batch.firstSequence, bytes: batch.bytes, lastSequence })
      if (this.#batches.length > READ_CACHE_BATCHES) this.#batches.pop()
    }
    return sequence <= lastSequence ? batch : null
  }

  clear(): void {
    this.#batches.length = 0
  }
}

export function lastSequenceOf(batch: StoredBatch): number {
  return batch.firstSequence + peekHeader(asBuffer(batch.bytes)).recordCount - 1
}
