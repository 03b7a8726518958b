// Time of the merchant's days on pages. A calendar day stands as the instant at which it begins in UTC; `aheadMs` leads from it to the day in
// the merchant's time zone.
import { timeZoneOf } from '../../../../engine/api.ts'
import type { TimeMs } from '../../../../engine/kernel/time.ts'
import { offsetMs, utcName } from '../../../../engine/kernel/time-zone.ts'
import type { Text } from '../../../text/text.ts'
import { texts } from '../../shared/texts.ts'
import type { Visit } from './dashboard-visit.ts'

const TEXTS = texts({
  fr: {
    utc: 'Les jours sont ceux de l’heure UTC, celle d’Abidjan, de Bamako et de Dakar.',
    other: (hours: string, city: string) => `Les jours sont ceux de l’heure ${hours} (${city}).`,
  },
  en: {
    utc: 'Days are those of UTC, the time of Abidjan, Bamako and Dakar.',
    other: (hours, city) => `Days are those of ${hours} (${city}).`,
  },
})

type OfMerchant = Pick<Visit, 'principal'>

/** Milliseconds ahead of UTC. */
export function aheadMs({ principal }: OfMerchant): TimeMs {
  return offsetMs(timeZoneOf(principal.merchant))
}

/** Returns the sentence that says whose days they are. */
export function daysText({ principal }: OfMerchant): Text {
  const zone = timeZoneOf(principal.merchant)
  return offsetMs(zone) === 0 ? TEXTS.utc : TEXTS.other(utcName(zone), cityOf(zone))
}

/** `Lagos`, by the name of the IANA database. */
export function cityOf(zone: string): string {
  return (zone.split('/')[1] ?? zone).replaceAll('_', ' ')
}
