// Dates and times of pages, in the language of the reader. UTC is the local time of Abidjan, Dakar and Bamako.
import { Text } from '../../text/text.ts'

const LOCALES = { fr: 'fr-FR', en: 'en-GB' } as const

/** Returns a function that formats a time, in milliseconds since 1970. */
function formatOf(options: Intl.DateTimeFormatOptions): (time: number) => Text {
  const formats = {
    fr: new Intl.DateTimeFormat(LOCALES.fr, { ...options, timeZone: 'UTC' }),
    en: new Intl.DateTimeFormat(LOCALES.en, { ...options, timeZone: 'UTC' }),
  } as const
  return (time) => new Text((language) => formats[language].format(time))
}

/** `22 nov. 2026, 06:17` */
export const dayAndTime = formatOf({ dateStyle: 'medium', timeStyle: 'short' })
/** `22 nov. 2026, 06:17:05` */
export const dayAndSeconds = formatOf({ dateStyle: 'medium', timeStyle: 'medium' })
/** `22 novembre 2026 à 06:17` */
export const longDayAndTime = formatOf({ dateStyle: 'long', timeStyle: 'short' })
/** `22 nov. 2026` */
export const dayText = formatOf({ dateStyle: 'medium' })
/** `novembre 2026` */
export const monthText = formatOf({ month: 'long', year: 'numeric' })
/** `06:17` */
export const timeText = formatOf({ timeStyle: 'short' })
/** `22 nov.` */
export const shortDay = formatOf({ day: 'numeric', month: 'short' })

/** `22 nov. à 06:17`, for a sentence: `jusqu’au 22 nov. à 06:17`. */
export function shortDayAndTime(time: number): Text {
  const [date, clock] = [shortDay(time), timeText(time)]
  return new Text((language) => `${date.in(language)} ${language === 'fr' ? 'à' : 'at'} ${clock.in(language)}`)
}

const AGO = { fr: new Intl.RelativeTimeFormat('fr-FR'), en: new Intl.RelativeTimeFormat('en-GB') } as const

/** Units by the number of seconds from which they are used. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `il y a 2 heures`; `à l’instant` within a minute. */
export function agoText(time: number, nowMs: number): Text {
  const seconds = Math.max(0, (nowMs - time) / 1000)
  const unit = UNITS.find(([, length]) => seconds >= length)
  if (unit === undefined) return new Text((language) => (language === 'fr' ? 'à l’instant' : 'just now'))
  const [name, length] = unit
  return new Text((language) => AGO[language].format(-Math.floor(seconds / length), name))
}
