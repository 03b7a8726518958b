// Paying a bill: the money goes from the wallet to the merchant in one turn, the quote is used up in the same one.
// What the merchant's code does about it comes later and changes nothing here. The caller has checked the PIN.
import { assert } from '../../kernel/assert.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Decision } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { quotaRefusal } from '../quotas.ts'
import { type AllowedMovement, feeBorneBy, isBreach, MovementRules, takenFee } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { paymentFrames, plannedFrame } from '../stream/stream-frames.ts'
import { type Bill, billOf, type Choice } from './bill-amount.ts'
import { OPEN_FULFILLMENTS } from './bill-limits.ts'
import type { Fulfillment, RecordedBillPayment } from './bill-state.ts'
import { findQuote } from './bill-versions.ts'
import { paidEvents } from './fulfillment-decide.ts'
import { findPayable, type Payable } from './payable.ts'

export interface PayBill extends Choice {
  readonly type: 'PayBill'
  /** The wallet that pays. */
  readonly payer: AccountNumber
  /** Slugs. */
  readonly biller: string
  readonly product: string
}

export const PAY_BILL_REJECTIONS = [
  'wallet_blocked',
  ...MERCHANT_STOPS,
  'biller_not_found',
  'product_not_found',
  'product_inactive',
  'currency_mismatch',
  'invalid_request',
  'not_found',
  'invalid_form_values',
  'amount_out_of_bounds',
  'package_not_found',
  'quote_expired',
  'quote_used',
  'insufficient_balance',
  'limit_exceeded',
  'recipient_limit_exceeded',
  'quota_exceeded',
] as const

/**
 * Returns `ok`. Rejections, in this precedence: wallet_blocked, biller_not_found, product_not_found, product_inactive, MERCHANT_STOPS,
 * currency_mismatch, invalid_request (a choice that the product's mode does not take, or an amount that is another by now), then in mode
 * `lookup` not_found, quote_used, quote_expired, in the others invalid_form_values, package_not_found,
 * amount_out_of_bounds; at last insufficient_balance, limit_exceeded, recipient_limit_exceeded, quota_exceeded (of
 * the merchant).
 */
export function decidePayBill(state: State, command: PayBill, context: Context): Decision<(typeof PAY_BILL_REJECTIONS)[number]> {
  const { payer, biller, product } = command
  const { accounts } = state
  const environment = accounts.environment(payer)
  const wallet = state.wallets.byAccount(payer)
  assert(wallet !== undefined, 'a wallet pays')
  if (wallet.blocked) return { refusal: 'wallet_blocked' }
  const payable = findPayable(state, context.past, { environment, biller, product })
  if (typeof payable === 'string') return { refusal: payable }
  const stop = state.merchants.stopOf(payable.merchant.accounts[environment])
  if (stop !== null) return { refusal: stop }
  const merchant = payable.merchant.accounts[environment]
  if (!accounts.isSameLedger(payer, merchant)) return { refusal: 'currency_mismatch' }
  const use = { payer, environment, tag: wallet.tag, biller, product }
  const bill = billOf(payable.definition, command, (id) => findQuote(context, { id, ...use }))
  if ('refusal' in bill) return bill
  const { amount } = bill
  const rules = new MovementRules(state, context)
  if (rules.isShort('bill', payer, merchant, amount)) return { refusal: 'insufficient_balance' }
  const movement = rules.judge('bill', payer, merchant, amount)
  if (isBreach(movement)) return movement.breach === 'payer' ? rules.refused(movement, payer) : { refusal: 'recipient_limit_exceeded' }
  const full = payable.definition.fulfillment_mode === 'code' ? quotaRefusal(state, OPEN_FULFILLMENTS, merchant) : null
  if (full !== null) return full
  const payment = paymentOf(state, context, { payable, bill, payerTag: wallet.tag, account: merchant, movement })
  const { transaction_id, charge_id, paid_at, biller_ref } = payment
  const fee = feeBorneBy(movement, payer)
  const balance_after = accounts.balance(payer) - amount - fee
  const answer = { transaction_id, charge_id, amount, currency: payment.currency, fee, balance_after, paid_at }
  return {
    environment,
    events: paidEvents(state, context, merchant, payment),
    transactions: [rules.transaction(movement, { id: transaction_id, reference: biller_ref, eventIndex: 0 })],
    frames: [...paymentFrames(payer, 'payment.sent', 0), plannedFrame(payer, 'bill.paid', 0)],
    kind: 'ok',
    body: JSON.stringify(answer),
  }
}

interface Paying {
  readonly payable: Payable
  readonly bill: Bill
  readonly payerTag: string
  /** Account number of the merchant. */
  readonly account: AccountNumber
  readonly movement: AllowedMovement
}

function paymentOf(state: State, context: Context, { payable, bill, payerTag, account, movement }: Paying): RecordedBillPayment {
  const { biller, product, definition, merchant } = payable
  const { amount, form_values, biller_ref, quote_id, package_id } = bill
  return {
    charge_id: context.newId(),
    transaction_id: context.newId(),
    merchant_id: merchant.id,
    biller: biller.slug,
    product: product.slug,
    amount,
    currency: state.accounts.currency(account),
    ...takenFee(movement),
    biller_ref,
    form_values,
    environment: state.accounts.environment(account),
    paid_at: rfc3339(context.timeMs),
    payer_tag: payerTag,
    quote_id,
    package_id,
    product_position: product.position,
    fulfillment: definition.fulfillment_mode === 'code' ? PENDING : NONE,
  }
}

const NONE: Fulfillment = { state: 'none', error: null, duration_ms: null }
const PENDING: Fulfillment = { state: 'pending', error: null, duration_ms: null }
