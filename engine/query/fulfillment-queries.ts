// Queries for fulfillments that are not over: which payments have one, and what its code runs with.
import type { Fulfilling, RecordedBillPayment } from '../domain/bill/bill-state.ts'
import { definitionIn } from '../domain/biller/biller-state.ts'
import { payloadOf } from '../domain/record.ts'
import type { Position } from '../kernel/position.ts'
import type { Reads } from './reads.ts'

export interface OfCharge {
  readonly chargeId: string
}

/** Null when the payment has no fulfillment, or when its fulfillment is over. */
export function openFulfillment({ state }: Reads, { chargeId }: OfCharge): Fulfilling | null {
  return state.bills.fulfilling.get(chargeId) ?? null
}

export interface OpenFulfillmentsInput {
  /** The place of the last row of the page before; null for the first page. */
  readonly after: Position | null
  readonly limit: number
}

/** In the order in which they were queued. One pass over all open fulfillments. */
export function openFulfillments({ state }: Reads, { after, limit }: OpenFulfillmentsInput): Fulfilling[] {
  const rows = [...state.bills.fulfilling.values()].filter((row) => after === null || placeOf(row) > after)
  return rows.sort((one, other) => placeOf(one) - placeOf(other)).slice(0, limit)
}

/** Where an open fulfillment stands in the queue. */
export function placeOf({ queued_position, position }: Fulfilling): Position {
  return queued_position ?? position
}

export interface FulfillmentRun {
  readonly payment: RecordedBillPayment
  /** Of the product; empty when it has none. */
  readonly source: string
}

/** What the code of an open fulfillment runs with; null when the fulfillment is over. */
export function fulfillmentRun({ state, history }: Reads, { chargeId }: OfCharge): FulfillmentRun | null {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined) return null
  const payment = payloadOf<RecordedBillPayment>(history.eventAt(row.position))
  const definition = definitionIn(history.eventAt(row.product_position ?? payment.product_position), history)
  return { payment, source: definition.fulfillment_code ?? '' }
}
