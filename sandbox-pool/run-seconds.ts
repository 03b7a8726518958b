// A token bucket for each merchant, in seconds that its runs take, waiting for the network included. It may be overdrawn by
// what is under way; then nothing starts until it is filled again. Pure: time is an argument.
import { BUDGETS_MAX, RUN_SECONDS_BURST, RUN_SECONDS_PER_SECOND } from './limits.ts'

interface Bucket {
  seconds: number
  sinceMs: number
}

export class RunSeconds {
  /** Who is not here has all. */
  readonly #buckets = new Map<string, Bucket>()

  /** Seconds until something may start; 0 when it may now. */
  waitFor(merchantId: string, nowMs: number): number {
    const left = this.#left(merchantId, nowMs)
    return left > 0 ? 0 : Math.ceil((1 - left) / RUN_SECONDS_PER_SECOND)
  }

  spend(merchantId: string, seconds: number, nowMs: number): void {
    const left = this.#left(merchantId, nowMs) - seconds
    this.#buckets.delete(merchantId)
    this.#buckets.set(merchantId, { seconds: left, sinceMs: nowMs })
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined && this.#buckets.size > BUDGETS_MAX) this.#buckets.delete(oldest)
  }

  #left(merchantId: string, nowMs: number): number {
    const bucket = this.#buckets.get(merchantId)
    if (bucket === undefined) return RUN_SECONDS_BURST
    return Math.min(RUN_SECONDS_BURST, bucket.seconds + ((nowMs - bucket.sinceMs) / 1_000) * RUN_SECONDS_PER_SECOND)
  }
}
