// Reads the recipient of a line: a tag, a phone with `+`, or a phone without it whose country is known. A country is never guessed:
// it is that of the merchant, or the digits begin with the calling code of a country and have its length.

/** Digits of a phone behind the calling code, for West and Central Africa. */
const NATIONAL_DIGITS: Readonly<Record<string, number>> = {
  220: 7, // Gambia
  221: 9, // Senegal
  222: 8, // Mauritania
  223: 8, // Mali
  224: 9, // Guinea
  225: 10, // Côte d'Ivoire
  226: 8, // Burkina Faso
  227: 8, // Niger
  228: 8, // Togo
  229: 10, // Benin
  231: 9, // Liberia
  232: 8, // Sierra Leone
  233: 9, // Ghana
  234: 10, // Nigeria
  235: 8, // Chad
  236: 8, // Central African Republic
  237: 9, // Cameroon
  238: 7, // Cabo Verde
  240: 9, // Equatorial Guinea
  241: 8, // Gabon
  242: 9, // Congo
  245: 9, // Guinea-Bissau
}

/** Countries that write a 0 before the national number at home. */
const TRUNK_ZERO: ReadonlySet<string> = new Set(['231', '232', '233', '234', '241'])

export type RecipientProblem =
  | { readonly code: 'recipient_missing' }
  | { readonly code: 'recipient_without_country' | 'recipient_rounded' | 'recipient_total'; readonly typed: string }
  | { readonly code: 'recipient_two_readings'; readonly typed: string; readonly readings: readonly [string, string] }

/** `isCompleted`: the calling code or the `+` was added, which a person confirms before money moves. */
export interface ReadRecipient {
  readonly recipient: string
  readonly isCompleted: boolean
}

/** Blanks and signs that people write into phones, and marks of direction that chat programs copy along. */
const SEPARATORS = /[\s.()/\u00a0\u2007\u2009\u202f\u2010-\u2015-]/g
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Digits without `+` from which on a text is a phone and no tag; fewer where phones of the merchant's country have fewer. */
const PHONE_DIGITS_MIN = 8
const TYPED_SHOWN_MAX = 40

/** Returns a phone without its separators, and without the apostrophe that our CSV files have before it. Other text stays as it is. */
export function cleanRecipient(cell: string): string {
  const text = cell.replace(INVISIBLE, '').trim()
  if (!/^'?[+@]/.test(text)) return text
  const bare = text.replace(/^'/, '')
  return bare.startsWith('+') ? bare.replace(SEPARATORS, '') : bare
}

/** `callingCode`: that of the merchant's country, `221`; empty where it is not known; null: no phone is completed. */
export function readRecipient(cell: string, callingCode: string | null): ReadRecipient | RecipientProblem {
  const text = cleanRecipient(cell)
  if (text === '') return { code: 'recipient_missing' }
  if (/^[+@]/.test(text)) return { recipient: text, isCompleted: false }
  const typed = text.slice(0, TYPED_SHOWN_MAX)
  if (/^\d(?:[.,]\d*)?E\+?\d{1,2}$/i.test(text)) return { code: 'recipient_rounded', typed }
  if (/^(?:sous[- ]?|grand )?total\b|^somme$/i.test(text)) return { code: 'recipient_total', typed }
  const digits = text.replace(/^'/, '').replace(SEPARATORS, '')
  const digitsMin = Math.min(PHONE_DIGITS_MIN, NATIONAL_DIGITS[callingCode ?? ''] ?? PHONE_DIGITS_MIN)
  if (!/^\d+$/.test(digits) || digits.length < digitsMin) return { recipient: text, isCompleted: false }
  const [first, second] = callingCode === null ? [] : phonesOf(digits, callingCode)
  if (first === undefined) return { code: 'recipient_without_country', typed }
  if (second !== undefined) return { code: 'recipient_two_readings', typed, readings: [first, second] }
  return { recipient: first, isCompleted: true }
}

/** Returns the phones that the digits may be: of the merchant's country, and with the calling code of any country before them. */
function phonesOf(digits: string, callingCode: string): string[] {
  const found = new Set<string>()
  const national = TRUNK_ZERO.has(callingCode) ? digits.replace(/^0/, '') : digits
  if (national.length === NATIONAL_DIGITS[callingCode]) found.add(`+${callingCode}${national}`)
  const international = digits.replace(/^00/, '')
  const code = international.slice(0, 3)
  if (international.length === code.length + (NATIONAL_DIGITS[code] ?? Number.NaN)) found.add(`+${international}`)
  return [...found]
}

/** Whether phones of the country can be completed. */
export function isCallingCode(code: string): boolean {
  return Object.hasOwn(NATIONAL_DIGITS, code)
}

/** Returns the calling code of a phone with `+`, null where it is none of the region. */
export function callingCodeOf(phone: string): string | null {
  const code = phone.slice(1, 4)
  return phone.startsWith('+') && isCallingCode(code) ? code : null
}
