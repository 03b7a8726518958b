// Refund of a paid bill: the whole amount returns to the payer in one turn, once. Code that waits is not started any more.

import { type RefundWords, refundedFor } from '../../contract/payment-reason.ts'
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import type { Position } from '../../kernel/position.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { isBreach, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { paymentFrames, plannedFrame } from '../stream/stream-frames.ts'
import type { BillRefund, BillRefunded, CountedFulfillment, RecordedBillPayment } from './bill-state.ts'
import { billAt, billText, outcomeOf, startsOf } from './bill-versions.ts'
import { billPaidEvents } from './fulfillment-decide.ts'

export interface RefundBill extends RefundWords {
  readonly type: 'RefundBill'
  readonly merchant: AccountNumber
  /** Position of the `bill.paid` event. */
  readonly position: Position
  /** As the caller expects it; absent without an expectation. */
  readonly amount?: Amount
}

export const REFUND_BILL_REJECTIONS = [
  'not_found',
  ...MERCHANT_STOPS,
  'partial_refund_unsupported',
  'bill_already_refunded',
  'recipient_limit_exceeded',
  'funds_paid_out',
] as const

/**
 * Returns `ok` and the record. A blocked wallet is refunded too. Rejections, in this precedence: not_found,
 * MERCHANT_STOPS, partial_refund_unsupported, bill_already_refunded, recipient_limit_exceeded, funds_paid_out.
 */
export function decideRefundBill(state: State, command: RefundBill, context: Context): Decision<(typeof REFUND_BILL_REJECTIONS)[number]> {
  const { merchant, position, amount: expected } = command
  const payment = billAt(context.past, merchant, position)
  if (payment === null) return { refusal: 'not_found' }
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  if (expected !== undefined && expected !== payment.amount) return { refusal: 'partial_refund_unsupported', param: 'amount' }
  if (outcomeOf(state, context.past, payment).state === 'refunded') return { refusal: 'bill_already_refunded' }
  const { amount, environment, biller_ref } = payment
  const payer = state.wallets.byTag(environment, payment.payer_tag)
  assert(payer !== undefined, 'a paid bill has a payer')
  const rules = new MovementRules(state, context)
  const movement = rules.judgeRefund({ debit: merchant, credit: payer.account, amount }, payment, 'bill')
  if (isBreach(movement)) return { refusal: 'recipient_limit_exceeded' }
  if (!rules.coversRefund(movement)) return { refusal: 'funds_paid_out' }
  const refund: BillRefund = { refunded_at: rfc3339(context.timeMs), refund_transaction_id: context.newId(), ...refundedFor(command) }
  const fulfillment = fulfillmentAfterRefund(state, payment, context)
  const { charge_id, biller, product, currency, transaction_id } = payment
  const refunded: BillRefunded = { charge_id, biller, product, amount, currency, transaction_id, fulfillment, refund }
  return {
    environment,
    events: [event('bill.refunded', 1, merchant, refunded), ...unsentBillPaid(state, payment, context, merchant)],
    transactions: [rules.transaction(movement, { id: refund.refund_transaction_id, reference: biller_ref, eventIndex: 0 })],
    frames: [...paymentFrames(payer.account, 'payment.received', 0), plannedFrame(payer.account, 'bill.refunded', 0)],
    kind: 'ok',
    body: billText(payment, { state: 'refunded', refund, fulfillment }),
  }
}

const NOT_RUN = 'The code was not run: the payment was refunded before.'

function fulfillmentAfterRefund(state: State, payment: RecordedBillPayment, { past }: Context): CountedFulfillment {
  const row = state.bills.fulfilling.get(payment.charge_id)
  const isWaiting = row !== undefined && !row.has_started
  if (isWaiting) return { state: 'failed', error: NOT_RUN, duration_ms: null, attempts: startsOf(row) }
  return outcomeOf(state, past, payment).fulfillment
}

/** `bill.paid` would have been sent after code that does not run any more. */
function unsentBillPaid(state: State, payment: RecordedBillPayment, context: Context, merchant: AccountNumber) {
  const row = state.bills.fulfilling.get(payment.charge_id)
  const isUnsent = row !== undefined && !row.has_started && row.queued_position === undefined
  return isUnsent ? billPaidEvents(state, context, merchant, row.position) : []
}
