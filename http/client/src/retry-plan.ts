// When a request is sent again: exponential backoff with jitter, and never before the `Retry-After` of an answer.
import { BACKOFF_BASE_MS, BACKOFF_CEILING_MS, RETRIES, RETRY_AFTER_MAX_MS } from './client-limits.ts'

export interface RetryOptions {
  /** Attempts after the first one; 0 turns retries off. */
  readonly retries?: number
  /** First wait; each next one is twice as long, up to `ceilingMs`. */
  readonly baseMs?: number
  readonly ceilingMs?: number
  /** Longest `Retry-After` that is waited for. */
  readonly retryAfterMaxMs?: number
}

/**
 * Returns the wait before the next attempt, or null when there is none. `failures` counts from 1. The wait is between one half
 * and the whole of its exponential step, so that clients that failed together do not return together.
 */
export function waitMs(
  plan: RetryOptions,
  failures: number,
  retryAfterMs: number | null,
  random: () => number = Math.random,
): number | null {
  const { retries = RETRIES, baseMs = BACKOFF_BASE_MS, ceilingMs = BACKOFF_CEILING_MS, retryAfterMaxMs = RETRY_AFTER_MAX_MS } = plan
  if (failures > retries) return null
  if (retryAfterMs !== null && retryAfterMs > retryAfterMaxMs) return null
  const step = Math.min(ceilingMs, baseMs * 2 ** (failures - 1))
  const backoff = step / 2 + random() * (step / 2)
  return retryAfterMs === null ? backoff : retryAfterMs + random() * Math.min(baseMs, step)
}

/** All three forms of a date begin with a day (RFC 9110, section 5.6.7). `Date.parse` alone takes `-1` for one. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/** Reads `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). Returns null for anything else. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

/** Resolves after the time, or rejects with the reason of the signal. */
export function pause(timeMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, timeMs)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
