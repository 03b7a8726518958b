// How often something may happen for one key within a window of time, counted exactly. Beside the rate limit over all routes,
// for what harms others: lookups that would enumerate wallets, messages to one phone.
import type { AccountNumber } from '../../engine/api.ts'
import { RATE_BUCKETS_MAX } from './server-limits.ts'

const MINUTE_MS = 60_000

interface Window {
  readonly sinceMs: number
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
  /** The window that began longest ago first. */
  readonly #windows = new Map<Key, Window>()

  /** So many a minute, or in `windowMs`. */
  constructor(callsMax: number, { windowMs = MINUTE_MS, keysMax = RATE_BUCKETS_MAX }: CallLimitOptions = {}) {
    this.#callsMax = callsMax
    this.#windowMs = windowMs
    this.#keysMax = keysMax
  }

  get keysCount(): number {
    return this.#windows.size
  }

  /**
   * Counts `count` calls, all or none. 0, or the seconds until the key may call again; refused calls are not counted. The first
   * of a window is always taken. `nowMs` never goes back.
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

  /** What `take` would answer, without counting. */
  waitS(key: Key, nowMs: number): number {
    const window = this.#openWindow(key, nowMs)
    return window === null || window.count < this.#callsMax ? 0 : this.#restS(window, nowMs)
  }

  #openWindow(key: Key, nowMs: number): Window | null {
    const window = this.#windows.get(key)
    return window === undefined || nowMs - window.sinceMs >= this.#windowMs ? null : window
  }

  #restS({ sinceMs }: Window, nowMs: number): number {
    return Math.ceil((sinceMs + this.#windowMs - nowMs) / 1000)
  }

  #open(key: Key, sinceMs: number, count: number): void {
    // Set anew, it stands at the end.
    this.#windows.delete(key)
    this.#windows.set(key, { sinceMs, count })
    if (this.#windows.size <= this.#keysMax) return
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
  }
}
