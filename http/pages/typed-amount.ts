// Amounts as people type them into forms: whole francs, in digits or in groups of three. What could be read in two ways,
// like `1500.50`, is read in none.

/** Groups of three digits, all held apart by the same sign. */
const GROUPED = /^[1-9]\d{0,2}([ .,\u00a0\u202f])\d{3}(?:\1\d{3})*$/
const DIGITS = /^\d{1,15}$/
const CURRENCY = /\s*F(?:\s*CFA)?$/i

/** `12500`, `12 500`, `12.500` and `12 500 F CFA` as 12500; null for anything else. */
export function typedAmount(typed: string): number | null {
  const bare = typed.trim().replace(CURRENCY, '')
  const digits = GROUPED.test(bare) ? bare.replaceAll(/\D/g, '') : bare
  return DIGITS.test(digits) ? Number(digits) : null
}
