// The public name of a wallet, without its @.

/** ASCII before the case is lowered: the Kelvin sign (U+212A) is no k, though Unicode says that its lower case is one. */
const INPUT = /^@?[A-Za-z0-9_]{3,20}$/

/** Drops one leading @ and lowers the case; null when what remains is no tag: `^[a-z0-9_]{3,20}$`. */
export function normalizeTag(input: string): string | null {
  if (!INPUT.test(input)) return null
  return (input.charCodeAt(0) === 64 ? input.slice(1) : input).toLowerCase()
}
