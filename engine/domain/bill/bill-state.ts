// Bills: what a lookup said is due, the quote that holds it for a while, the payment. Quotes and payments are records in
// the log and found there; live state holds the payments whose fulfillment is not over.

import type { BILL_STATES, FULFILLMENT_STATES, QUOTE_STATES, Quote as ShapeQuote } from '../../contract/bill.ts'
import type { RefundedFor } from '../../contract/payment-reason.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { TakenFee } from '../rules/movement-rules.ts'
import type { SharedState } from '../state.ts'
import { OPEN_FULFILLMENTS } from './bill-limits.ts'

export interface LineItem {
  readonly label: string
  /** May be negative: a rebate. */
  readonly amount: number
}

/** What a merchant's system answered, checked: the amount and what to show beside it. Texts are empty where it sent none. */
export interface AmountDue {
  readonly amount: Amount
  readonly currency: string
  readonly label: string
  readonly customer_name: string
  /** The merchant's reference of the bill. */
  readonly biller_ref: string
  /** Their sum is `amount`; empty when there are none. */
  readonly line_items: readonly LineItem[]
}

/** What the customer filled in, by field id, as it was typed. */
export type FormValues = Readonly<Record<string, string | number>>

export type QuoteState = (typeof QUOTE_STATES)[number]

/**
 * The payload of `quote.created`, indexed under the wallet that asked. The text never changes: a quote is used when a
 * payment names it, and expired when its time is over.
 */
export type Quote = Immutable<Omit<ShapeQuote, 'form_values'>> & { readonly form_values: FormValues }

export type FulfillmentState = (typeof FULFILLMENT_STATES)[number]

/** What became of the merchant's code. `none`: the product has none. `pending`: it waits or runs. */
export interface Fulfillment {
  readonly state: FulfillmentState
  /** Why it failed, null otherwise. */
  readonly error: string | null
  /** Null where nothing ran to its end. */
  readonly duration_ms: TimeMs | null
}

/** With how often the code was started for this payment. */
export interface CountedFulfillment extends Fulfillment {
  readonly attempts: number
}

export type BillState = (typeof BILL_STATES)[number]

export interface BillRefund extends RefundedFor {
  readonly refunded_at: string
  readonly refund_transaction_id: string
}

/** The payload of `bill.paid`, indexed under the merchant. */
export interface RecordedBillPayment extends TakenFee {
  /** Of this payment. */
  readonly charge_id: string
  readonly transaction_id: string
  readonly merchant_id: string
  /** Slugs. */
  readonly biller: string
  readonly product: string
  readonly amount: Amount
  readonly currency: string
  readonly biller_ref: string
  readonly form_values: FormValues
  readonly environment: Environment
  readonly paid_at: string
  readonly payer_tag: string
  /** What the amount came from, where it was not typed. */
  readonly quote_id: string | null
  readonly package_id: string | null
  /**
   * Position of the `product.saved` event that was paid. Its code fulfills the payment, even when the product
   * changes.
   */
  readonly product_position: Position
  /** At the time of the payment. */
  readonly fulfillment: Fulfillment
}

/** The payload of `bill.fulfillment_started`: its code may have begun. */
export interface FulfillmentStarted {
  readonly charge_id: string
}

/** The payload of `bill.fulfillment_called`: the code may have had an effect outside, so it runs again by request alone. */
export interface FulfillmentCalled {
  readonly charge_id: string
}

/** The payload of `bill.fulfillment_returned`: the code had no effect outside and waits again. */
export interface FulfillmentReturned {
  readonly charge_id: string
}

/** The payload of `bill.fulfilled`: it is over, well or not. The newest outcome of a payment says everything about it. */
export interface FulfillmentEnded {
  readonly charge_id: string
  readonly fulfillment: CountedFulfillment
  /** Null unless the payment was refunded while the code ran. */
  readonly refund: BillRefund | null
}

/** The payload of `bill.redelivery_requested`: the code runs once more, as the product has it now. */
export interface RedeliveryRequested {
  readonly charge_id: string
  /** Position of the `bill.paid` event. */
  readonly position: Position
  /** Position of the `product.saved` event whose code runs. */
  readonly product_position: Position
  /** Before this one. */
  readonly attempts: number
}

/** The payload of `bill.refunded`. `fulfillment` is what it had come to by then. */
export interface BillRefunded {
  readonly charge_id: string
  readonly biller: string
  readonly product: string
  readonly amount: Amount
  readonly currency: string
  readonly transaction_id: string
  readonly fulfillment: CountedFulfillment
  readonly refund: BillRefund
}

/** A payment whose fulfillment is not over. */
export interface Fulfilling {
  readonly charge_id: string
  /** Account number of the merchant. */
  readonly account: AccountNumber
  /** Position of the `bill.paid` event. */
  readonly position: Position
  readonly has_started: boolean
  /** Its code was allowed an outgoing fetch; absent: it was not. */
  readonly has_called?: true
  /** Earlier starts; absent: none. */
  readonly attempts?: number
  /** Position of the `product.saved` event whose code runs; absent: the one that was paid. */
  readonly product_position?: Position
  /** Its place in the order of its merchant; absent: `position`. */
  readonly queued_position?: Position
  /** It was refunded while its code ran. */
  readonly refund?: BillRefund
}

declare module '../../ledger/transaction.ts' {
  interface TransactionTypes {
    readonly bill: true
  }
}

declare module '../stream/stream-state.ts' {
  interface FrameTypes {
    readonly 'bill.paid': true
    readonly 'bill.refunded': true
  }
}

declare module '../state.ts' {
  interface State {
    readonly bills: Bills
  }
}

export class Bills extends SnapshotTables {
  /** Keyed by charge id. */
  readonly fulfilling: Table<Fulfilling>

  constructor(shared: SharedState) {
    super()
    this.fulfilling = new Table(this, 'fulfilling', countedByAccount(shared, OPEN_FULFILLMENTS))
  }
}
