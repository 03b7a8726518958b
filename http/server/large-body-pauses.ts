// Pauses large bodies of an account on a route after the engine rejected its command with 429. Reading and deciding
// half a MiB costs the event loop 5 ms, so such bodies are rejected unread. Small bodies and other routes are not
// affected.
import type { AccountNumber } from '../../engine/api.ts'
import { LARGE_BODY_PAUSE_MS, LARGE_BODY_PAUSES_MAX } from './server-limits.ts'

export class LargeBodyPauses {
  /** End of each pause by account and route, oldest first. */
  readonly #endsMs = new Map<string, number>()
  readonly #rowsMax: number

  constructor(rowsMax: number = LARGE_BODY_PAUSES_MAX) {
    this.#rowsMax = rowsMax
  }

  /** Begins a pause because the engine rejected a command with 429. `nowMs` must be monotonic. */
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
