// Budget of one-time codes over all callers: token buckets for all codes and per calling code, behind the network
// limits. It runs before the engine, so that a flood reaches neither log nor gateway.
import { NetworkLimit } from '../../server/network-limit.ts'
import type { NetworkRates } from '../../server/server-limits.ts'

export interface SendBudgetRates {
  /** Codes per minute over all callers. */
  readonly perMinute: number
  /** Burst of codes after an idle time. */
  readonly burst: number
  /** Fraction of both that one calling code may use, from 0 to 1. */
  readonly perCallingCode: number
  readonly networks: NetworkRates
  readonly networksMax: number
}

const MINUTE_MS = 60_000
/** Fraction of the bucket that the busiest network must leave to others. */
const LEFT_TO_OTHERS = 0.9

interface Bucket {
  readonly perMinute: number
  readonly burst: number
  left: number
  atMs: number
}

export class SendBudget {
  readonly #rates: SendBudgetRates
  readonly #networks: NetworkLimit
  readonly #all: Bucket
  /** Buckets by calling code, one per code of the setting. */
  readonly #callingCodes = new Map<string, Bucket>()

  constructor(rates: SendBudgetRates) {
    this.#rates = rates
    this.#networks = new NetworkLimit(rates.networks, rates.networksMax)
    this.#all = fullBucket(rates.perMinute, rates.burst)
  }

  /**
   * Takes one code and returns 0, or takes nothing and returns the seconds to wait. A network that has used more of
   * its own allowance must leave more of the bucket. The busiest networks are rejected first, and an idle one gets
   * the last token.
   */
  take(address: string, callingCode: string, nowMs: number): number {
    const networkWaitS = this.#networks.take(address, nowMs)
    if (networkWaitS > 0) return networkWaitS
    const kept = this.#networks.usage(address, nowMs) * LEFT_TO_OTHERS
    const buckets = [this.#all, this.#callingCode(callingCode)]
    const waitS = Math.max(...buckets.map((bucket) => secondsUntil(bucket, Math.max(1, kept * bucket.burst), nowMs)))
    if (waitS > 0) this.#networks.giveBack(address, nowMs)
    else for (const bucket of buckets) bucket.left--
    return waitS
  }

  /** Undoes one `take` that returned 0. */
  giveBack(address: string, callingCode: string, nowMs: number): void {
    this.#networks.giveBack(address, nowMs)
    for (const bucket of [this.#all, this.#callingCode(callingCode)]) bucket.left = Math.min(bucket.burst, bucket.left + 1)
  }

  #callingCode(callingCode: string): Bucket {
    const { perMinute, burst, perCallingCode } = this.#rates
    const bucket = this.#callingCodes.get(callingCode) ?? fullBucket(perMinute * perCallingCode, Math.max(1, burst * perCallingCode))
    this.#callingCodes.set(callingCode, bucket)
    return bucket
  }
}

function fullBucket(perMinute: number, burst: number): Bucket {
  return { perMinute, burst, left: burst, atMs: 0 }
}

/** Refills the bucket and returns the seconds until `wanted` tokens are in it. */
function secondsUntil(bucket: Bucket, wanted: number, nowMs: number): number {
  const { perMinute, burst, left, atMs } = bucket
  bucket.left = Math.min(burst, left + (Math.max(0, nowMs - atMs) * perMinute) / MINUTE_MS)
  bucket.atMs = nowMs
  return bucket.left >= wanted ? 0 : Math.ceil(((wanted - bucket.left) * MINUTE_MS) / perMinute / 1000)
}
