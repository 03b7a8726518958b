// Payment references of top-ups: eight characters that a person copies to a bank's form. Unique without a look-up, because
// each comes from the sequence of its record.

/** Digits and capitals without 0, 1, I, L and O. Their number is prime, so the check character finds every single error. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const BASE = ALPHABET.length
const LENGTH = 7
const REFERENCES = BASE ** LENGTH

/**
 * Multiplier that is coprime to BASE, so the numbers repeat only after REFERENCES records (27 thousand millions). Neighbours
 * differ in most characters. The product stays a safe integer.
 */
const STEP = 300_007

/** Returns `XXXX-XXXX`; the last character checks the others. */
export function paymentReference(sequence: number): string {
  let rest = ((sequence % REFERENCES) * STEP) % REFERENCES
  const digits: number[] = []
  for (let index = 0; index < LENGTH; index++) {
    digits.push(rest % BASE)
    rest = Math.floor(rest / BASE)
  }
  const text = [...digits, checkDigit(digits)].map((digit) => ALPHABET[digit]).join('')
  return `${text.slice(0, 4)}-${text.slice(4)}`
}

/** Whether the text is a payment reference: one wrong or two swapped characters are found. */
export function isPaymentReference(text: string): boolean {
  const digits = Array.from(text.toUpperCase().replace('-', ''), (character) => ALPHABET.indexOf(character))
  return digits.length === LENGTH + 1 && !digits.includes(-1) && checkDigit(digits.slice(0, LENGTH)) === digits[LENGTH]
}

/** Sum of the digits weighted by 2, 3, 4 …, modulo BASE: as ISBN-10 with another base. */
function checkDigit(digits: readonly number[]): number {
  return digits.reduce((sum, digit, index) => sum + digit * (index + 2), 0) % BASE
}
