// The bytes of a request body while they arrive: counted against the route's maximum and against what all open
// bodies may hold together. It must never keep a chunk that it did not copy: the native layer takes them back.

/** What all half-arrived bodies hold together. */
export class BodyBudget {
  readonly maxBytes: number
  usedBytes = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }
}

/** `too-large` and `no-room` end the collecting. */
export type Collected = 'more' | 'too-large' | 'no-room'

/** Collects a body that comes in more than one piece; bodies of one piece never get here. */
export class BodyCollector {
  readonly #maxBytes: number
  readonly #budget: BodyBudget
  readonly #chunks: Buffer[] = []
  #sizeBytes = 0

  constructor(maxBytes: number, budget: BodyBudget) {
    this.#maxBytes = maxBytes
    this.#budget = budget
  }

  /** Copies the chunk, unless it does not fit. */
  add(chunk: ArrayBuffer): Collected {
    const sizeBytes = chunk.byteLength
    if (this.#sizeBytes + sizeBytes > this.#maxBytes) return 'too-large'
    if (this.#budget.usedBytes + sizeBytes > this.#budget.maxBytes) return 'no-room'
    if (sizeBytes === 0) return 'more'
    this.#sizeBytes += sizeBytes
    this.#budget.usedBytes += sizeBytes
    this.#chunks.push(Buffer.from(Buffer.from(chunk)))
    return 'more'
  }

  /** The whole body; the collector is empty after it. */
  take(): Buffer {
    const body = Buffer.concat(this.#chunks, this.#sizeBytes)
    this.drop()
    return body
  }

  /** Gives its share of the budget back. Harmless when called again. */
  drop(): void {
    this.#budget.usedBytes -= this.#sizeBytes
    this.#sizeBytes = 0
    this.#chunks.length = 0
  }
}
