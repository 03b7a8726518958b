// Bills: what a lookup said is due, the quote that holds it for a while, the payment. All of it is found in the log.
import type { Amount } from '../../kernel/amount.ts'

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
