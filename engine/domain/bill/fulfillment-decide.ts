// What the merchant's code does after a payment: begun once at most, over once, and only then is the merchant told of
// the payment. The code itself runs outside; nothing of it can touch the money.

import { assert } from '../../kernel/assert.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { tellMerchant } from '../webhook/merchant-event.ts'
import type { BillPayment, Fulfillment, FulfillmentEnded, FulfillmentStarted } from './state.ts'
import { billPaidData } from './versions.ts'

/** Before the code runs: whatever happens to the process from here on, it never runs again. */
export interface StartFulfillment {
  readonly type: 'StartFulfillment'
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

/** Answers 200, and tells the merchant of the payment. Refuses: not_found (it is over already). */
export function decideEndFulfillment(state: State, { merchant, chargeId, fulfillment }: EndFulfillment, context: Context): Decision {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined || row.account !== merchant) return { refusal: 'not_found' }
  const paid = context.past.eventAt(row.position)
  const payment = payloadOf<BillPayment>(paid)
  assert(paid.type === 'bill.paid' && payment.charge_id === chargeId, 'a fulfillment knows its payment')
  const payload: FulfillmentEnded = { charge_id: chargeId, fulfillment }
  const events = [event('bill.fulfilled', 1, merchant, payload), ...told(state, context, merchant, payment)]
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], status: 200, body: '{}' }
}

/** The payment, and what the merchant is told of it when nothing has to come before. */
export function paidEvents(state: State, context: Context, merchant: AccountNumber, payment: BillPayment): StoredEvent[] {
  const paid = event('bill.paid', 1, merchant, payment)
  return payment.fulfillment.state === 'pending' ? [paid] : [paid, ...told(state, context, merchant, payment)]
}

function told(state: State, context: Context, merchant: AccountNumber, payment: BillPayment): StoredEvent[] {
  return tellMerchant(state, context, { account: merchant, type: 'bill.paid', data: billPaidData(payment) })
}
