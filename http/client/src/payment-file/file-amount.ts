// Reads an amount as people and spreadsheets write it. The grammar accepts what has one reading: digits with blanks or one kind of sign
// between thousands, and decimals where the currency has them. Everything else is a problem, never another amount.
import { BLANK, type FileCurrency, fileCurrency, namesOf } from './file-currency.ts'

/** Unit of whole amounts of a currency with decimals: `1250` of a person is 1 250.00, of a program 12.50. */
export type FileUnit = 'major' | 'smallest'

/** What is wrong with an amount. `readings` of an amount that can be read in two ways. */
export type AmountProblem =
  | { readonly code: 'amount_missing' | 'amount_zero' }
  | { readonly code: 'amount_not_whole' | 'amount_negative' | 'amount_too_large'; readonly typed: string }
  | { readonly code: 'amount_invalid' | 'amount_not_smallest'; readonly typed: string; readonly currency: FileCurrency }
  | { readonly code: 'amount_two_readings'; readonly typed: string; readonly readings: readonly [string, string] }
  | {
      readonly code: 'amount_without_unit'
      readonly typed: string
      readonly readings: readonly [string, string]
      readonly currency: FileCurrency
      /** Unit of the files that are read here. */
      readonly unit: FileUnit
    }

/** A whole number of a currency with decimals: its unit is that of the other amounts of the file. */
export interface UnitlessAmount {
  readonly whole: number
  readonly typed: string
}

const BLANKS = new RegExp(BLANK, 'g')
/** The most frequent form, read without the patterns below. */
const PLAIN = /^[1-9][0-9]{0,12}$/
/** Digits alone, or groups of three with blanks between them; one or two decimals. */
const WITH_BLANKS = new RegExp(`^(0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:${BLANK}[0-9]{3})+)(?:[.,]([0-9]{1,2}))?$`)
/** `1.500.000` and `25,000.00`: the sign comes twice, or another one begins the decimals. */
const WITH_SIGNS = /^([1-9][0-9]{0,2}(?:([.,])[0-9]{3})+)(?:([.,])([0-9]{1,2}))?$/
/** `25.000`: thousands, or decimals. `1500,000` and `25 000,000` have the same two readings. */
const TWO_WAYS = new RegExp(`^([0-9]{1,3}(?:${BLANK}?[0-9]{3})*)([.,])([0-9]{3})$`)
const DECIMAL = new RegExp(`^([0-9]{1,3}(?:${BLANK}[0-9]{3})+|[0-9]+)[.,][0-9]+$`)
const NEGATIVE = /^[-\u2010-\u2015\u2212]|-$|^\(.*\)$/

/** More digits are no amount of any service: 10^12 is the maximum of this one. */
const DIGITS_MAX = 15
/** Characters of a wrong amount that its problem shows. */
const TYPED_SHOWN_MAX = 40

/** Returns the amount in the smallest unit. A whole number of a currency with decimals has no unit unless the currency stands beside it. */
export function readAmount(cell: string, currency: FileCurrency): number | UnitlessAmount | AmountProblem {
  const typed = cell.trim()
  if (typed === '') return { code: 'amount_missing' }
  const { decimals: places } = namesOf(currency)
  if (PLAIN.test(typed)) return places === 0 ? Number(typed) : { whole: Number(typed), typed }
  const bare = withoutCurrency(typed, currency)
  if (/^0+(?:[.,]0{1,2})?$/.test(bare)) return { code: 'amount_zero' }
  const exact = parts(bare)
  if (exact !== null) return amountOf(exact, { typed, isBare: bare === typed, places })
  const [, first, , last] = TWO_WAYS.exec(bare) ?? []
  if (first !== undefined && last !== undefined) return twoReadings(typed, first, last)
  if (NEGATIVE.test(bare)) return { code: 'amount_negative', typed: shortened(typed) }
  if (places === 0 && DECIMAL.test(bare)) return { code: 'amount_not_whole', typed: shortened(typed) }
  return { code: 'amount_invalid', typed: shortened(typed), currency }
}

/** `isBare`: the currency stands on neither side. */
function amountOf(
  [whole, decimals]: Parts,
  { typed, isBare, places }: { readonly typed: string; readonly isBare: boolean; readonly places: 0 | 2 },
): number | UnitlessAmount | AmountProblem {
  if (whole.length > DIGITS_MAX - places) return { code: 'amount_too_large', typed: shortened(typed) }
  if (places === 0) return /[1-9]/.test(decimals) ? { code: 'amount_not_whole', typed: shortened(typed) } : Number(whole)
  return decimals === '' && isBare ? { whole: Number(whole), typed } : Number(`${whole}${decimals.padEnd(places, '0')}`)
}

/** Returns whether the reading is an amount that shows its unit, which is the major one. */
export function showsMajor(read: ReturnType<typeof readAmount>): boolean {
  return typeof read === 'number'
}

/**
 * Returns the amount in the unit of the file. Of a currency with decimals the files of people show major units: by decimals, by the
 * currency beside an amount or in the name of the column. The files of programs have digits alone. So no file has two readings.
 */
export function inUnit(
  read: ReturnType<typeof readAmount>,
  { currency, unit, isMajor }: { readonly currency: FileCurrency; readonly unit: FileUnit; readonly isMajor: boolean },
): number | AmountProblem {
  const places = namesOf(currency).decimals
  if (typeof read === 'number') {
    if (places === 0 || unit === 'major') return read
    return { code: 'amount_not_smallest', typed: writtenAmount(read, currency, 'en'), currency }
  }
  if (!('whole' in read)) return read
  const { whole, typed } = read
  const major = whole * 10 ** places
  if (isMajor === (unit === 'major')) return isMajor ? major : whole
  const readings = [writtenAmount(major, currency, 'fr'), writtenAmount(whole, currency, 'fr')] as const
  return { code: 'amount_without_unit', typed: shortened(typed), readings, currency, unit }
}

/** Returns an amount as typed, without blanks and the name of the currency around it. */
export function withoutCurrency(cell: string, currency: FileCurrency): string {
  return cell.trim().replace(namesOf(currency).around, '')
}

/** Returns an amount of the smallest unit as a payment file has it: `1250`, `12,50` of GHS, in English `12.50`. Read back it is the same. */
export function writtenAmount(amount: number, currency: string, language: 'fr' | 'en'): string {
  const { decimals } = namesOf(fileCurrency(currency))
  if (decimals === 0) return String(amount)
  const text = String(Math.abs(amount)).padStart(decimals + 1, '0')
  return `${amount < 0 ? '-' : ''}${text.slice(0, -decimals)}${language === 'fr' ? ',' : '.'}${text.slice(-decimals)}`
}

/** The two readings of `25.000`: thousands, or decimals. */
function twoReadings(typed: string, first: string, last: string): AmountProblem {
  const whole = first.replace(BLANKS, '')
  const decimals = last.replace(/0+$/, '')
  const readings = [grouped(whole + last), grouped(whole) + (decimals === '' ? '' : `,${decimals}`)] as const
  return { code: 'amount_two_readings', typed: shortened(typed), readings }
}

type Parts = readonly [whole: string, decimals: string]

/** Returns the digits of the whole units and the decimals; null where it is not clear which digits are which. */
function parts(bare: string): Parts | null {
  const [, plain, decimals = ''] = WITH_BLANKS.exec(bare) ?? []
  if (plain !== undefined) return [plain.replace(BLANKS, ''), decimals]
  const [, signed, between, before, behind = ''] = WITH_SIGNS.exec(bare) ?? []
  if (signed === undefined || before === between) return null
  const groups = signed.split(/[.,]/)
  const isOneSign = signed === groups.join(between)
  return isOneSign && (groups.length > 2 || before !== undefined) ? [groups.join(''), behind] : null
}

function shortened(typed: string): string {
  return typed.length > TYPED_SHOWN_MAX ? `${typed.slice(0, TYPED_SHOWN_MAX)}…` : typed
}

/** `25000` as `25 000`, without zeros at its start. */
export function grouped(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '').replace(/\B(?=(?:\d{3})+$)/g, ' ')
}
