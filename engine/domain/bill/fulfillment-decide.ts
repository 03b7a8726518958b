// Fulfillment: the merchant's code after a payment. Its start is durable before the code runs, its first call before it leaves, its end
// once; `bill.paid` is recorded with the end. The code itself runs outside the engine and cannot move money.

import { type Position, positionOf } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import type {
  Fulfilling,
  Fulfillment,
  FulfillmentCalled,
  FulfillmentEnded,
  FulfillmentReturned,
  FulfillmentStarted,
  RecordedBillPayment,
} from './bill-state.ts'
import { startsOf } from './bill-versions.ts'

/** Durable before the code runs. */
export interface StartFulfillment {
  readonly type: 'StartFulfillment'
  readonly merchant: AccountNumber
  readonly chargeId: string
}

/** Durable before the first outgoing fetch of the code: after a crash it does not run again by itself. */
export interface MarkFulfillmentCall {
  readonly type: 'MarkFulfillmentCall'
  readonly merchant: AccountNumber
  readonly chargeId: string
}

/** The code had no effect outside: the sandbox had no place, was lost before the code began, or the process stopped before its first fetch. */
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

/** Returns `ok`: the code may run, now. Rejections: not_found (it has started, or is over). */
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

export const MARK_FULFILLMENT_CALL_REJECTIONS = ['not_found'] as const

/** Returns `ok`: the code may call, and runs never again by itself. Rejections: not_found (it has not started, was refunded, or is over). */
export function decideMarkFulfillmentCall(
  state: State,
  { merchant, chargeId }: MarkFulfillmentCall,
): Decision<(typeof MARK_FULFILLMENT_CALL_REJECTIONS)[number]> {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant || !isReturnable(row)) return { refusal: 'not_found' }
  const payload: FulfillmentCalled = { charge_id: chargeId }
  const events = [event('bill.fulfillment_called', 1, merchant, payload)]
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], kind: 'ok', body: '{}' }
}

/** A refund ends what waits, and what has called is not run again: neither goes back to those that wait. */
function isReturnable({ has_started, has_called, refund }: Fulfilling): boolean {
  return has_started && has_called === undefined && refund === undefined
}

export const RETURN_FULFILLMENT_REJECTIONS = ['not_found'] as const

/** Returns `ok`: the code waits again. Rejections: not_found (it has not started, has called, was refunded, or is over). */
export function decideReturnFulfillment(
  state: State,
  { merchant, chargeId }: ReturnFulfillment,
): Decision<(typeof RETURN_FULFILLMENT_REJECTIONS)[number]> {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant || !isReturnable(row)) return { refusal: 'not_found' }
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
