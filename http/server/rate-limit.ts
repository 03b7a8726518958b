// Token buckets per merchant and environment: one second of requests as burst, refilled continuously. Only
// authenticated requests are counted. Rejecting an unknown caller costs as little as counting it, so it gets 401
// without a bucket.
import type { AccountNumber } from '../../engine/api.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import { RATE_BUCKETS_MAX } from './server-limits.ts'

/** Requests a second by environment; 0 = none. */
export type RateLimits = Readonly<Record<Environment, number>>

interface Bucket {
  tokens: number
  atMs: number
}

/** Results of `take` that are no count. */
export const UNLIMITED = -1
export const EXHAUSTED = -2

export class RateLimiter {
  readonly #perSecond: RateLimits
  readonly #bucketsMax: number
  readonly #buckets = new Map<AccountNumber, Bucket>()

  constructor(perSecond: RateLimits, bucketsMax: number = RATE_BUCKETS_MAX) {
    this.#perSecond = perSecond
    this.#bucketsMax = bucketsMax
  }

  get bucketCount(): number {
    return this.#buckets.size
  }

  limit(environment: Environment): number {
    return this.#perSecond[environment]
  }

  /** Takes one token. Returns how many are left, UNLIMITED or EXHAUSTED. `nowMs` must be monotonic. */
  take(account: AccountNumber, environment: Environment, nowMs: number): number {
    const perSecond = this.#perSecond[environment]
    if (perSecond === 0) return UNLIMITED
    const bucket = this.#buckets.get(account)
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#bucketsMax) this.#dropFull(nowMs)
      this.#buckets.set(account, { tokens: perSecond - 1, atMs: nowMs })
      return perSecond - 1
    }
    const tokens = Math.min(perSecond, bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / 1000)
    bucket.atMs = nowMs
    if (tokens < 1) {
      bucket.tokens = tokens
      return EXHAUSTED
    }
    bucket.tokens = tokens - 1
    return Math.floor(bucket.tokens)
  }

  /** Drops full buckets, which equal absent ones. The callers of the last second stay. */
  #dropFull(nowMs: number): void {
    for (const [account, bucket] of this.#buckets) {
      if (nowMs - bucket.atMs >= 1000) this.#buckets.delete(account)
    }
  }
}
