// Payment references of top-ups: eight characters that a person copies to a bank's form.

/** Digits and capitals without 0, 1, I, L and O. Their number is prime, so the check character finds every single error. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const BASE = ALPHABET.length
const LENGTH = 7
const REFERENCES = BASE ** LENGTH

/** Returns `XXXX-XXXX` for a random number; the last character checks the others. There are 27 thousand millions. */
export function paymentReference(random: number): string {
  let rest = random % REFERENCES
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
