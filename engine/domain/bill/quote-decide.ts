// Quotes: what a lookup said is due, held for one wallet for a while. The lookup itself was made outside.
import { assert } from '../../kernel/assert.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { feeOf, payerFee } from '../rules/fees.ts'
import type { State } from '../state.ts'
import { QUOTE_VALIDITY_MS } from './bill-limits.ts'
import type { AmountDue, FormValues, Quote } from './bill-state.ts'
import { findPayable } from './payable.ts'

export interface CreateQuote {
  readonly type: 'CreateQuote'
  /** The wallet that asked. */
  readonly payer: AccountNumber
  /** Slugs. */
  readonly biller: string
  readonly product: string
  readonly formValues: FormValues
  /** Null for a replay: its key has a quote already, so there is no new lookup. */
  readonly due: AmountDue | null
}

export const CREATE_QUOTE_REJECTIONS = [
  'wallet_blocked',
  'biller_not_found',
  'product_not_found',
  'product_inactive',
  ...MERCHANT_STOPS,
  'currency_mismatch',
] as const

/**
 * Returns `created` and the quote. Rejections: wallet_blocked, biller_not_found, product_not_found, product_inactive,
 * MERCHANT_STOPS, currency_mismatch (all since the lookup began).
 */
export function decideCreateQuote(
  state: State,
  command: CreateQuote,
  context: Context,
): Decision<(typeof CREATE_QUOTE_REJECTIONS)[number]> {
  const { payer, biller, product, formValues, due } = command
  assert(due !== null, 'a new quote stands on a lookup')
  const environment = state.accounts.environment(payer)
  if (state.wallets.byAccount(payer)?.blocked === true) return { refusal: 'wallet_blocked' }
  const payable = findPayable(state, context.past, { environment, biller, product })
  if (typeof payable === 'string') return { refusal: payable }
  const stop = state.merchants.stopOf(payable.merchant.accounts[environment])
  if (stop !== null) return { refusal: stop }
  if (!state.accounts.isSameLedger(payer, payable.merchant.accounts[environment])) return { refusal: 'currency_mismatch' }
  const { amount, currency, label, customer_name, biller_ref, line_items } = due
  const fee = payerFee(feeOf(state, 'bill', payable.merchant.accounts[environment], amount))
  const quote: Quote = {
    id: context.newId(),
    ...{ biller, product, amount, currency, fee, label, customer_name, biller_ref, line_items },
    form_values: formValues,
    state: 'active',
    created_at: rfc3339(context.timeMs),
    expires_at: rfc3339(context.timeMs + QUOTE_VALIDITY_MS),
  }
  return { environment, events: [event('quote.created', 1, payer, quote)], transactions: [], frames: [], kind: 'created', body: 0 }
}
