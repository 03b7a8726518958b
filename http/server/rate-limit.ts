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
    if (this.#perSecond[environment] === 0) return UNLIMITED
    const bucket = this.#refilled(account, environment, nowMs)
    if (bucket.tokens < 1) return EXHAUSTED
    bucket.tokens--
    return Math.floor(bucket.tokens)
  }

  /**
   * Takes so many beside the one that the request has taken, at most as many as a full bucket holds. Returns 0, or the milliseconds until
   * there are enough: then it takes none, and gives the one back.
   */
  takeFurther(account: AccountNumber, environment: Environment, further: number, nowMs: number): number {
    const perSecond = this.#perSecond[environment]
    if (perSecond === 0) return 0
    const bucket = this.#refilled(account, environment, nowMs)
    const wanted = Math.min(further, perSecond - 1)
    if (bucket.tokens < wanted) {
      bucket.tokens++
      return Math.max(1, Math.ceil(((wanted + 1 - bucket.tokens) * 1000) / perSecond))
    }
    bucket.tokens -= wanted
    return 0
  }

  #refilled(account: AccountNumber, environment: Environment, nowMs: number): Bucket {
    const perSecond = this.#perSecond[environment]
    const bucket = this.#buckets.get(account)
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#bucketsMax) this.#dropFull(nowMs)
      const full = { tokens: perSecond, atMs: nowMs }
      this.#buckets.set(account, full)
      return full
    }
    bucket.tokens = Math.min(perSecond, bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / 1000)
    bucket.atMs = nowMs
    return bucket
  }

  giveBack(account: AccountNumber, environment: Environment, requests: number): void {
    const bucket = this.#buckets.get(account)
    if (bucket !== undefined) bucket.tokens = Math.min(this.#perSecond[environment], bucket.tokens + requests)
  }

  left(account: AccountNumber): number {
    return Math.floor(this.#buckets.get(account)?.tokens ?? 0)
  }

  /** Drops full buckets, which equal absent ones. The callers of the last second stay. */
  #dropFull(nowMs: number): void {
    for (const [account, bucket] of this.#buckets) {
      if (nowMs - bucket.atMs >= 1000) this.#buckets.delete(account)
    }
  }
}
