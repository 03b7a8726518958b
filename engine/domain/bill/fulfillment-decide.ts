// Fulfillment: the merchant's code after a payment. Its start is durable before the code runs, its end once; `bill.paid` is
// recorded with the end. The code itself runs outside the engine and cannot move money.

import { type Position, positionOf } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import type { Fulfillment, FulfillmentEnded, FulfillmentReturned, FulfillmentStarted, RecordedBillPayment } from './bill-state.ts'
import { startsOf } from './bill-versions.ts'

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

export const START_FULFILLMENT_REJECTIONS = ['not_found'] as const

/** Returns `ok`: the code may run, now and never again. Rejections: not_found (it has started, or is over). */
export function decideStartFulfillment(
  state: State,
  { merchant, chargeId }: StartFulfillment,
): Decision<(typeof START_FULFILLMENT_REJECTIONS)[number]> {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant || row.has_started) return { refusal: 'not_found' }
  const payload: FulfillmentStarted = { charge_id: chargeId }
  const events = [event('bill.fulfillment_started', 1, merchant, payload)]
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], kind: 'ok', body: '{}' }
}

export const RETURN_FULFILLMENT_REJECTIONS = ['not_found'] as const

/** Returns `ok`: the code waits again. Rejections: not_found (it has not started, or is over). */
export function decideReturnFulfillment(
  state: State,
  { merchant, chargeId }: ReturnFulfillment,
): Decision<(typeof RETURN_FULFILLMENT_REJECTIONS)[number]> {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant || !row.has_started) return { refusal: 'not_found' }
  // Refunded meanwhile: nothing is left to run for, and the end says so.
  if (row.refund !== undefined) return { refusal: 'not_found' }
  const payload: FulfillmentReturned = { charge_id: chargeId }
  const events = [event('bill.fulfillment_returned', 1, merchant, payload)]
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], kind: 'ok', body: '{}' }
}

export const END_FULFILLMENT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and records `bill.paid`. Rejections: not_found (it is over already). */
export function decideEndFulfillment(
  state: State,
  { merchant, chargeId, fulfillment }: EndFulfillment,
  context: Context,
): Decision<(typeof END_FULFILLMENT_REJECTIONS)[number]> {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant) return { refusal: 'not_found' }
  const payload: FulfillmentEnded = {
    charge_id: chargeId,
    fulfillment: { ...fulfillment, attempts: startsOf(row) },
    refund: row.refund ?? null,
  }
  const events = [event('bill.fulfilled', 1, merchant, payload), ...billPaidEvents(state, context, merchant, row.position)]
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], kind: 'ok', body: '{}' }
}

/** The payment, with `bill.paid` for the merchant where no code has to run first. They begin the record. */
export function paidEvents(state: State, context: Context, merchant: AccountNumber, payment: RecordedBillPayment): StoredEvent[] {
  const paid = event('bill.paid', 1, merchant, payment)
  return payment.fulfillment.state === 'pending'
    ? [paid]
    : [paid, ...billPaidEvents(state, context, merchant, positionOf(context.sequence, 0))]
}

/** The webhook event `bill.paid` of the payment at this place. */
export function billPaidEvents(state: State, context: Context, merchant: AccountNumber, document_position: Position): StoredEvent[] {
  return outboxEvents(state, context, { account: merchant, type: 'bill.paid', about: { document_position } })
}
