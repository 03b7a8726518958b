// French text of mandates, amount and interval, for pushes and the approval page.
import type { Mandate } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { prettyAmount } from './message.ts'

type Terms = Pick<Mandate, 'amount' | 'max_amount' | 'interval'>

const RHYTHMS: Readonly<Record<Mandate['interval'], string>> = {
  weekly: 'par semaine',
  monthly: 'par mois',
  yearly: 'par an',
  on_demand: 'à chaque demande',
}

/**
 * Returns the terms: `5 000 F CFA par mois`, `jusqu’à 10 000 F CFA à chaque demande`. An amount without an interval
 * is a maximum.
 */
export function termsText({ amount, max_amount, interval }: Terms): string {
  const rhythm = RHYTHMS[interval]
  if (amount !== null && interval !== 'on_demand') return `${prettyAmount(amount)} ${rhythm}`
  const ceiling = max_amount ?? amount
  assert(ceiling !== null, 'a mandate has an amount or a ceiling')
  return `jusqu’à ${prettyAmount(ceiling)} ${rhythm}`
}

/** Returns title and body of the push. `merchantName` is null for a name that is not plain (see merchant-name.ts). */
export function requestedText(terms: Terms, merchantName: string | null): { readonly title: string; readonly text: string } {
  return {
    title: 'Demande de prélèvement',
    text: `${merchantName ?? 'Un marchand'} vous demande l’autorisation de prélever ${termsText(terms)}. Ouvrez l’application pour accepter ou refuser.`,
  }
}
