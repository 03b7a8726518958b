// Amounts as people read and type them, by currency and language. Elsewhere an amount is an integer in the smallest unit.
import { type Currency, DEFAULT_CURRENCIES, decimalsOf, isCurrency, KNOWN_CURRENCIES } from '../../engine/kernel/currency.ts'
import type { Language } from './language.ts'
import { Text } from './text.ts'

const LOCALES: Readonly<Record<Language, string>> = { fr: 'fr-FR', en: 'en-US' }

/**
 * Returns `5 000 F CFA` and `12,50 GH₵` in French, `5,000 F CFA` and `12.50 GH₵` in English, with a minus sign (U+2212) before an
 * amount below zero. `currency` is that of a record: ISO 4217.
 */
export function moneyText(amount: number, currency: string, language: Language): string {
  const known = isCurrency(currency) ? currency : DEFAULT_CURRENCIES[0]
  const digits = decimalsOf(known)
  const figure = formatOf(language, digits).format(amount / 10 ** digits)
  return `${figure.replace('-', '\u2212')}\u00a0${symbolOf(known)}`
}

/** Returns what stands behind an amount, with spaces that do not break. */
export function symbolOf(currency: Currency): string {
  return KNOWN_CURRENCIES[currency].symbol.replaceAll(' ', '\u00a0')
}

export function currencyName(currency: Currency): Text {
  return new Text((language) => KNOWN_CURRENCIES[currency].names[language])
}

/** Intl objects take 20 µs to make. */
const FORMATS = new Map<string, Intl.NumberFormat>()

function formatOf(language: Language, digits: number): Intl.NumberFormat {
  const name = `${language} ${digits}`
  const known = FORMATS.get(name)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(LOCALES[language], { minimumFractionDigits: digits, maximumFractionDigits: digits })
  FORMATS.set(name, made)
  return made
}

/** Whole units with groups of three digits behind one kind of separator. */
const GROUPED = /^[1-9]\d{0,2}([ .,\u00a0\u202f])\d{3}(?:\1\d{3})*$/
const DIGITS = /^\d{1,15}$/
/** Whole units, with blanks between thousands or none, and at most two decimals. */
const WITH_DECIMALS = /^(\d{1,13}|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+)(?:[.,](\d{1,2}))?$/
/** `1.234,50` and `1,234.50`: one sign between thousands, the other one before the decimals. */
const TWO_SIGNS = /^([1-9]\d{0,2}(?:([.,])\d{3})+)(?!\2)[.,](\d{1,2})$/

/**
 * Returns the amount in the smallest unit: 12500 for `12 500` and `12.500 F CFA`, 1250 for `12,50` and `12.5 GH₵`. Returns null for
 * anything else: a text with too many decimals, or that has two readings (`1.234` of a currency with decimals).
 */
export function typedMoney(typed: string, currency: Currency): number | null {
  const bare = withoutName(typed.trim(), currency)
  if (decimalsOf(currency) === 0) {
    const digits = GROUPED.test(bare) ? bare.replaceAll(/\D/g, '') : bare
    return DIGITS.test(digits) ? Number(digits) : null
  }
  const [, whole, decimals = ''] = WITH_DECIMALS.exec(bare) ?? wholeAndDecimals(bare)
  return whole === undefined ? null : Number(`${whole.replaceAll(/\D/g, '')}${decimals.padEnd(decimalsOf(currency), '0')}`)
}

function wholeAndDecimals(bare: string): readonly (string | undefined)[] {
  const [, whole, sign, decimals] = TWO_SIGNS.exec(bare) ?? []
  return whole === undefined || whole.replaceAll(String(sign), '').search(/\D/) >= 0 ? [] : ['', whole, decimals]
}

/** The code, the symbol, or `F` of a franc, at the end. */
function withoutName(text: string, currency: Currency): string {
  const lower = text.toLowerCase().replaceAll(/[\u00a0\u202f]/g, ' ')
  const isFranc = KNOWN_CURRENCIES[currency].symbol.startsWith('F')
  const names = [KNOWN_CURRENCIES[currency].symbol, currency, ...(isFranc ? ['F CFA', 'FCFA', 'F'] : [])]
  const name = names.find((one) => lower.endsWith(one.toLowerCase()))
  return name === undefined ? text : text.slice(0, text.length - name.length).trimEnd()
}

/** Returns the amount as a form shows it again: `12500`, `12,50`. */
export function moneyInput(amount: number, currency: Currency): string {
  const digits = decimalsOf(currency)
  return (amount / 10 ** digits).toFixed(digits).replace('.', ',')
}
