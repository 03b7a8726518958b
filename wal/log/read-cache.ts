// Cache of the last batches that were read from the log: pages of history read neighbours. It reuses its buffers, because new
// memory costs more than the read (46 µs against 15 µs for a batch of 80 KB). A large batch is copied when it is read again: a page by
// reference reads one payout from each of twenty.
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { READ_CACHE_BATCH_BYTES, READ_CACHE_BATCHES, READ_ONCE_BYTES } from '../limits.ts'
import { lastSequenceOf } from '../log-batches.ts'

interface Slot extends StoredBatch {
  readonly lastSequence: number
  /** Reused buffer; `bytes` is its start. */
  readonly room: Buffer
}

export class ReadCache {
  /** Most recently used first. */
  readonly #slots: Slot[] = []
  /** First sequence of the large batch that was returned uncached last. */
  #returnedLast = 0

  get(sequence: number): StoredBatch | null {
    const slots = this.#slots
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] as Slot
      if (sequence < slot.firstSequence || sequence > slot.lastSequence) continue
      if (at > 0) {
        slots.splice(at, 1)
        slots.unshift(slot)
      }
      return slot
    }
    return null
  }

  /** Returns the batch and caches it unless it is too large, or large and read for the first time. Later reads overwrite its bytes. */
  put(firstSequence: number, seen: Uint8Array): StoredBatch {
    if (seen.length > READ_ONCE_BYTES && this.#returnedLast !== firstSequence) {
      this.#returnedLast = firstSequence
      return { firstSequence, bytes: Buffer.from(seen.buffer, seen.byteOffset, seen.length) }
    }
    const isLarge = seen.length > READ_CACHE_BATCH_BYTES
    const oldest = !isLarge && this.#slots.length === READ_CACHE_BATCHES ? this.#slots.pop() : undefined
    const room = oldest !== undefined && oldest.room.length >= seen.length ? oldest.room : Buffer.allocUnsafeSlow(roomFor(seen.length))
    // lmdb's buffer overrides `length`, which `set` ignores.
    room.set(new Uint8Array(seen.buffer, seen.byteOffset, seen.length))
    const batch = { firstSequence, bytes: room.subarray(0, seen.length) }
    if (!isLarge) this.#slots.unshift({ ...batch, lastSequence: lastSequenceOf(batch), room })
    return batch
  }

  clear(): void {
    this.#slots.length = 0
  }
}

/** Returns the next power of two, so that a slot is soon large enough for any batch. */
function roomFor(sizeBytes: number): number {
  return sizeBytes > READ_CACHE_BATCH_BYTES ? sizeBytes : 2 ** Math.ceil(Math.log2(Math.max(sizeBytes, 4096)))
}
