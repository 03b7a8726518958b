// Reads an amount as people and spreadsheets write it. The grammar accepts what has one reading: whole francs, with blanks or one
// kind of sign between thousands, and with decimals that are zero. Everything else is a problem, never another amount.

/** What is wrong with an amount. `readings` of an amount that can be read in two ways. */
export type AmountProblem =
  | { readonly code: 'amount_missing' | 'amount_zero' }
  | { readonly code: 'amount_not_whole' | 'amount_negative' | 'amount_too_large' | 'amount_invalid'; readonly typed: string }
  | { readonly code: 'amount_two_readings'; readonly typed: string; readonly readings: readonly [string, string] }

/** Blanks that programs write between thousands: space, no-break space, figure, thin and narrow no-break space. */
const BLANK = '[ \\u00a0\\u2007\\u2009\\u202f]'
const BLANKS = new RegExp(BLANK, 'g')
const CURRENCY = new RegExp(`^(?:XOF|F\\.?${BLANK}*CFA)${BLANK}*|${BLANK}*(?:XOF|CFA|F\\.?${BLANK}*CFA|F)\\.?$`, 'gi')

/** The most frequent form, read without the patterns below. */
const PLAIN = /^[1-9][0-9]{0,14}$/
/** Whole francs: digits alone, or groups of three with blanks between them. Decimals are zero. */
const WITH_BLANKS = new RegExp(`^([1-9][0-9]*|[1-9][0-9]{0,2}(?:${BLANK}[0-9]{3})+)(?:[.,]0{1,2})?$`)
/** `1.500.000` and `25,000.00`: the sign comes twice, or another one begins the decimals. */
const WITH_SIGNS = /^([1-9][0-9]{0,2}(?:([.,])[0-9]{3})+)(?:([.,])0{1,2})?$/
/** `25.000`: thousands, or decimals. `1500,000` and `25 000,000` have the same two readings. */
const TWO_WAYS = new RegExp(`^([0-9]{1,3}(?:${BLANK}?[0-9]{3})*)([.,])([0-9]{3})$`)
const DECIMAL = new RegExp(`^([0-9]{1,3}(?:${BLANK}[0-9]{3})+|[0-9]+)[.,][0-9]+$`)
const NEGATIVE = /^[-\u2010-\u2015\u2212]|-$|^\(.*\)$/

/** More digits are no amount of any service: 10^12 is the maximum of this one. */
const DIGITS_MAX = 15
/** Characters of a wrong amount that its problem shows. */
const TYPED_SHOWN_MAX = 40

export function readAmount(cell: string): number | AmountProblem {
  const typed = cell.trim()
  if (typed === '') return { code: 'amount_missing' }
  if (PLAIN.test(typed)) return Number(typed)
  const bare = withoutCurrency(typed)
  const whole = wholeDigits(bare)
  if (whole !== null) return whole.length > DIGITS_MAX ? problem('amount_too_large', typed) : Number(whole)
  if (/^0+(?:[.,]0{1,2})?$/.test(bare)) return { code: 'amount_zero' }
  const [, first, , last] = TWO_WAYS.exec(bare) ?? []
  if (first !== undefined && last !== undefined) return twoReadings(typed, first, last)
  if (NEGATIVE.test(bare)) return problem('amount_negative', typed)
  return problem(DECIMAL.test(bare) ? 'amount_not_whole' : 'amount_invalid', typed)
}

/** Returns an amount as typed, without blanks and the name of the currency around it. */
export function withoutCurrency(cell: string): string {
  return cell.trim().replace(CURRENCY, '')
}

/** The two readings of `25.000`: thousands, or decimals. */
function twoReadings(typed: string, first: string, last: string): AmountProblem {
  const whole = first.replace(BLANKS, '')
  const decimals = last.replace(/0+$/, '')
  const readings = [grouped(whole + last), grouped(whole) + (decimals === '' ? '' : `,${decimals}`)] as const
  return { code: 'amount_two_readings', typed: shortened(typed), readings }
}

function wholeDigits(bare: string): string | null {
  const plain = WITH_BLANKS.exec(bare)?.[1]
  if (plain !== undefined) return plain.replace(BLANKS, '')
  const [, signed, between, before] = WITH_SIGNS.exec(bare) ?? []
  if (signed === undefined || before === between) return null
  const groups = signed.split(/[.,]/)
  const isOneSign = signed === groups.join(between)
  return isOneSign && (groups.length > 2 || before !== undefined) ? groups.join('') : null
}

function problem(code: 'amount_not_whole' | 'amount_negative' | 'amount_too_large' | 'amount_invalid', typed: string): AmountProblem {
  return { code, typed: shortened(typed) }
}

function shortened(typed: string): string {
  return typed.length > TYPED_SHOWN_MAX ? `${typed.slice(0, TYPED_SHOWN_MAX)}…` : typed
}

/** `25000` as `25 000`, without zeros at its start. */
export function grouped(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '').replace(/\B(?=(?:\d{3})+$)/g, ' ')
}
