// Recipients of payouts as people type and read them.
import { isPhone } from '../../../engine/kernel/recipient.ts'

/** Blanks and signs that people write into phone numbers. */
const SEPARATORS = /[\s.()\u00a0\u202f-]/g

/**
 * Returns a phone without its separators, and without the apostrophe that our CSV files have before it. Any other text
 * stays as it is: the API validates it.
 */
export function typedRecipient(text: string): string {
  const trimmed = text.trim()
  return /^'?\+/.test(trimmed) ? trimmed.replace(/^'/, '').replaceAll(SEPARATORS, '') : trimmed
}

/** Returns the phone, or the tag with its `@`. */
export function recipientText(recipient: string): string {
  return isPhone(recipient) ? recipient : `@${recipient}`
}
