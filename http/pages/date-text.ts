// Dates and times of pages, in the language of the reader. UTC is the local time of Abidjan, Dakar and Bamako.
import { Localized } from './html.ts'

const LOCALES = { fr: 'fr-FR', en: 'en-GB' } as const

/** Returns a function that formats a time, in milliseconds since 1970. */
function formatOf(options: Intl.DateTimeFormatOptions): (time: number) => Localized {
  const formats = {
    fr: new Intl.DateTimeFormat(LOCALES.fr, { ...options, timeZone: 'UTC' }),
    en: new Intl.DateTimeFormat(LOCALES.en, { ...options, timeZone: 'UTC' }),
  } as const
  return (time) => new Localized((language) => formats[language].format(time))
}

/** `22 nov. 2026, 06:17` */
export const dayAndTime = formatOf({ dateStyle: 'medium', timeStyle: 'short' })
/** `22 nov. 2026, 06:17:05` */
export const dayAndSeconds = formatOf({ dateStyle: 'medium', timeStyle: 'medium' })
/** `22 novembre 2026 à 06:17` */
export const longDayAndTime = formatOf({ dateStyle: 'long', timeStyle: 'short' })
/** `22 nov. 2026` */
export const dayText = formatOf({ dateStyle: 'medium' })
/** `06:17` */
export const timeText = formatOf({ timeStyle: 'short' })
/** `22 nov.` */
export const shortDay = formatOf({ day: 'numeric', month: 'short' })

/** `22 nov. à 06:17`, for a sentence: `jusqu’au 22 nov. à 06:17`. */
export function shortDayAndTime(time: number): Localized {
  const [date, clock] = [shortDay(time), timeText(time)]
  return new Localized((language) => `${date.in(language)} ${language === 'fr' ? 'à' : 'at'} ${clock.in(language)}`)
}
