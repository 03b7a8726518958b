// Fixed-window call limit per key, counted exactly. It protects others: lookups could enumerate wallets, messages
// cost their receiver. The rate limit over all routes comes in addition.
import type { AccountNumber } from '../../engine/api.ts'
import { RATE_BUCKETS_MAX } from './server-limits.ts'

const MINUTE_MS = 60_000

interface Window {
  readonly endsMs: number
  count: number
}

export interface CallLimitOptions {
  readonly windowMs?: number
  readonly keysMax?: number
}

export class CallLimit<Key = AccountNumber> {
  readonly #callsMax: number
  readonly #windowMs: number
  readonly #keysMax: number
  /** Windows by key, in the order in which they began. */
  readonly #windows = new Map<Key, Window>()

  /** Allows `callsMax` calls per minute, or per `windowMs`. */
  constructor(callsMax: number, { windowMs = MINUTE_MS, keysMax = RATE_BUCKETS_MAX }: CallLimitOptions = {}) {
    this.#callsMax = callsMax
    this.#windowMs = windowMs
    this.#keysMax = keysMax
  }

  get keysCount(): number {
    return this.#windows.size
  }

  /**
   * Counts `count` calls, all or none. Returns 0, or the seconds until the key may call again. Rejected calls are not
   * counted. The first call of a window always succeeds; a larger count than the maximum makes its window longer, so
   * that the rate holds. `nowMs` must be monotonic.
   */
  take(key: Key, nowMs: number, count = 1): number {
    const window = this.#openWindow(key, nowMs)
    if (window === null) {
      this.#open(key, nowMs, count)
      return 0
    }
    if (window.count + count > this.#callsMax) return this.#restS(window, nowMs)
    window.count += count
    return 0
  }

  /** Returns what `take` would return, without counting. A count of 0 waits as 1 does. */
  waitS(key: Key, nowMs: number, count = 1): number {
    const window = this.#openWindow(key, nowMs)
    return window === null || window.count + Math.max(1, count) <= this.#callsMax ? 0 : this.#restS(window, nowMs)
  }

  #openWindow(key: Key, nowMs: number): Window | null {
    const window = this.#windows.get(key)
    return window === undefined || nowMs >= window.endsMs ? null : window
  }

  #restS({ endsMs }: Window, nowMs: number): number {
    return Math.ceil((endsMs - nowMs) / 1000)
  }

  #open(key: Key, nowMs: number, count: number): void {
    // Deleting first moves the key to the end of the map.
    this.#windows.delete(key)
    this.#windows.set(key, { endsMs: nowMs + this.#windowMs * Math.max(1, count / this.#callsMax), count })
    if (this.#windows.size <= this.#keysMax) return
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
  }
}
