// Occurrences of something that repeats, by the proleptic Gregorian calendar in UTC. Pure arithmetic: no time zone, no
// clock, no leap seconds.
import type { TimeMs } from './time.ts'

export const RECURRENCES = ['once', 'weekly', 'monthly', 'yearly'] as const

export type Recurrence = (typeof RECURRENCES)[number]

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 9999-12-31T23:59:59.999Z: RFC 3339 has four digits for the year. */
export const TIME_MAX: TimeMs = 253_402_300_799_999

/**
 * The first occurrence after `afterMs`; null when there is none. The first of all is `startMs`. Monthly and yearly ones
 * keep the day and time of the start; in a month that is too short they fall on its last day, and only in that month
 * (31 January, 28 February, 31 March; 29 February 2028, 28 February 2029, …, 29 February 2032).
 */
export function nextOccurrence(startMs: TimeMs, recurrence: Recurrence, afterMs: TimeMs): TimeMs | null {
  if (afterMs < startMs) return startMs
  if (recurrence === 'once') return null
  const next =
    recurrence === 'weekly'
      ? startMs + (Math.floor((afterMs - startMs) / WEEK_MS) + 1) * WEEK_MS
      : nextByMonths(startMs, recurrence, afterMs)
  return next > TIME_MAX ? null : next
}

/** Occurrence n falls in month n × step after the start, so the next one is in the month of `afterMs` or one step later. */
function nextByMonths(startMs: TimeMs, recurrence: 'monthly' | 'yearly', afterMs: TimeMs): TimeMs {
  const step = recurrence === 'monthly' ? 1 : 12
  const start = monthOf(startMs)
  const passed = Math.floor((monthOf(afterMs).month - start.month) / step)
  const candidate = inMonth(start, start.month + passed * step)
  return candidate > afterMs ? candidate : inMonth(start, start.month + (passed + 1) * step)
}

/** A time split into its month counted from year 0, the day of that month and the milliseconds of that day. */
interface MonthAndDay {
  readonly month: number
  readonly day: number
  readonly restMs: number
}

function monthOf(timeMs: TimeMs): MonthAndDay {
  const days = Math.floor(timeMs / DAY_MS)
  const { year, month, day } = civilFromDays(days)
  return { month: year * 12 + month - 1, day, restMs: timeMs - days * DAY_MS }
}

function inMonth({ day, restMs }: MonthAndDay, month: number): TimeMs {
  const year = Math.floor(month / 12)
  const monthOfYear = (month % 12) + 1
  return daysFromCivil(year, monthOfYear, Math.min(day, daysIn(year, monthOfYear))) * DAY_MS + restMs
}

let cachedDay = Number.NaN
let cachedMonth = 0

/** Returns the number of whole months since January of year 0, UTC. Caches the last day: every movement asks. */
export function monthNumber(timeMs: TimeMs): number {
  const day = Math.floor(timeMs / DAY_MS)
  if (day !== cachedDay) {
    cachedMonth = monthOf(timeMs).month
    cachedDay = day
  }
  return cachedMonth
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** `month` 1 to 12. */
export function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const DAYS_PER_ERA = 146_097
/** Days from 1 March of year 0 to 1 January 1970. */
const EPOCH_DAYS = 719_468

/** Days since 1970-01-01. Years begin in March here, so that the leap day ends one (Howard Hinnant, days_from_civil). */
function daysFromCivil(year: number, month: number, day: number): number {
  const yearFromMarch = month <= 2 ? year - 1 : year
  const era = Math.floor(yearFromMarch / 400)
  const yearOfEra = yearFromMarch - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_DAYS
}

/** Inverse of `daysFromCivil` (Howard Hinnant, civil_from_days). */
function civilFromDays(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + EPOCH_DAYS
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1 }
}
