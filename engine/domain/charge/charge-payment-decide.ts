// Deciders of a charge's payment and refund. Each is one turn, so concurrent requests pay or refund a charge once.
import { type RefundWords, refundedFor } from '../../contract/payment-reason.ts'
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { linkPaidEvent } from '../payment-link/payment-link-payments.ts'
import { type PaymentLinkRow, takesPayments } from '../payment-link/payment-link-state.ts'
import { eventsBefore, feeBorneBy, isBreach, MovementRules, type TakenFee, takenFee } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { paymentFrames } from '../stream/stream-frames.ts'
import type { Wallet } from '../wallet/wallet-state.ts'
import { paymentRefusal } from './charge-decide.ts'
import { redirectAddress } from './charge-redirect.ts'
import { CHARGE_MOVES_FROM, type Charge, type ChargeWithTerms } from './charge-state.ts'
import { chargeFrame, chargeMoved, type FoundCharge, findCharge } from './charge-versions.ts'

/** The caller has checked the PIN; in the test environment there may be none. */
export interface PayCharge {
  readonly type: 'PayCharge'
  readonly token: string
  /** The merchant whose charge it must be; null when the token alone identifies it. */
  readonly merchant: AccountNumber | null
  /** Account number of the wallet that pays. */
  readonly payer: AccountNumber
  /** Challenge of the one-time code that was entered on the checkout page. The payment consumes it. */
  readonly challengeId: string | null
  /**
   * Form of the answer: for the payer in the app, for the checkout page, or (`record`) for the merchant in the test
   * environment.
   */
  readonly answer: 'app' | 'checkout' | 'record'
}

export interface RefundCharge extends RefundWords {
  readonly type: 'RefundCharge'
  readonly merchant: AccountNumber
  readonly token: string
  /** As the caller expects it; absent without an expectation. */
  readonly amount?: Amount
}

export const PAY_CHARGE_REJECTIONS = [
  'not_found',
  'wallet_blocked',
  ...MERCHANT_STOPS,
  'charge_already_paid',
  'charge_expired',
  'charge_cancelled',
  'payment_link_closed',
  'wrong_customer',
  'currency_mismatch',
  'otp_expired',
  'insufficient_balance',
  'limit_exceeded',
  'recipient_limit_exceeded',
] as const

/**
 * Returns `ok`. Rejections, in this precedence: not_found, wallet_blocked, MERCHANT_STOPS, charge_already_paid, charge_expired, charge_cancelled,
 * payment_link_closed, wrong_customer, currency_mismatch, otp_expired, insufficient_balance, limit_exceeded, recipient_limit_exceeded.
 */
export function decidePayCharge(state: State, command: PayCharge, context: Context): Decision<(typeof PAY_CHARGE_REJECTIONS)[number]> {
  const { token, payer, challengeId } = command
  const { accounts } = state
  const found = findCharge(state, token, context)
  const wallet = state.wallets.byAccount(payer)
  if (found === null || wallet === undefined || accounts.environment(payer) !== found.charge.environment) return { refusal: 'not_found' }
  const { charge, account } = found
  if (command.merchant !== null && command.merchant !== account) return { refusal: 'not_found' }
  if (wallet.blocked) return { refusal: 'wallet_blocked' }
  const stop = state.merchants.stopOf(account)
  if (stop !== null) return { refusal: stop }
  const refusal = paymentRefusal(found.state)
  if (refusal !== null) return { refusal }
  const link = linkOf(state, charge)
  if (link === undefined || (link !== null && !takesPayments(link, context.timeMs))) return { refusal: 'payment_link_closed' }
  const mismatch = customerRefusal(state, found, wallet)
  if (mismatch !== null) return { refusal: mismatch }
  // The code was right when it was entered; the challenge must still be open.
  if (challengeId !== null && !state.auth.isGoodFor(challengeId, { subject: token, account: payer }, context.timeMs))
    return { refusal: 'otp_expired' }
  const rules = new MovementRules(state, context)
  if (rules.isShort('charge', payer, account, charge.amount)) return { refusal: 'insufficient_balance' }
  const movement = rules.judge('charge', payer, account, charge.amount)
  if (isBreach(movement)) return movement.breach === 'payer' ? rules.refused(movement, payer) : { refusal: 'recipient_limit_exceeded' }
  const transaction_id = context.newId()
  const progress = { state: 'paid', paid_at: rfc3339(context.timeMs), transaction_id, payer_tag: wallet.tag } as const
  const paid: ChargeWithTerms = { ...charge, ...progress, ...takenFee(movement) }
  const fee = feeBorneBy(movement, payer)
  const used = event('otp.used', 1, state.settlementAccount(charge.environment), { id: challengeId })
  return {
    environment: charge.environment,
    events: [
      ...chargeMoved(state, context, found, paid, 'paid'),
      ...(challengeId === null ? [] : [used]),
      ...(link === null ? [] : [linkPaidEvent(state, link, charge.amount, context)]),
    ],
    transactions: [rules.transaction(movement, { id: transaction_id, reference: charge.reference, eventIndex: 0 })],
    frames: [...paymentFrames(payer, 'payment.sent', 0), chargeFrame(payer)],
    kind: 'ok',
    body: paymentAnswer(command.answer, paid, fee, accounts.balance(payer) - charge.amount - fee),
  }
}

/** Returns why the charge is not for the wallet; null when it is. */
function customerRefusal(
  { accounts }: State,
  { charge: { customer_tag }, account }: FoundCharge,
  wallet: Wallet,
): 'wrong_customer' | 'currency_mismatch' | null {
  if (customer_tag !== '' && customer_tag !== wallet.tag) return 'wrong_customer'
  return accounts.isSameLedger(wallet.account, account) ? null : 'currency_mismatch'
}

/** Returns the link that made the charge; undefined when it closed so long ago that live state has forgotten it, null for other charges. */
function linkOf(state: State, { payment_link_id }: Charge): PaymentLinkRow | undefined | null {
  return payment_link_id === undefined ? null : state.paymentLinks.rows.get(payment_link_id)
}

export const REFUND_CHARGE_REJECTIONS = [
  'not_found',
  ...MERCHANT_STOPS,
  'partial_refund_unsupported',
  'charge_already_refunded',
  'charge_not_paid',
  'recipient_limit_exceeded',
  'funds_paid_out',
] as const

/**
 * Returns `ok` and the charge. A blocked wallet is refunded too. Rejections, in this precedence: not_found, MERCHANT_STOPS,
 * partial_refund_unsupported, charge_already_refunded, charge_not_paid, recipient_limit_exceeded, funds_paid_out.
 */
export function decideRefundCharge(
  state: State,
  command: RefundCharge,
  context: Context,
): Decision<(typeof REFUND_CHARGE_REJECTIONS)[number]> {
  const found = findCharge(state, command.token, context)
  if (found === null || found.account !== command.merchant) return { refusal: 'not_found' }
  const { charge, account } = found
  const stop = state.merchants.stopOf(account)
  if (stop !== null) return { refusal: stop }
  if (command.amount !== undefined && command.amount !== charge.amount) return { refusal: 'partial_refund_unsupported', param: 'amount' }
  if (found.state === 'refunded') return { refusal: 'charge_already_refunded' }
  if (found.state !== CHARGE_MOVES_FROM.refunded) return { refusal: 'charge_not_paid' }
  const payer = state.wallets.byTag(charge.environment, charge.payer_tag ?? '')
  assert(payer !== undefined, 'a paid charge has a payer')
  const rules = new MovementRules(state, context)
  const posting = { debit: account, credit: payer.account, amount: charge.amount }
  const movement = rules.judgeRefund(posting, { fee: charge.fee, ...termsOfFound(found) }, 'charge')
  if (isBreach(movement)) return { refusal: 'recipient_limit_exceeded' }
  if (!rules.coversRefund(movement)) return { refusal: 'funds_paid_out' }
  const refund_transaction_id = context.newId()
  const moved = { state: 'refunded', refunded_at: rfc3339(context.timeMs), refund_transaction_id } as const
  const refunded: Charge = { ...charge, ...moved, ...refundedFor(command) }
  return {
    environment: charge.environment,
    events: chargeMoved(state, context, found, refunded, 'refunded', eventsBefore(movement)),
    transactions: [rules.transaction(movement, { id: refund_transaction_id, reference: charge.reference, eventIndex: 0 })],
    frames: [...paymentFrames(payer.account, 'payment.received', 0), chargeFrame(payer.account)],
    kind: 'ok',
    body: 0,
  }
}

function termsOfFound({ feeTerms }: FoundCharge): Pick<TakenFee, 'fee_terms'> {
  return feeTerms === undefined ? {} : { fee_terms: feeTerms }
}

/** `fee`: what the payer bears. */
function paymentAnswer(answer: PayCharge['answer'], charge: Charge, fee: Amount, balanceAfter: number): string | number {
  const { state, transaction_id, amount, currency } = charge
  if (answer === 'app') return JSON.stringify({ state, transaction_id, amount, currency, fee, balance_after: balanceAfter })
  if (answer === 'checkout') return JSON.stringify({ state, redirect_url: redirectAddress(charge) })
  return 0
}
