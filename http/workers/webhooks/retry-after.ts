// Parses `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
import type { TimeMs } from '../../../engine/kernel/time.ts'

const SECONDS = /^[0-9]{1,9}$/
/** `Fri, 20 Nov 2026 10:01:00 GMT`. The two obsolete forms (RFC 9110, section 5.6.7) begin with a day too. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/** Returns the wait; null when absent or malformed. */
export function retryAfterMs(value: string | undefined, nowMs: TimeMs): TimeMs | null {
  if (value === undefined) return null
  if (SECONDS.test(value)) return Number(value) * 1000
  const dateMs = DATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs)
}
