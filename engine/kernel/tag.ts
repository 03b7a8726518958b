// The public name of a wallet, without its @.

/** Matched before the case is lowered: Unicode lowers the Kelvin sign (U+212A) to k, and it is not allowed in a tag. */
const INPUT = /^@?[A-Za-z0-9_]{3,20}$/

/** Drops one leading @ and lowers the case. Returns null when the result does not match `^[a-z0-9_]{3,20}$`. */
export function normalizeTag(input: string): string | null {
  if (!INPUT.test(input)) return null
  return (input.charCodeAt(0) === 64 ? input.slice(1) : input).toLowerCase()
}
