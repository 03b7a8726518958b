// Collects the bytes of a request body. It enforces the route's maximum and the shared budget of all incomplete
// bodies. It must copy each chunk: the native layer frees the chunk's memory after the call.
import type { AccountNumber } from '../../../engine/api.ts'

export interface BodyMaxima {
  readonly bodiesBytesMax: number
  readonly strangersBodiesBytesMax: number
  readonly callerBodiesBytesMax: number
  readonly strangerBodiesBytesMax: number
}

export interface BodyOwner {
  /** Account, or address of a caller that is not authenticated; empty where neither is known. */
  readonly name: AccountNumber | string
  readonly isStranger: boolean
}

/**
 * Memory budget of all incomplete bodies. Unauthenticated callers may use a part of it, so that known callers have
 * room left. Each caller has a share.
 */
export class BodyBudget {
  readonly #maxima: BodyMaxima
  readonly #byOwner = new Map<AccountNumber | string, number>()
  #usedBytes = 0
  #strangersBytes = 0

  constructor(maxima: BodyMaxima) {
    this.#maxima = maxima
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Returns false and takes nothing when there is no room for this caller. */
  take(sizeBytes: number, { name, isStranger }: BodyOwner): boolean {
    const { bodiesBytesMax, strangersBodiesBytesMax, callerBodiesBytesMax, strangerBodiesBytesMax } = this.#maxima
    const ownBytes = (this.#byOwner.get(name) ?? 0) + sizeBytes
    if (this.#usedBytes + sizeBytes > bodiesBytesMax) return false
    if (name !== '' && ownBytes > (isStranger ? strangerBodiesBytesMax : callerBodiesBytesMax)) return false
    if (isStranger && this.#strangersBytes + sizeBytes > strangersBodiesBytesMax) return false
    this.#byOwner.set(name, ownBytes)
    this.#usedBytes += sizeBytes
    if (isStranger) this.#strangersBytes += sizeBytes
    return true
  }

  giveBack(sizeBytes: number, { name, isStranger }: BodyOwner): void {
    const ownBytes = (this.#byOwner.get(name) ?? 0) - sizeBytes
    if (ownBytes > 0) this.#byOwner.set(name, ownBytes)
    else this.#byOwner.delete(name)
    this.#usedBytes -= sizeBytes
    if (isStranger) this.#strangersBytes -= sizeBytes
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
  readonly #owner: BodyOwner
  #memory = NO_BYTES
  #sizeBytes = 0

  constructor(size: BodySize, budget: BodyBudget, owner: BodyOwner) {
    this.#size = size
    this.#budget = budget
    this.#owner = owner
  }

  /** Copies the chunk if it fits. */
  add(chunk: ArrayBuffer): Collected {
    const sizeBytes = chunk.byteLength
    if (this.#sizeBytes + sizeBytes > this.#size.maxBytes) return 'too-large'
    if (!this.#budget.take(sizeBytes, this.#owner)) return 'no-room'
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
    this.#budget.giveBack(this.#sizeBytes, this.#owner)
    this.#sizeBytes = 0
    this.#memory = NO_BYTES
  }
}
