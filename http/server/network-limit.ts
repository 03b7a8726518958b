// How often one network may do something costly: token buckets at several widths, so that an IPv6 /48 is not counted as
// 65 536 callers. In memory: a restart forgives. What must not be forgiven (wrong PINs and passwords of one account) is
// counted in the log.
import { networksOf } from '../outbound/networks.ts'

/** Most within an hour, and at once, narrowest width first (see `networksOf`). */
export interface NetworkRates {
  readonly ipv4: readonly [address: number, slash24: number, slash16: number]
  readonly ipv6: readonly [slash64: number, slash56: number, slash48: number, slash32: number]
}

const HOUR_MS = 3_600_000

interface Bucket {
  left: number
  atMs: number
  /** How many rows had been made when it was moved to the end last. */
  movedAt: number
}

/** Part of the table that is made anew before a row is moved again: V8 takes 100 µs to delete and set one key over and over. */
const MOVED_AFTER = 1 / 8

interface Width {
  readonly network: string
  readonly perHour: number
  readonly left: number
}

/**
 * A full table forgets the network that asked longest ago. Every try is counted at each width and a refused one moves its
 * networks to the end, so a wide network that goes on asking is never the one forgotten: dropping the narrow networks
 * below it gives it nothing. No network is refused because others fill the table.
 */
export class NetworkLimit {
  readonly #rates: NetworkRates
  readonly #networksMax: number
  /** The network that asked longest ago first. */
  readonly #buckets = new Map<string, Bucket>()
  #rowsMade = 0

  constructor(rates: NetworkRates, networksMax: number) {
    this.#rates = rates
    this.#networksMax = networksMax
  }

  /** Networks that are counted at the moment. */
  get size(): number {
    return this.#buckets.size
  }

  /** Counts one try of the address at every width and returns 0. Over the limit nothing is counted, and it returns the seconds to wait. */
  take(address: string, nowMs: number): number {
    const widths = this.#widths(address, nowMs)
    const waitS = Math.max(...widths.map(secondsUntilOne))
    for (const { network, left } of widths) {
      // A refused try makes no row: a flood from ever new addresses fills nothing.
      if (waitS === 0) this.#put(network, left - 1, nowMs)
      else if (this.#buckets.has(network)) this.#put(network, left, nowMs)
    }
    this.#forget()
    return waitS
  }

  /** Undoes one `take` of the address that returned 0. */
  giveBack(address: string, nowMs: number): void {
    for (const { network, left, perHour } of this.#widths(address, nowMs)) this.#put(network, Math.min(perHour, left + 1), nowMs)
    this.#forget()
  }

  /** From 0 to 1: what part of its allowance the address had used before its last try, at the width where that is most. */
  usage(address: string, nowMs: number): number {
    return Math.max(0, ...this.#widths(address, nowMs).map(({ left, perHour }) => 1 - (left + 1) / perHour))
  }

  #widths(address: string, nowMs: number): readonly Width[] {
    const networks = networksOf(address)
    const rates = networks.length === this.#rates.ipv6.length ? this.#rates.ipv6 : this.#rates.ipv4
    return networks.map((network, index): Width => {
      const perHour = rates[index] as number
      const bucket = this.#buckets.get(network)
      const left = bucket === undefined ? perHour : Math.min(perHour, bucket.left + ((nowMs - bucket.atMs) * perHour) / HOUR_MS)
      return { network, perHour, left }
    })
  }

  #put(network: string, left: number, atMs: number): void {
    const bucket = this.#buckets.get(network)
    if (bucket === undefined) {
      this.#buckets.set(network, { left, atMs, movedAt: ++this.#rowsMade })
      return
    }
    bucket.left = left
    bucket.atMs = atMs
    if (this.#rowsMade - bucket.movedAt < this.#networksMax * MOVED_AFTER) return
    bucket.movedAt = this.#rowsMade
    this.#buckets.delete(network)
    this.#buckets.set(network, bucket)
  }

  #forget(): void {
    if (this.#buckets.size <= this.#networksMax) return
    for (const network of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#networksMax) return
      this.#buckets.delete(network)
    }
  }
}

function secondsUntilOne({ left, perHour }: Width): number {
  return left >= 1 ? 0 : Math.ceil(((1 - left) * HOUR_MS) / perHour / 1000)
}
