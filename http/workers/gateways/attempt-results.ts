// What one call to a gateway says about the message, and about the gateway.
import type { AttemptResult } from '../../../engine/api.ts'
import { GATEWAY_SLOW_ANSWER_MS } from './gateway-limits.ts'

export function hasSucceeded({ httpStatus }: AttemptResult): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300
}

/** Whether the gateway works: it answered in time, and a refusal is about the message alone. */
export function isGood({ httpStatus, durationMs }: AttemptResult): boolean {
  return httpStatus !== null && httpStatus < 500 && httpStatus !== 429 && durationMs < GATEWAY_SLOW_ANSWER_MS
}

/** Nothing was called, and a further attempt makes no sense. */
export function notSent(error: 'expired' | 'no_device' | 'no_gateway'): AttemptResult {
  return { httpStatus: null, error, durationMs: 0, retryAfterMs: null, jitter: 0, isFinal: true }
}
