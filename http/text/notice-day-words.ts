// Words of daily summaries by e-mail, in both languages.
import type { Language } from './language.ts'
import { moneyText } from './money.ts'

/** Yesterday in figures. */
export interface SaidDay {
  /** Midnight of the day, as if its time zone were UTC. */
  readonly dayMs: number
  /** Distance of the time zone from UTC: `UTC`, `UTC+1`. */
  readonly utcName: string
  readonly currency: string
  readonly takings: number
  readonly takingsCount: number
  readonly refunds: number
  readonly payouts: number
  readonly payoutsCount: number
  readonly failedPayouts: number
  /** False where there were more failures than are counted. */
  readonly areAllFailures: boolean
}

const DAYS = {
  fr: new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeZone: 'UTC' }),
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }),
} as const

/** Returns the subject and the lines of a daily summary. */
export function dayWords(day: SaidDay, language: Language): { readonly subject: string; readonly lines: readonly string[] } {
  const date = DAYS[language].format(day.dayMs)
  const money = (amount: number): string => moneyText(amount, day.currency, language)
  const failed = `${day.failedPayouts}${day.areAllFailures ? '' : '+'}`
  if (language === 'en') {
    return {
      subject: `Your day: ${money(day.takings)} collected`,
      lines: [
        `${date} (${day.utcName}):`,
        `- Collected: ${money(day.takings)} (${day.takingsCount})`,
        `- Refunded: ${money(day.refunds)}`,
        `- Paid out: ${money(day.payouts)} (${day.payoutsCount})`,
        `- Payouts failed: ${failed}`,
      ],
    }
  }
  return {
    subject: `Votre journée : ${money(day.takings)} encaissés`,
    lines: [
      `${date.charAt(0).toUpperCase()}${date.slice(1)} (${day.utcName}) :`,
      `- Encaissé : ${money(day.takings)} (${day.takingsCount})`,
      `- Remboursé : ${money(day.refunds)}`,
      `- Versé : ${money(day.payouts)} (${day.payoutsCount})`,
      `- Versements en échec : ${failed}`,
    ],
  }
}
