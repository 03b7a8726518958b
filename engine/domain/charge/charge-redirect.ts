// The address to which the checkout page sends the payer's browser: the merchant's, with token and state of the
// charge.
import type { Charge, ChargeState } from './charge-state.ts'

/** States in which the checkout page has no further action. */
const RETURNING: ReadonlySet<ChargeState> = new Set(['paid', 'cancelled', 'expired'])

/**
 * Returns `redirect_url` with `token` and `state` added to its query and the rest unchanged. Empty when the charge
 * has none, while it is open, and once it was refunded.
 */
export function redirectAddress({ redirect_url, token, state }: Pick<Charge, 'redirect_url' | 'token' | 'state'>): string {
  return redirect_url === '' || !RETURNING.has(state) ? '' : addToQuery(redirect_url, { token, state })
}

/** Returns the address with token and state added to its query and the rest unchanged. */
export function addToQuery(redirectUrl: string, { token, state }: { readonly token: string; readonly state: string }): string {
  const hash = redirectUrl.indexOf('#')
  const address = hash < 0 ? redirectUrl : redirectUrl.slice(0, hash)
  const fragment = hash < 0 ? '' : redirectUrl.slice(hash)
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  return `${address}${joint}token=${token}&state=${state}${fragment}`
}
