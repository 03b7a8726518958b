// Bills: what a lookup said is due, the quote that holds it for a while, the payment. Quotes and payments are records in
// the log and found there; live state holds the payments whose fulfillment is not over.
import type { Amount } from '../../kernel/amount.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import { Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

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

export const QUOTE_STATES = ['active', 'used', 'expired'] as const

export type QuoteState = (typeof QUOTE_STATES)[number]

/**
 * Version 1 of `quote.created`, filed under the wallet that asked. The text never changes: a quote is used when a payment
 * names it, and expired when its time is over.
 */
export interface Quote extends AmountDue {
  readonly id: string
  /** Slugs. */
  readonly biller: string
  readonly product: string
  readonly form_values: FormValues
  readonly state: QuoteState
  readonly created_at: string
  readonly expires_at: string
}

export const FULFILLMENT_STATES = ['none', 'pending', 'succeeded', 'failed'] as const

export type FulfillmentState = (typeof FULFILLMENT_STATES)[number]

/** What became of the merchant's code. `none`: the product has none. `pending`: it waits or runs. */
export interface Fulfillment {
  readonly state: FulfillmentState
  /** Why it failed, null otherwise. */
  readonly error: string | null
  /** Null where nothing ran to its end. */
  readonly duration_ms: TimeMs | null
}

/** Version 1 of `bill.paid`, filed under the merchant. */
export interface BillPayment {
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
  /** Of the `product.saved` that was paid: its code fulfills, whatever the product becomes meanwhile. */
  readonly product_position: Position
  /** At the time of the payment. */
  readonly fulfillment: Fulfillment
}

/** Version 1 of `bill.fulfillment_started`: from here on the code may have run, so it never runs again. */
export interface FulfillmentStarted {
  readonly charge_id: string
}

/** Version 1 of `bill.fulfilled`: it is over, well or not. */
export interface FulfillmentEnded {
  readonly charge_id: string
  readonly fulfillment: Fulfillment
}

/** A payment whose fulfillment is not over. */
export interface Fulfilling {
  readonly charge_id: string
  /** The merchant's. */
  readonly account: AccountNumber
  /** Of its `bill.paid`. */
  readonly position: Position
  readonly has_started: boolean
}

export class Bills {
  readonly #counts = new Map<AccountNumber, number>()

  /** By charge id. */
  readonly fulfilling = new Table<Fulfilling>('fulfilling', (row, before) => {
    const { account } = (row ?? before) as Fulfilling
    const count = this.fulfillingOf(account) + (row === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
    if (count === 0) this.#counts.delete(account)
    else this.#counts.set(account, count)
  })

  fulfillingOf(account: AccountNumber): number {
    return this.#counts.get(account) ?? 0
  }
}
