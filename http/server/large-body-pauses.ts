// Pauses large bodies of an account on a route after the engine or the rate limit rejected one with 429. Reading and
// deciding half a MiB costs the event loop 5 ms, so such bodies are rejected unread. Small bodies and other routes are
// not affected.
import type { AccountNumber } from '../../engine/api.ts'
import { LARGE_BODY_PAUSES_MAX } from './server-limits.ts'

export class LargeBodyPauses {
  /** End of each pause by account and route, oldest first. */
  readonly #endsMs = new Map<string, number>()
  readonly #rowsMax: number

  constructor(rowsMax: number = LARGE_BODY_PAUSES_MAX) {
    this.#rowsMax = rowsMax
  }

  /** Begins a pause. `nowMs` must be monotonic. */
  begin(account: AccountNumber, operationId: string, nowMs: number, pauseMs: number): void {
    const key = `${account} ${operationId}`
    this.#endsMs.delete(key)
    this.#endsMs.set(key, nowMs + pauseMs)
    const [oldest] = this.#endsMs.keys()
    if (oldest !== undefined && this.#endsMs.size > this.#rowsMax) this.#endsMs.delete(oldest)
  }

  /** Milliseconds that are left of the pause; 0 without one. */
  left(account: AccountNumber, operationId: string, nowMs: number): number {
    if (this.#endsMs.size === 0) return 0
    const key = `${account} ${operationId}`
    const endsMs = this.#endsMs.get(key)
    if (endsMs === undefined) return 0
    if (nowMs < endsMs) return endsMs - nowMs
    this.#endsMs.delete(key)
    return 0
  }
}
