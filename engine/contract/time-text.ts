// Times as callers write them.
import type { TimeMs } from '../kernel/time.ts'

/** RFC 3339, section 5.6, without leap seconds, which no clock of ours shows. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** Null when the text is no RFC 3339 date-time of a day that exists. Digits beyond the millisecond are dropped. */
export function parseTime(text: string): TimeMs | null {
  const parts = RFC3339.exec(text)
  if (parts === null) return null
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  return Date.parse(text.toUpperCase())
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
