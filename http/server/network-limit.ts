// Token buckets per network at several prefix widths, so that an IPv6 /48 is not counted as 65 536 callers. A restart
// clears them. Wrong PINs and passwords of an account are counted in the log instead.
import { networksOf } from '../outbound/networks.ts'
import type { NetworkRates } from './server-limits.ts'

const HOUR_MS = 3_600_000

interface Bucket {
  left: number
  atMs: number
  /** Number of rows made when this one was last moved to the end. */
  movedAt: number
}

/**
 * Fraction of the table that must be new before a row is moved again. Deleting and setting one key repeatedly takes
 * V8 100 µs.
 */
const MOVED_AFTER = 1 / 8

interface Width {
  readonly network: string
  readonly perHour: number
  readonly left: number
}

/**
 * A full table drops the least recently seen network. Every attempt counts at each width, and a rejected one moves
 * its networks to the end. A wide network that keeps asking is therefore never dropped. No network is rejected
 * because others fill the table.
 */
export class NetworkLimit {
  readonly #rates: NetworkRates
  readonly #networksMax: number
  /** Buckets by network, least recently seen first. */
  readonly #buckets = new Map<string, Bucket>()
  #rowsMade = 0

  constructor(rates: NetworkRates, networksMax: number) {
    this.#rates = rates
    this.#networksMax = networksMax
  }

  /** Number of counted networks. */
  get size(): number {
    return this.#buckets.size
  }

  /**
   * Counts one attempt at every width and returns 0. Over the limit it counts nothing and returns the seconds to
   * wait.
   */
  take(address: string, nowMs: number): number {
    const widths = this.#widths(address, nowMs)
    const waitS = Math.max(...widths.map(secondsUntilOne))
    for (const { network, left } of widths) {
      // A rejected attempt makes no row, so a flood from new addresses fills nothing.
      if (waitS === 0) this.#put(network, left - 1, nowMs)
      else if (this.#buckets.has(network)) this.#put(network, left, nowMs)
    }
    this.#forget()
    return waitS
  }

  /** Undoes one `take` that returned 0. */
  giveBack(address: string, nowMs: number): void {
    for (const { network, left, perHour } of this.#widths(address, nowMs)) this.#put(network, Math.min(perHour, left + 1), nowMs)
    this.#forget()
  }

  /** Returns the used fraction of the allowance before the last attempt, from 0 to 1, at the fullest width. */
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
