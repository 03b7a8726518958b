// The public name of a wallet, without its @.

const TAG = /^[a-z0-9_]{3,20}$/

/** Drops one leading @ and lowers the case; null when what remains is no tag. Rule: API contract, section 1. */
export function normalizeTag(input: string): string | null {
  if (input.length > 64) return null
  const bare = (input.charCodeAt(0) === 64 ? input.slice(1) : input).toLowerCase()
  return TAG.test(bare) ? bare : null
}
