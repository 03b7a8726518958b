// Where the payer's browser goes from the checkout page: the merchant's own address, told which charge it was and what
// became of it.
import type { Charge, ChargeState } from './charge-state.ts'

/** States in which there is nothing left to do on the checkout page. */
const RETURNING: ReadonlySet<ChargeState> = new Set(['paid', 'cancelled', 'expired'])

/**
 * `redirect_url` with `token` and `state` added to its query, whatever it had kept as it was written; empty when none
 * was given, while the charge is open, and once it was refunded.
 */
export function redirectAddress({ redirect_url, token, state }: Pick<Charge, 'redirect_url' | 'token' | 'state'>): string {
  return redirect_url === '' || !RETURNING.has(state) ? '' : addToQuery(redirect_url, { token, state })
}

/** The address with token and state added to its query, whatever it had kept as it was written. */
export function addToQuery(redirectUrl: string, { token, state }: { readonly token: string; readonly state: string }): string {
  const hash = redirectUrl.indexOf('#')
  const address = hash < 0 ? redirectUrl : redirectUrl.slice(0, hash)
  const fragment = hash < 0 ? '' : redirectUrl.slice(hash)
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  return `${address}${joint}token=${token}&state=${state}${fragment}`
}
