// Large bodies of accounts whose command the engine rejected with 429, most of them for the bytes that they wrote today. For a
// while the same account's large bodies on the same route are refused before they are read: reading and deciding half a MiB takes
// the event loop 5 ms. Small bodies and other routes are never held up.
import type { AccountNumber } from '../../engine/api.ts'
import { LARGE_BODY_PAUSE_MS, LARGE_BODY_PAUSES_MAX } from './server-limits.ts'

export class LargeBodyPauses {
  /** Ends by account and route, oldest first. */
  readonly #endsMs = new Map<string, number>()
  readonly #rowsMax: number

  constructor(rowsMax: number = LARGE_BODY_PAUSES_MAX) {
    this.#rowsMax = rowsMax
  }

  /** The engine rejected a command of this account with 429. `nowMs` never goes back. */
  begin(account: AccountNumber, operationId: string, nowMs: number): void {
    const key = `${account} ${operationId}`
    this.#endsMs.delete(key)
    this.#endsMs.set(key, nowMs + LARGE_BODY_PAUSE_MS)
    const [oldest] = this.#endsMs.keys()
    if (oldest !== undefined && this.#endsMs.size > this.#rowsMax) this.#endsMs.delete(oldest)
  }

  holds(account: AccountNumber, operationId: string, nowMs: number): boolean {
    if (this.#endsMs.size === 0) return false
    const key = `${account} ${operationId}`
    const endsMs = this.#endsMs.get(key)
    if (endsMs === undefined) return false
    if (nowMs < endsMs) return true
    this.#endsMs.delete(key)
    return false
  }
}
