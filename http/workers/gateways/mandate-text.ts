// Text of mandates, amount and interval, for pushes and pages.
import type { Mandate } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Language } from '../../text/language.ts'
import { amountIn, type PushText } from './message.ts'

type Terms = Pick<Mandate, 'amount' | 'max_amount' | 'currency' | 'interval'>

const RHYTHMS: Readonly<Record<Language, Readonly<Record<Mandate['interval'], string>>>> = {
  fr: { weekly: 'par semaine', monthly: 'par mois', yearly: 'par an', on_demand: 'à chaque demande' },
  en: { weekly: 'a week', monthly: 'a month', yearly: 'a year', on_demand: 'at each request' },
}

/**
 * Returns the terms: `5 000 F CFA par mois`, `jusqu’à 10 000 F CFA par mois`. An amount without an interval is the maximum of
 * each request; a maximum on demand is the sum of a month.
 */
export function termsText({ amount, max_amount, currency, interval }: Terms, language: Language): string {
  const rhythm = RHYTHMS[language][interval === 'on_demand' && max_amount !== null ? 'monthly' : interval]
  if (amount !== null && interval !== 'on_demand') return `${amountIn(amount, language, currency)} ${rhythm}`
  const ceiling = max_amount ?? amount
  assert(ceiling !== null, 'a mandate has an amount or a ceiling')
  return `${language === 'fr' ? 'jusqu’à' : 'up to'} ${amountIn(ceiling, language, currency)} ${rhythm}`
}

/** Returns title and body of the push. `merchantName` is null for a name that is not plain (see merchant-name.ts). */
export function requestedText(terms: Terms, merchantName: string | null, language: Language): PushText {
  if (language === 'en') {
    const text = `${merchantName ?? 'A merchant'} asks you to authorise direct debits of ${termsText(terms, 'en')}. Open the app to accept or refuse.`
    return { title: 'Direct debit request', text }
  }
  return {
    title: 'Demande de prélèvement',
    text: `${merchantName ?? 'Un marchand'} vous demande l’autorisation de prélever ${termsText(terms, 'fr')}. Ouvrez l’application pour accepter ou refuser.`,
  }
}
