// Where the payer's browser goes from the checkout page: the merchant's own address, told which charge it was and what
// became of it.
import type { Charge, ChargeState } from './state.ts'

/** States in which there is nothing left to do on the checkout page. */
const RETURNING: ReadonlySet<ChargeState> = new Set(['paid', 'cancelled', 'expired'])

/**
 * `redirect_url` with `token` and `state` added to its query, whatever it had kept as it was written; empty when none
 * was given, while the charge is open, and once it was refunded.
 */
export function redirectAddress({ redirect_url, token, state }: Pick<Charge, 'redirect_url' | 'token' | 'state'>): string {
  if (redirect_url === '' || !RETURNING.has(state)) return ''
  const hash = redirect_url.indexOf('#')
  const address = hash < 0 ? redirect_url : redirect_url.slice(0, hash)
  const fragment = hash < 0 ? '' : redirect_url.slice(hash)
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  return `${address}${joint}token=${token}&state=${state}${fragment}`
}
