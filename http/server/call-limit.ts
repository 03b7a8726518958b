// How often something may happen for one key within a window of time, counted exactly. Beside the rate limit over all routes,
// for what harms others: lookups that would enumerate wallets, messages to one phone.
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
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

  /** Counts one call. 0, or the seconds until the key may call again; refused calls are not counted. `nowMs` never goes back. */
  take(key: Key, nowMs: number): number {
    const window = this.#windows.get(key)
    if (window === undefined || nowMs - window.sinceMs >= this.#windowMs) {
      this.#open(key, nowMs)
      return 0
    }
    if (window.count >= this.#callsMax) return Math.ceil((window.sinceMs + this.#windowMs - nowMs) / 1000)
    window.count++
    return 0
  }

  #open(key: Key, sinceMs: number): void {
    // Set anew, it stands at the end.
    this.#windows.delete(key)
    this.#windows.set(key, { sinceMs, count: 1 })
    if (this.#windows.size <= this.#keysMax) return
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
  }
}
