// Which payments have a fulfillment that is not over. Quotes and payments themselves are history at once.
import { assert } from '../../kernel/assert.ts'
import { timeOfId } from '../../kernel/ids.ts'
import { positionOf } from '../../kernel/position.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type {
  BillRefunded,
  FulfillmentCalled,
  FulfillmentEnded,
  FulfillmentReturned,
  FulfillmentStarted,
  RecordedBillPayment,
  RedeliveryRequested,
} from './bill-state.ts'

export const BILL_EVENTS = {
  'quote.created@1': null,
  'bill.paid@1': awaitFulfillment,
  'bill.fulfillment_started@1': startFulfillment,
  'bill.fulfillment_called@1': markCall,
  'bill.fulfilled@1': endFulfillment,
  'bill.fulfillment_returned@1': returnFulfillment,
  'bill.redelivery_requested@1': awaitRedelivery,
  'bill.refunded@1': refund,
} satisfies EventTable

function awaitFulfillment(state: State, { charge_id, fulfillment }: RecordedBillPayment, event: StoredEvent, record: LogRecord): void {
  if (fulfillment.state !== 'pending') return
  const position = positionOf(record.sequence, record.events.indexOf(event))
  state.bills.fulfilling.set(charge_id, { charge_id, account: event.account, position, has_started: false })
}

function startFulfillment(state: State, { charge_id }: FulfillmentStarted): void {
  const row = state.bills.fulfilling.get(charge_id)
  assert(row !== undefined, 'what starts waits')
  state.bills.fulfilling.set(charge_id, { ...row, has_started: true })
}

function markCall(state: State, { charge_id }: FulfillmentCalled): void {
  const row = state.bills.fulfilling.get(charge_id)
  assert(row !== undefined, 'what calls has started')
  state.bills.fulfilling.set(charge_id, { ...row, has_called: true })
}

function returnFulfillment(state: State, { charge_id }: FulfillmentReturned): void {
  const row = state.bills.fulfilling.get(charge_id)
  assert(row !== undefined, 'what waits again had started')
  state.bills.fulfilling.set(charge_id, { ...row, has_started: false })
}

function endFulfillment(state: State, { charge_id }: Pick<FulfillmentEnded, 'charge_id'>): void {
  state.bills.fulfilling.delete(charge_id)
}

function awaitRedelivery(state: State, requested: RedeliveryRequested, event: StoredEvent, record: LogRecord): void {
  const { charge_id, position, product_position, attempts } = requested
  const queued_position = positionOf(record.sequence, record.events.indexOf(event))
  const row = { charge_id, account: event.account, position, has_started: false, attempts, product_position, queued_position }
  state.bills.fulfilling.set(charge_id, row)
}

/** Code that runs is let run to its end; code that waits is not started any more. The payer's limits get back what they lost. */
function refund(state: State, { charge_id, transaction_id, refund }: BillRefunded, _event: StoredEvent, record: LogRecord): void {
  state.rules.giveBack(record, timeOfId(transaction_id) ?? record.timeMs)
  const row = state.bills.fulfilling.get(charge_id)
  if (row === undefined) return
  if (row.has_started) state.bills.fulfilling.set(charge_id, { ...row, refund })
  else state.bills.fulfilling.delete(charge_id)
}
