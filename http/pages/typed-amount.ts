// Parses typed amounts: whole francs, with or without groups of three digits. An ambiguous text such as `1500.50` is
// invalid.

/** Matches groups of three digits with one kind of separator. */
const GROUPED = /^[1-9]\d{0,2}([ .,\u00a0\u202f])\d{3}(?:\1\d{3})*$/
const DIGITS = /^\d{1,15}$/
const CURRENCY = /\s*F(?:\s*CFA)?$/i

/** Returns 12500 for `12500`, `12 500`, `12.500` and `12 500 F CFA`. Returns null for anything else. */
export function typedAmount(typed: string): number | null {
  const bare = typed.trim().replace(CURRENCY, '')
  const digits = GROUPED.test(bare) ? bare.replaceAll(/\D/g, '') : bare
  return DIGITS.test(digits) ? Number(digits) : null
}
