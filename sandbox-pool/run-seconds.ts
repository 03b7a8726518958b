// Token bucket for each merchant, in seconds of its runs, network waits included. Running runs may overdraw it; then no run starts
// until it is refilled. Pure: time is an argument.
import { BUDGETS_MAX, RUN_SECONDS_BURST, RUN_SECONDS_PER_SECOND } from './limits.ts'

interface Bucket {
  seconds: number
  sinceMs: number
}

export class RunSeconds {
  /** Buckets by merchant. A merchant without one has a full bucket. */
  readonly #buckets = new Map<string, Bucket>()

  /** Returns the seconds until a run may start; 0 when it may start now. */
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
