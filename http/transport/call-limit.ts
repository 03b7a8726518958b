// How often one account may call one route within a minute, whatever the settings allow it over all routes. For routes
// that answer questions about other accounts: an enumeration of wallets must take long.
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { RATE_BUCKETS_MAX } from '../limits.ts'

const WINDOW_MS = 60_000

interface Window {
  readonly sinceMs: number
  count: number
}

export class CallLimit {
  readonly #callsMax: number
  readonly #accountsMax: number
  /** The window that began longest ago first. */
  readonly #windows = new Map<AccountNumber, Window>()

  constructor(callsPerMinuteMax: number, accountsMax: number = RATE_BUCKETS_MAX) {
    this.#callsMax = callsPerMinuteMax
    this.#accountsMax = accountsMax
  }

  get accountsCount(): number {
    return this.#windows.size
  }

  /** Counts one call. 0, or the seconds until the account may call again; refused calls are not counted. `nowMs` never goes back. */
  take(account: AccountNumber, nowMs: number): number {
    const window = this.#windows.get(account)
    if (window === undefined || nowMs - window.sinceMs >= WINDOW_MS) {
      this.#open(account, nowMs)
      return 0
    }
    if (window.count >= this.#callsMax) return Math.ceil((window.sinceMs + WINDOW_MS - nowMs) / 1000)
    window.count++
    return 0
  }

  #open(account: AccountNumber, sinceMs: number): void {
    // Set anew, it stands at the end.
    this.#windows.delete(account)
    this.#windows.set(account, { sinceMs, count: 1 })
    if (this.#windows.size <= this.#accountsMax) return
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
  }
}
