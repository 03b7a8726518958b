// How often one network address may do something that costs us a slow hash: so many at once, and as many again over an
// hour. In memory: a restart forgives, what must not be forgiven (wrong passwords of one account) is counted in the log.

const HOUR_MS = 3_600_000

interface Bucket {
  left: number
  atMs: number
}

export class AddressLimit {
  readonly #perHour: number
  readonly #addressesMax: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perHour: number, addressesMax: number) {
    this.#perHour = perHour
    this.#addressesMax = addressesMax
  }

  /** Seconds until the address may go on, 0 when it may now. Takes nothing. */
  waitS(address: string, nowMs: number): number {
    const left = this.#left(address, nowMs)
    return left >= 1 ? 0 : Math.ceil(((1 - left) * HOUR_MS) / this.#perHour / 1000)
  }

  /** Counts one. Of too many addresses the one that was counted longest ago is forgotten. */
  count(address: string, nowMs: number): void {
    const left = Math.max(0, this.#left(address, nowMs) - 1)
    // Anew at the end: the map's order is that of the last counts.
    this.#buckets.delete(address)
    this.#buckets.set(address, { left, atMs: nowMs })
    if (this.#buckets.size <= this.#addressesMax) return
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }

  #left(address: string, nowMs: number): number {
    const bucket = this.#buckets.get(address)
    if (bucket === undefined) return this.#perHour
    return Math.min(this.#perHour, bucket.left + ((nowMs - bucket.atMs) * this.#perHour) / HOUR_MS)
  }
}
