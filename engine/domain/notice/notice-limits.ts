// Times and maximums of notices.
import type { TimeMs } from '../../kernel/time.ts'
import { dayStartMs, type TimeZone } from '../../kernel/time-zone.ts'

const MINUTE_MS: TimeMs = 60_000
const HOUR_MS: TimeMs = 60 * MINUTE_MS
export const DAY_MS: TimeMs = 24 * HOUR_MS

/** From one notice of a kind to the next of the same holder: what happens in between is one notice. */
export const NOTICE_INTERVAL_MS: TimeMs = 10 * MINUTE_MS
/** Wait of a notice for which there is no room among the open e-mails. */
export const NOTICE_RETRY_MS: TimeMs = MINUTE_MS
/** Events that a notice names. It counts the others. */
export const NOTICE_EVENTS_MAX = 5
/** After midnight in the time zone of the merchant. */
export const SUMMARY_TIME_MS: TimeMs = 7 * HOUR_MS

/** Returns when the next daily summary leaves. */
export function nextSummaryMs(timeMs: TimeMs, zone: TimeZone): TimeMs {
  const todayMs = dayStartMs(timeMs, zone) + SUMMARY_TIME_MS
  return todayMs > timeMs ? todayMs : todayMs + DAY_MS
}
