// Check digits of bank accounts: IBAN (ISO 13616, check digits of ISO 7064 MOD 97-10) and the RIB of the UEMOA (BCEAO; the key of the
// French RIB over bank, branch and account).

const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/
/** Country and bank, branch, account, key: 5, 5, 12 and 2 characters. */
const RIB = /^[A-Z]{2}[0-9]{3}[0-9]{5}[A-Z0-9]{12}[0-9]{2}$/
/** Countries of the UEMOA: an IBAN there is their RIB of 24 characters behind four more. */
const UEMOA: ReadonlySet<string> = new Set(['BJ', 'BF', 'CI', 'GW', 'ML', 'NE', 'SN', 'TG'])
const UEMOA_IBAN_LENGTH = 28
const KEY_LENGTH = 2

/** Returns the account without blanks, dots and dashes, in capitals; null for one that is neither a right IBAN nor a right RIB. */
export function bankAccount(typed: string): string | null {
  const account = typed.toUpperCase().replaceAll(/[\s.-]/g, '')
  return isIban(account) || isRib(account) ? account : null
}

function isIban(account: string): boolean {
  if (!IBAN.test(account) || (UEMOA.has(account.slice(0, 2)) && account.length !== UEMOA_IBAN_LENGTH)) return false
  return remainder97(Array.from(account.slice(4) + account.slice(0, 4), (one) => String(Number.parseInt(one, 36))).join('')) === 1
}

/** A letter counts as a digit: A and J as 1, B, K and S as 2, and so on. */
function isRib(account: string): boolean {
  if (!RIB.test(account) || !UEMOA.has(account.slice(0, 2))) return false
  return remainder97(account.replaceAll(/[A-Z]/g, ribDigit)) === 0 && Number(account.slice(-KEY_LENGTH)) > 0
}

function ribDigit(letter: string): string {
  const index = letter.charCodeAt(0) - 'A'.charCodeAt(0)
  // S begins the third row of the table at 2.
  return String(index < 18 ? (index % 9) + 1 : index - 16)
}

function remainder97(digits: string): number {
  return Number(BigInt(digits) % 97n)
}
