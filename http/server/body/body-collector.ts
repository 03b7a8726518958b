// Collects the bytes of a request body. It enforces the route's maximum and the shared budget of all incomplete
// bodies. It must copy each chunk: the native layer frees the chunk's memory after the call.

/**
 * Memory budget of all incomplete bodies. Unauthenticated callers may use a part of it, so that known callers have
 * room left.
 */
export class BodyBudget {
  readonly #maxBytes: number
  readonly #strangersMaxBytes: number
  #usedBytes = 0
  #strangersBytes = 0

  constructor(maxBytes: number, strangersMaxBytes: number) {
    this.#maxBytes = maxBytes
    this.#strangersMaxBytes = strangersMaxBytes
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Returns false and takes nothing when there is no room. */
  take(sizeBytes: number, isStranger: boolean): boolean {
    if (this.#usedBytes + sizeBytes > this.#maxBytes) return false
    if (isStranger) {
      if (this.#strangersBytes + sizeBytes > this.#strangersMaxBytes) return false
      this.#strangersBytes += sizeBytes
    }
    this.#usedBytes += sizeBytes
    return true
  }

  giveBack(sizeBytes: number, isStranger: boolean): void {
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
  readonly #isStranger: boolean
  readonly #chunks: Buffer[] = []
  #sizeBytes = 0

  constructor(maxBytes: number, budget: BodyBudget, isStranger: boolean) {
    this.#maxBytes = maxBytes
    this.#budget = budget
    this.#isStranger = isStranger
  }

  /** Copies the chunk if it fits. */
  add(chunk: ArrayBuffer): Collected {
    const sizeBytes = chunk.byteLength
    if (this.#sizeBytes + sizeBytes > this.#maxBytes) return 'too-large'
    if (!this.#budget.take(sizeBytes, this.#isStranger)) return 'no-room'
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
    this.#budget.giveBack(this.#sizeBytes, this.#isStranger)
    this.#sizeBytes = 0
    this.#chunks.length = 0
  }
}
