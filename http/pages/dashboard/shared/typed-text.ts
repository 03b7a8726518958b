// Converts typed text for the API. Invalid text is passed on unchanged: the API validates it.

import { isPhone } from '../../../../engine/kernel/recipient.ts'
import { typedAmount } from '../../shared/amount-text.ts'

/** Returns 12500 for `12 500`, `12.500` or `12 500 F`, 1250 for `12,50` of GHS. Anything else stays text, which the API rejects. */
export function amountOf(typed: string, currency: string): number | string {
  return typedAmount(typed, currency) ?? typed
}

/** Returns 12500 for `12 500` or `12.500`. Anything else stays text, which the API rejects. */
export function countOf(typed: string): number | string {
  return typedAmount(typed, 'XOF') ?? typed
}

/** Returns the UTC time of two fields, as browsers send them: `2026-11-22` and `08:00`. */
export function timeOf(date: string, time: string): string {
  return `${date.trim()}T${time.trim()}:00Z`
}

/** Returns the body without empty fields. */
export function filled(body: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
}

/** Returns null for text that is no JSON: the API has an error code for it. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    // The text is incomplete while the author is typing.
    return null
  }
}

/** Returns the phone, or the tag with its `@`. */
export function recipientText(recipient: string): string {
  return isPhone(recipient) ? recipient : `@${recipient}`
}
