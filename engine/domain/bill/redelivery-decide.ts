// Redelivery of a paid bill, by request of its merchant: the code runs once more, then `bill.paid` is sent again. Moves no money.
import type { Position } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { quotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { OPEN_FULFILLMENTS } from './bill-limits.ts'
import type { RedeliveryRequested } from './bill-state.ts'
import { type BillOutcome, billAt, billText, outcomeOf } from './bill-versions.ts'
import { billPaidEvents } from './fulfillment-decide.ts'

export interface RedeliverBill {
  readonly type: 'RedeliverBill'
  readonly merchant: AccountNumber
  /** Position of the `bill.paid` event. */
  readonly position: Position
  /** Also when the code has succeeded. */
  readonly force: boolean
}

export const REDELIVER_BILL_REJECTIONS = [
  'not_found',
  'bill_already_refunded',
  'fulfillment_running',
  'already_fulfilled',
  'quota_exceeded',
] as const

/**
 * Returns `accepted` and the record. The product's code of today runs; where it has none, `bill.paid` alone is sent.
 * While the code waits nothing is added: it runs anyway. Rejections, in this precedence: not_found,
 * bill_already_refunded, fulfillment_running, already_fulfilled, quota_exceeded.
 */
export function decideRedeliverBill(
  state: State,
  command: RedeliverBill,
  context: Context,
): Decision<(typeof REDELIVER_BILL_REJECTIONS)[number]> {
  const { merchant, position, force } = command
  const payment = billAt(context.past, merchant, position)
  if (payment === null) return { refusal: 'not_found' }
  const outcome = outcomeOf(state, context.past, payment)
  if (outcome.state === 'refunded') return { refusal: 'bill_already_refunded' }
  // Acknowledged now, a further run could be lost behind the end of this one.
  if (state.bills.fulfilling.get(payment.charge_id)?.has_started === true) return { refusal: 'fulfillment_running' }
  if (outcome.fulfillment.state === 'pending') return answered(state, merchant, [], billText(payment, outcome))
  if (outcome.fulfillment.state === 'succeeded' && !force) return { refusal: 'already_fulfilled' }
  const product = state.billers.product(payment.biller, payment.product)
  const hasCode = product !== undefined && state.billers.definitionOf(product, context.past).fulfillment_mode === 'code'
  if (!hasCode) return answered(state, merchant, billPaidEvents(state, context, merchant, position), billText(payment, outcome))
  const full = quotaRefusal(state, OPEN_FULFILLMENTS, merchant)
  if (full !== null) return full
  const { charge_id } = payment
  const { attempts } = outcome.fulfillment
  const requested: RedeliveryRequested = { charge_id, position, product_position: product.position, attempts }
  const pending: BillOutcome = { ...outcome, fulfillment: { state: 'pending', error: null, duration_ms: null, attempts } }
  return answered(state, merchant, [event('bill.redelivery_requested', 1, merchant, requested)], billText(payment, pending))
}

function answered(state: State, merchant: AccountNumber, events: readonly StoredEvent[], body: string): Accepted {
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], kind: 'accepted', body }
}
