// The recipient of a payout: the tag of a wallet, or its phone in E.164.
import { isPhoneWithoutPlus, normalizeTag } from './tag.ts'

const PHONE = /^\+[1-9][0-9]{7,14}$/
const PLUS = 43

/** Returns whether a recipient is written as a phone. A tag never begins with a plus sign. */
export function isPhone(recipient: string): boolean {
  return recipient.charCodeAt(0) === PLUS
}

/** Returns the phone unchanged, or the normalized tag; null when the text is neither, as a phone without its plus sign. */
export function normalizeRecipient(input: string): string | null {
  if (input.charCodeAt(0) !== PLUS) return isPhoneWithoutPlus(input) ? null : normalizeTag(input)
  return PHONE.test(input) ? input : null
}
