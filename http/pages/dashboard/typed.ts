// What people type into forms, as the API takes it. What cannot be understood is handed on as it is: the API says what is
// wrong with it.
import { typedAmount } from '../typed-amount.ts'

/** `12 500`, `12.500` or `12 500 F` as 12500; anything else stays text, which no amount is. */
export function amountOf(typed: string): number | string {
  return typedAmount(typed) ?? typed
}

/** The body without the fields that were left empty. */
export function filled(body: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
}

/** Null for what is no JSON: the API has a code for that. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    // Whoever is still typing has none yet.
    return null
  }
}
