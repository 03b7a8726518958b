// Amounts, in the language of the reader.
import { DEFAULT_CURRENCIES } from '../../../engine/kernel/currency.ts'
import { typedMoney } from '../../text/money.ts'
import { Text } from '../../text/text.ts'
import { amountIn } from '../../workers/gateways/message.ts'

/** Returns `5 000 F CFA`, in English `5,000 F CFA`. */
export function amountText(amount: number, currency: string = DEFAULT_CURRENCIES[0]): Text {
  return new Text((language) => amountIn(amount, language, currency))
}

const COUNTS = { fr: new Intl.NumberFormat('fr-FR'), en: new Intl.NumberFormat('en-GB') } as const

/** Returns `5 000`, in English `5,000`. */
export function countText(count: number): Text {
  return new Text((language) => COUNTS[language].format(count))
}

/** Returns 12500 for `12500`, `12 500`, `12.500` and `12 500 F CFA`. Returns null for anything else. */
export function typedAmount(typed: string): number | null {
  return typedMoney(typed, DEFAULT_CURRENCIES[0])
}
