// Periods of whole days that a filter asks for. Days are days in UTC, the local time of Abidjan and Dakar, unless a page has the merchant's.
import type { TimeMs } from '../../../engine/kernel/time.ts'

export const DAY_MS = 86_400_000
/** The last day that the API can parse: the next one has a year of five digits. */
const LAST_DAY_MS = Date.UTC(9999, 11, 31)

export interface DayPeriod {
  /** Start of the first and of the last day; null without a bound. */
  readonly from: TimeMs | null
  readonly to: TimeMs | null
}

/** Reads `from` and `to` of an address. Two days in the wrong order are exchanged. */
export function periodOf(query: URLSearchParams): DayPeriod {
  const [from, to] = [dayMs(query.get('from')), dayMs(query.get('to'))]
  return from !== null && to !== null && from > to ? { from: to, to: from } : { from, to }
}

/** Returns the period in the API's parameters of these names: from the start of the first day to the end of the last one. */
export function periodQuery(
  { from, to }: DayPeriod,
  [first, end]: readonly [string, string],
  aheadMs: TimeMs = 0,
): Readonly<Record<string, string>> {
  return {
    ...(from === null ? {} : { [first]: new Date(from - aheadMs).toISOString() }),
    ...(to === null || to >= LAST_DAY_MS ? {} : { [end]: new Date(to + DAY_MS - aheadMs).toISOString() }),
  }
}

/** Parses `2026-11-22`, and `22/11/2026` of browsers without a field for dates. Anything else is no bound. */
function dayMs(typed: string | null): number | null {
  const text = (typed ?? '').trim().replace(/^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/, (_, day: string, month: string, year: string) => {
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  })
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

/** Returns the day as a field for dates has it: `2026-11-22`. */
export function dayOf(ms: TimeMs): string {
  return new Date(ms).toISOString().slice(0, 10)
}
