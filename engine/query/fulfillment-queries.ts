// Queries for open fulfillments: their payments, and the input of their code.
import type { Fulfilling, RecordedBillPayment } from '../domain/bill/bill-state.ts'
import { definitionIn } from '../domain/biller/biller-state.ts'
import { payloadOf } from '../domain/record.ts'
import type { Position } from '../kernel/position.ts'
import type { Reads } from './reads.ts'

export interface OfCharge {
  readonly chargeId: string
}

/** Returns null when the payment has no open fulfillment. */
export function openFulfillment({ state }: Reads, { chargeId }: OfCharge): Fulfilling | null {
  return state.bills.fulfilling.get(chargeId) ?? null
}

export interface OpenFulfillmentsInput {
  /** Place in the queue of the last row of the previous page; null for the first page. */
  readonly after: Position | null
  readonly limit: number
}

/** Lists open fulfillments in queue order. One pass over all of them. */
export function openFulfillments({ state }: Reads, { after, limit }: OpenFulfillmentsInput): Fulfilling[] {
  const rows = [...state.bills.fulfilling.values()].filter((row) => after === null || placeOf(row) > after)
  return rows.sort((one, other) => placeOf(one) - placeOf(other)).slice(0, limit)
}

/** Returns the place of an open fulfillment in the queue. */
export function placeOf({ queued_position, position }: Fulfilling): Position {
  return queued_position ?? position
}

export interface FulfillmentRun {
  readonly payment: RecordedBillPayment
  /** Source of the product's code; empty when it has none. */
  readonly source: string
}

/** Returns the input of the code of an open fulfillment; null when the fulfillment has ended. */
export function fulfillmentRun({ state, history }: Reads, { chargeId }: OfCharge): FulfillmentRun | null {
  const row = state.bills.fulfilling.get(chargeId)
  if (row === undefined) return null
  const payment = payloadOf<RecordedBillPayment>(history.eventAt(row.position))
  const definition = definitionIn(history.eventAt(row.product_position ?? payment.product_position), history)
  return { payment, source: definition.fulfillment_code ?? '' }
}
