// Token bucket for the bytes of larger requests of one thread: each costs the server time to read.
import { SEND_BURST_BYTES, SEND_BYTES_PER_SECOND, SEND_BYTES_UNCOUNTED } from './limits.ts'
import { monotonicMs } from './thread-clock.ts'

export class SendBudget {
  #bytes = SEND_BURST_BYTES
  #sinceMs = 0

  /** Takes the bytes if there are enough. Small requests are always allowed: their number is limited. */
  take(sizeBytes: number): boolean {
    if (sizeBytes <= SEND_BYTES_UNCOUNTED) return true
    const nowMs = monotonicMs()
    const refilled = this.#bytes + ((nowMs - this.#sinceMs) / 1_000) * SEND_BYTES_PER_SECOND
    this.#sinceMs = nowMs
    this.#bytes = Math.min(SEND_BURST_BYTES, refilled)
    if (this.#bytes < sizeBytes) return false
    this.#bytes -= sizeBytes
    return true
  }
}
