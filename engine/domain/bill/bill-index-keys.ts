// Index keys of quotes and bill payments.
import type { Filing } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { BillRefunded, FulfillmentEnded, Quote, RecordedBillPayment } from './bill-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const BILL_INDEX_KEYS = { quote: 70, bill: 71, bills: 72, billsByProduct: 73, billsByReference: 74 } as const

const KEYS = BILL_INDEX_KEYS

export const BILL_INDEXED = {
  'quote.created': indexQuote,
  'bill.paid': indexPayment,
  'bill.fulfilled': indexOutcome,
  'bill.refunded': indexOutcome,
} as const

function indexQuote(event: StoredEvent, index: number, filing: Filing): void {
  filing.file(KEYS.quote, 0, payloadOf<Quote>(event).id, index)
}

function indexPayment(event: StoredEvent, index: number, filing: Filing): void {
  const { charge_id, product, biller_ref, quote_id } = payloadOf<RecordedBillPayment>(event)
  const merchant = event.account
  filing.file(KEYS.bill, 0, charge_id, index)
  if (quote_id !== null) filing.file(KEYS.quote, 0, quote_id, index)
  filing.file(KEYS.bills, merchant, '', index)
  filing.file(KEYS.billsByProduct, merchant, product, index)
  if (biller_ref !== '') filing.file(KEYS.billsByReference, merchant, biller_ref, index)
}

function indexOutcome(event: StoredEvent, index: number, filing: Filing): void {
  filing.file(KEYS.bill, 0, payloadOf<FulfillmentEnded | BillRefunded>(event).charge_id, index)
}
