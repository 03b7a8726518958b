// Index keys of quotes and bill payments.
import type { IndexKey } from '../../kernel/index-key.ts'
import { foldReference } from '../../kernel/reference.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries } from '../noun-module.ts'
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

function indexQuote(event: StoredEvent, index: number, entries: IndexEntries): void {
  entries.addEntry(KEYS.quote, 0, payloadOf<Quote>(event).id, index)
}

function indexPayment(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { charge_id, product, biller_ref, quote_id } = payloadOf<RecordedBillPayment>(event)
  const merchant = event.account
  entries.addEntry(KEYS.bill, 0, charge_id, index)
  if (quote_id !== null) entries.addEntry(KEYS.quote, 0, quote_id, index)
  entries.addEntry(KEYS.bills, merchant, '', index)
  entries.addEntry(KEYS.billsByProduct, merchant, product, index)
  if (biller_ref !== '') entries.addEntry(KEYS.billsByReference, merchant, foldReference(biller_ref), index)
}

function indexOutcome(event: StoredEvent, index: number, entries: IndexEntries): void {
  entries.addEntry(KEYS.bill, 0, payloadOf<FulfillmentEnded | BillRefunded>(event).charge_id, index)
}

/** The quote, and the payment that used it. */
export function quoteIndexKey(id: string): IndexKey {
  return { kind: KEYS.quote, owner: 0, value: id }
}

/** The bill payment with this charge id, each end of its fulfillment, and its refund. */
export function billIndexKey(chargeId: string): IndexKey {
  return { kind: KEYS.bill, owner: 0, value: chargeId }
}

const FILTERS = { product: KEYS.billsByProduct, biller_ref: KEYS.billsByReference } as const

export type BillFilter = keyof typeof FILTERS

/** All bill payments of a merchant's account, or those with the filter's value. */
export function billsIndexKey(merchant: AccountNumber, filter?: BillFilter, value = ''): IndexKey {
  const isReference = filter === 'biller_ref'
  return { kind: filter === undefined ? KEYS.bills : FILTERS[filter], owner: merchant, value: isReference ? foldReference(value) : value }
}
