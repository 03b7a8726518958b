// Time zones of merchants. Those of West and Central Africa have kept one distance from UTC for decades and no summer time, so a day is 24
// hours everywhere, and a replay needs no database of time zones.
import type { TimeMs } from './time.ts'

const HOUR_MS: TimeMs = 3_600_000
const DAY_MS: TimeMs = 24 * HOUR_MS

/** Hours ahead of UTC, by the name of the IANA database. */
const HOURS = {
  'Africa/Abidjan': 0,
  'Africa/Accra': 0,
  'Africa/Bamako': 0,
  'Africa/Banjul': 0,
  'Africa/Bangui': 1,
  'Africa/Bissau': 0,
  'Africa/Brazzaville': 1,
  'Africa/Conakry': 0,
  'Africa/Dakar': 0,
  'Africa/Douala': 1,
  'Africa/Freetown': 0,
  'Africa/Lagos': 1,
  'Africa/Libreville': 1,
  'Africa/Lome': 0,
  'Africa/Malabo': 1,
  'Africa/Monrovia': 0,
  'Africa/Ndjamena': 1,
  'Africa/Niamey': 1,
  'Africa/Nouakchott': 0,
  'Africa/Ouagadougou': 0,
  'Africa/Porto-Novo': 1,
  'Atlantic/Cape_Verde': -1,
} as const

export type TimeZone = keyof typeof HOURS

export const TIME_ZONES = Object.keys(HOURS) as readonly TimeZone[]
export const DEFAULT_TIME_ZONE: TimeZone = 'Africa/Dakar'

/** Milliseconds ahead of UTC. */
export function offsetMs(zone: TimeZone): TimeMs {
  return HOURS[zone] * HOUR_MS
}

/** Returns the instant at which the day of the time began in the zone. */
export function dayStartMs(timeMs: TimeMs, zone: TimeZone): TimeMs {
  const ahead = offsetMs(zone)
  return Math.floor((timeMs + ahead) / DAY_MS) * DAY_MS - ahead
}

/** `UTC`, `UTC+1`, `UTC-1`. */
export function utcName(zone: TimeZone): string {
  const hours = HOURS[zone]
  return hours === 0 ? 'UTC' : `UTC${hours > 0 ? '+' : '-'}${Math.abs(hours)}`
}
