// Amounts, in the language of the reader.
import { type Currency, DEFAULT_CURRENCIES, decimalsOf, isCurrency, KNOWN_CURRENCIES } from '../../../engine/kernel/currency.ts'
import { moneyInput, symbolOf, typedMoney } from '../../text/money.ts'
import { composed, Text, wordsIn } from '../../text/text.ts'
import { amountIn } from '../../workers/gateways/message.ts'
import { WORDS } from './shared-words.ts'

/** Returns `5 000 F CFA`, in English `5,000 F CFA`. */
export function amountText(amount: number, currency: string): Text {
  return new Text((language) => amountIn(amount, language, currency))
}

const COUNTS = { fr: new Intl.NumberFormat('fr-FR'), en: new Intl.NumberFormat('en-GB') } as const

/** Returns `5 000`, in English `5,000`. */
export function countText(count: number): Text {
  return new Text((language) => COUNTS[language].format(count))
}

/** Returns a count with its noun. In English 0 has the plural, in French it has not. */
export function countedText(count: number, one: Text | string, many: Text | string): Text {
  return new Text(
    (language) => `${COUNTS[language].format(count)} ${wordsIn((language === 'en' ? count !== 1 : count > 1) ? many : one, language)}`,
  )
}

/** Returns 12500 for `12500`, `12 500`, `12.500` and `12 500 F CFA`, 1250 for `12,50` of GHS. Returns null for anything else. */
export function typedAmount(typed: string, currency: string): number | null {
  return typedMoney(typed, known(currency))
}

/** Returns the symbol of a currency as labels and sentences have it: `F CFA`. */
export function currencySymbol(currency: string): string {
  return KNOWN_CURRENCIES[known(currency)].symbol
}

/** Returns what a form for an amount asks for, within a sentence: `un montant entier, en F CFA`, `un montant en GH₵, …`. */
export function wantedAmount(currency: string): Text {
  const symbol = currencySymbol(currency)
  return decimalsOf(known(currency)) === 0 ? WORDS.wholeAmountIn(symbol) : WORDS.amountWithDecimalsIn(symbol)
}

/** Returns the keyboard of a telephone for an amount. */
export function amountKeyboard(currency: string): 'numeric' | 'decimal' {
  return decimalsOf(known(currency)) === 0 ? 'numeric' : 'decimal'
}

/** Returns the amount in major units, as axes and counters of pieces need it: 12.5 for 1250 of GHS. */
export function majorUnits(amount: number, currency: string): number {
  return amount / 10 ** decimalsOf(known(currency))
}

/** Returns the amount as a form shows it again: `12500`, `12,50` of GHS. */
export function amountInput(amount: number, currency: string): string {
  return moneyInput(amount, known(currency))
}

/** Returns the label of a field for an amount: `Montant (GH₵)`. */
export function amountLabel(currency: string): Text {
  return composed`${WORDS.amount} (${symbolOf(known(currency))})`
}

/** Returns what to type where an amount cannot be read. */
export function amountWanted(currency: string): Text {
  return decimalsOf(known(currency)) === 0 ? WORDS.typeAmountInFrancsWithout : WORDS.typeAmountWithTwoDecimals
}

function known(currency: string): Currency {
  return isCurrency(currency) ? currency : DEFAULT_CURRENCIES[0]
}
