// The record of a charge for its payer, from one of its versions: the same on the checkout page, in the app and on
// the stream.
import type { Checkout } from '../contract/checkout.ts'
import type { Charge } from '../domain/charge/charge-state.ts'
import type { Logo } from '../domain/logo-files.ts'
import type { MerchantRow } from '../domain/merchant/merchant-state.ts'
import { type FeeTerms, feeOf, payerFee } from '../domain/rules/fees.ts'
import type { State } from '../domain/state.ts'
import type { Amount } from '../kernel/amount.ts'
import type { AccountNumber } from '../ledger/transaction.ts'

/** What a customer sees of a merchant today. */
export interface ShownMerchant {
  readonly merchantName: string
  readonly merchantAddress: string | null
  /** Null before an operator has approved one. */
  readonly merchantLogo: Logo | null
}

export function shownMerchant({ name, profile, logo }: MerchantRow): ShownMerchant {
  return { merchantName: name, merchantAddress: profile?.address ?? null, merchantLogo: logo ?? null }
}

/** Fields that follow the moment. */
type OfToday = 'fee' | 'merchant_address' | 'merchant_logo_url'

/** Without fields that follow the moment: a frame reads the same for ever. */
export function checkoutOf(merchantName: string, charge: Charge): Omit<Checkout, OfToday> {
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

/** Returns what the payer bears of the charge's fee: what was taken, or before the payment what the rules say now. */
export function payerFeeOf(
  state: State,
  { fee, amount, transaction_id }: Charge,
  account: AccountNumber,
  terms: FeeTerms | undefined,
): Amount {
  if (transaction_id === null) return payerFee(feeOf(state, 'charge', account, amount))
  return terms === undefined ? 0 : payerFee({ ...terms, amount: fee })
}
