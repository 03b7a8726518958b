// What all callers together may spend on one-time codes: token buckets for all codes and for each calling code, behind the
// limits of networks. It decides before the engine is asked, so that a flood reaches neither log nor gateway.
import { NetworkLimit, type NetworkRates } from '../../server/network-limit.ts'

export interface SendBudgetRates {
  /** Codes a minute of all callers together. */
  readonly perMinute: number
  /** Codes at once after a quiet time. */
  readonly burst: number
  /** Part of both that one calling code may use, from 0 to 1. */
  readonly perCallingCode: number
  readonly networks: NetworkRates
  readonly networksMax: number
}

const MINUTE_MS = 60_000
/** Part of the bucket that the busiest network must leave to others. */
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
  /** By calling code; there are as many as the setting names. */
  readonly #callingCodes = new Map<string, Bucket>()

  constructor(rates: SendBudgetRates) {
    this.#rates = rates
    this.#networks = new NetworkLimit(rates.networks, rates.networksMax)
    this.#all = fullBucket(rates.perMinute, rates.burst)
  }

  /**
   * Takes one code and returns 0, or takes nothing and returns the seconds to wait. The more of its own allowance a
   * network has used, the more of the bucket must be left: when codes run short, the busiest networks are refused first
   * and one that has asked for nothing gets the last token.
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

/** Refills the bucket, too. */
function secondsUntil(bucket: Bucket, wanted: number, nowMs: number): number {
  const { perMinute, burst, left, atMs } = bucket
  bucket.left = Math.min(burst, left + (Math.max(0, nowMs - atMs) * perMinute) / MINUTE_MS)
  bucket.atMs = nowMs
  return bucket.left >= wanted ? 0 : Math.ceil(((wanted - bucket.left) * MINUTE_MS) / perMinute / 1000)
}
