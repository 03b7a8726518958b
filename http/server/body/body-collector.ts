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

/** Collects a body of several chunks. A body of one chunk is read in place. */
export class BodyCollector {
  readonly #maxBytes: number
  readonly #budget: BodyBudget
  readonly #owner: BodyOwner
  readonly #chunks: Buffer[] = []
  #sizeBytes = 0

  constructor(maxBytes: number, budget: BodyBudget, owner: BodyOwner) {
    this.#maxBytes = maxBytes
    this.#budget = budget
    this.#owner = owner
  }

  /** Copies the chunk if it fits. */
  add(chunk: ArrayBuffer): Collected {
    const sizeBytes = chunk.byteLength
    if (this.#sizeBytes + sizeBytes > this.#maxBytes) return 'too-large'
    if (!this.#budget.take(sizeBytes, this.#owner)) return 'no-room'
    if (sizeBytes === 0) return 'more'
    this.#sizeBytes += sizeBytes
    this.#chunks.push(Buffer.from(Buffer.from(chunk)))
    return 'more'
  }

  /** Returns the whole body and empties the collector. */
  take(): Buffer {
    const body = Buffer.concat(this.#chunks, this.#sizeBytes)
    this.drop()
    return body
  }

  /** Releases its share of the budget. Idempotent. */
  drop(): void {
    this.#budget.giveBack(this.#sizeBytes, this.#owner)
    this.#sizeBytes = 0
    this.#chunks.length = 0
  }
}
