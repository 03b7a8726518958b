// The bytes of a request body while they arrive: counted against the route's maximum and against what all open
// bodies may hold together. It must never keep a chunk that it did not copy: the native layer takes them back.

/** What all half-arrived bodies hold together. Strangers hold a part of it at most, so that they leave room for known callers. */
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

  /** False when there is no room; nothing is taken then. */
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

/** `too-large` and `no-room` end the collecting. */
export type Collected = 'more' | 'too-large' | 'no-room'

/** Collects a body that comes in more than one piece; bodies of one piece never get here. */
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

  /** Copies the chunk, unless it does not fit. */
  add(chunk: ArrayBuffer): Collected {
    const sizeBytes = chunk.byteLength
    if (this.#sizeBytes + sizeBytes > this.#maxBytes) return 'too-large'
    if (!this.#budget.take(sizeBytes, this.#isStranger)) return 'no-room'
    if (sizeBytes === 0) return 'more'
    this.#sizeBytes += sizeBytes
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
    this.#budget.giveBack(this.#sizeBytes, this.#isStranger)
    this.#sizeBytes = 0
    this.#chunks.length = 0
  }
}
