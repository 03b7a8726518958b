// Amounts of titles, in the language of the reader.
import { amountIn } from '../workers/gateways/message.ts'
import { Localized } from './html.ts'

/** Returns `5 000 F CFA`, in English `5,000 F CFA`. */
export function amountText(amount: number, currency: string): Localized {
  return new Localized((language) => amountIn(amount, language, currency))
}
