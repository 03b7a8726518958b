// Fulfillment: the merchant's code after a payment. Its start is durable before the code runs, its end once; `bill.paid` is
// recorded with the end. The code itself runs outside the engine and cannot move money.

import { assert } from '../../kernel/assert.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { tellMerchant } from '../webhook/merchant-event.ts'
import type { BillPayment, Fulfilling, Fulfillment, FulfillmentEnded, FulfillmentReturned, FulfillmentStarted } from './bill-state.ts'
import { billPaidData, startsOf } from './bill-versions.ts'

/** Durable before the code runs: after a crash the code counts as started and does not run again by itself. */
export interface StartFulfillment {
  readonly type: 'StartFulfillment'
  readonly merchant: AccountNumber
  readonly chargeId: string
}

/** The sandbox had no place, or was lost before the code began. */
export interface ReturnFulfillment {
  readonly type: 'ReturnFulfillment'
  readonly merchant: AccountNumber
  readonly chargeId: string
}

export interface EndFulfillment {
  readonly type: 'EndFulfillment'
  readonly merchant: AccountNumber
  readonly chargeId: string
  readonly fulfillment: Fulfillment & { readonly state: 'succeeded' | 'failed' }
}

/** Answers 200: the code may run, now and never again. Refuses: not_found (it has started, or is over). */
export function decideStartFulfillment(state: State, { merchant, chargeId }: StartFulfillment): Decision {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant || row.has_started) return { refusal: 'not_found' }
  const payload: FulfillmentStarted = { charge_id: chargeId }
  const events = [event('bill.fulfillment_started', 1, merchant, payload)]
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], status: 200, body: '{}' }
}

/** Answers 200: the code waits again. Refuses: not_found (it has not started, or is over). */
export function decideReturnFulfillment(state: State, { merchant, chargeId }: ReturnFulfillment): Decision {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant || !row.has_started) return { refusal: 'not_found' }
  // Refunded meanwhile: nothing is left to run for, and the end says so.
  if (row.refund !== undefined) return { refusal: 'not_found' }
  const payload: FulfillmentReturned = { charge_id: chargeId }
  const events = [event('bill.fulfillment_returned', 1, merchant, payload)]
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], status: 200, body: '{}' }
}

/** Answers 200 and records `bill.paid`. Refuses: not_found (it is over already). */
export function decideEndFulfillment(state: State, { merchant, chargeId, fulfillment }: EndFulfillment, context: Context): Decision {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant) return { refusal: 'not_found' }
  const payment = paymentOfRow(row, context)
  const payload: FulfillmentEnded = {
    charge_id: chargeId,
    fulfillment: { ...fulfillment, attempts: startsOf(row) },
    refund: row.refund ?? null,
  }
  const events = [event('bill.fulfilled', 2, merchant, payload), ...billPaidEvents(state, context, merchant, payment)]
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], status: 200, body: '{}' }
}

function paymentOfRow({ charge_id, position }: Fulfilling, { past }: Context): BillPayment {
  const paid = past.eventAt(position)
  const payment = payloadOf<BillPayment>(paid)
  assert(paid.type === 'bill.paid' && payment.charge_id === charge_id, 'a fulfillment knows its payment')
  return payment
}

/** The payment, with `bill.paid` for the merchant where no code has to run first. */
export function paidEvents(state: State, context: Context, merchant: AccountNumber, payment: BillPayment): StoredEvent[] {
  const paid = event('bill.paid', 1, merchant, payment)
  return payment.fulfillment.state === 'pending' ? [paid] : [paid, ...billPaidEvents(state, context, merchant, payment)]
}

/** The webhook event `bill.paid`. */
export function billPaidEvents(state: State, context: Context, merchant: AccountNumber, payment: BillPayment): StoredEvent[] {
  return tellMerchant(state, context, { account: merchant, type: 'bill.paid', data: billPaidData(payment) })
}
