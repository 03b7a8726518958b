// The API key behind a request of a merchant, for its limits.
import type { MerchantPrincipal } from './principal.ts'

/** Returns the id of the API key that the request came with; null for a session. */
export function keyIdOf({ caller }: Pick<MerchantPrincipal, 'caller'>): string | null {
  return caller.kind === 'key' ? caller.id : null
}
