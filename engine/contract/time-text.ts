// Parses times that callers send.
import { daysIn, TIME_MAX } from '../kernel/calendar.ts'
import type { TimeMs } from '../kernel/time.ts'

/** RFC 3339, section 5.6, without leap seconds: the system clock has none. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** Returns null unless the text is an RFC 3339 date-time of an existing day, in UTC before the year 10000. Truncates to milliseconds. */
export function parseTime(text: string): TimeMs | null {
  const parts = RFC3339.exec(text)
  if (parts === null) return null
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  const timeMs = Date.parse(text.toUpperCase())
  return timeMs > TIME_MAX ? null : timeMs
}
