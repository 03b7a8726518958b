// What a payer sees of a charge, from one of its versions: the same on the checkout page, in the app and on the stream.
import type { Checkout } from '../../../engine/contract/checkout.ts'
import type { Charge } from '../../../engine/domain/charge/charge-state.ts'
import type { State } from '../../../engine/domain/state.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'

/** `account` is the merchant's that the charge belongs to. */
export function checkoutOf(state: State, account: AccountNumber, charge: Charge): Checkout {
  const merchant = state.merchants.byAccount(account)
  assert(merchant !== undefined, 'a charge belongs to a merchant')
  const { amount, currency, description, customer_tag, expires_at, redirect_url } = charge
  return {
    state: charge.state,
    amount,
    currency,
    description,
    merchant_name: merchant.name,
    restricted: customer_tag !== '',
    expires_at,
    redirect_url,
  }
}
