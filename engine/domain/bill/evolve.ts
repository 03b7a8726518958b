// Which payments have a fulfillment that is not over. Quotes and payments themselves are history at once.
import { assert } from '../../kernel/assert.ts'
import { positionOf } from '../../kernel/position.ts'
import type { EventTable } from '../event-table.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { BillPayment, FulfillmentEnded, FulfillmentStarted } from './state.ts'

export const BILL_EVENTS = {
  'quote.created@1': null,
  'bill.paid@1': awaitFulfillment,
  'bill.fulfillment_started@1': startFulfillment,
  'bill.fulfilled@1': endFulfillment,
} satisfies EventTable

function awaitFulfillment(state: State, { charge_id, fulfillment }: BillPayment, event: StoredEvent, record: LogRecord): void {
  if (fulfillment.state !== 'pending') return
  const position = positionOf(record.sequence, record.events.indexOf(event))
  state.bills.fulfilling.set(charge_id, { charge_id, account: event.account, position, has_started: false })
}

function startFulfillment(state: State, { charge_id }: FulfillmentStarted): void {
  const row = state.bills.fulfilling.get(charge_id)
  assert(row !== undefined, 'what starts waits')
  state.bills.fulfilling.set(charge_id, { ...row, has_started: true })
}

function endFulfillment(state: State, { charge_id }: FulfillmentEnded): void {
  state.bills.fulfilling.delete(charge_id)
}
