// The record of a charge for its payer, from one of its versions: the same on the checkout page, in the app and on
// the stream.
import type { Checkout } from '../contract/checkout.ts'
import type { Charge } from '../domain/charge/charge-state.ts'

export function checkoutOf(merchantName: string, charge: Charge): Checkout {
  const { amount, currency, description, customer_tag, expires_at, redirect_url } = charge
  return {
    state: charge.state,
    amount,
    currency,
    description,
    merchant_name: merchantName,
    restricted: customer_tag !== '',
    expires_at,
    redirect_url,
  }
}
