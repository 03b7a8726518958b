// Collects the bytes of a request body. It enforces the route's maximum and the quotas of incomplete bodies. It must copy each
// chunk: the native layer frees the chunk's memory after the call.
import type { Quota, QuotaHolder, QuotaPart, Quotas, QuotaUse } from '../../../engine/kernel/quota.ts'
import { ADDRESS_BODIES, REQUEST_BODIES } from '../server-limits.ts'

/** Whose body it is. */
export interface BodyOwner {
  /** REQUEST_BODIES of an account, ADDRESS_BODIES of any other caller. */
  readonly quota: Quota
  readonly part: QuotaPart
  readonly holder: QuotaHolder
  readonly isProven: boolean
}

/** Memory of all incomplete bodies. */
export class BodyBudget {
  readonly #uses: ReadonlyMap<string, QuotaUse>

  constructor(quotas: Quotas) {
    this.#uses = new Map([REQUEST_BODIES, ADDRESS_BODIES].map((quota) => [quota.name, quotas.counted(quota)]))
  }

  get usedBytes(): number {
    return [...this.#uses.values()].reduce((bytes, { total }) => bytes + total, 0)
  }

  /** Returns false and takes nothing when there is no room for this caller. */
  take(sizeBytes: number, { quota, part, holder, isProven }: BodyOwner): boolean {
    const use = this.#use(quota)
    if (sizeBytes > 0 && !use.hasRoom(part, holder, isProven, sizeBytes - 1)) return false
    use.change(part, holder, sizeBytes)
    return true
  }

  giveBack(sizeBytes: number, { quota, part, holder }: BodyOwner): void {
    this.#use(quota).change(part, holder, -sizeBytes)
  }

  #use({ name }: Quota): QuotaUse {
    return this.#uses.get(name) as QuotaUse
  }
}

/** Result of adding a chunk. `too-large` and `no-room` end the collection. */
export type Collected = 'more' | 'too-large' | 'no-room'

const NO_BYTES = Buffer.alloc(0)
/** By how much the memory of a body exceeds what has come of it. Memory that is not written to takes no room. */
const GROWTH = 4

interface BodySize {
  /** Beyond, the body is too large. */
  readonly maxBytes: number
  /** Content-Length; `maxBytes` without one. */
  readonly declaredBytes: number
}

/**
 * Collects a body of several chunks in one piece of memory, so that no event-loop turn copies a body of 16 MiB. A body of one chunk is
 * read in place.
 */
export class BodyCollector {
  readonly #size: BodySize
  readonly #budget: BodyBudget
  readonly owner: BodyOwner
  #memory = NO_BYTES
  #sizeBytes = 0

  constructor(size: BodySize, budget: BodyBudget, owner: BodyOwner) {
    this.#size = size
    this.#budget = budget
    this.owner = owner
  }

  /** Copies the chunk if it fits. */
  add(chunk: ArrayBuffer): Collected {
    const sizeBytes = chunk.byteLength
    if (this.#sizeBytes + sizeBytes > this.#size.maxBytes) return 'too-large'
    if (!this.#budget.take(sizeBytes, this.owner)) return 'no-room'
    if (sizeBytes === 0) return 'more'
    this.#reserve(this.#sizeBytes + sizeBytes)
    this.#memory.set(new Uint8Array(chunk), this.#sizeBytes)
    this.#sizeBytes += sizeBytes
    return 'more'
  }

  /** Returns the whole body and empties the collector. */
  take(): Buffer {
    const body = this.#memory.subarray(0, this.#sizeBytes)
    this.drop()
    return body
  }

  #reserve(sizeBytes: number): void {
    if (sizeBytes <= this.#memory.byteLength) return
    const before = this.#memory
    this.#memory = Buffer.allocUnsafeSlow(Math.max(sizeBytes, Math.min(this.#size.declaredBytes, GROWTH * sizeBytes)))
    before.copy(this.#memory, 0, 0, this.#sizeBytes)
  }

  /** Releases its share of the budget. Idempotent. */
  drop(): void {
    this.#budget.giveBack(this.#sizeBytes, this.owner)
    this.#sizeBytes = 0
    this.#memory = NO_BYTES
  }
}
