// A transfer is finished in the turn that decides it: its record in the log is all there is.
import type { Amount } from '../../kernel/amount.ts'

declare module '../../ledger/transaction.ts' {
  interface TransactionTypes {
    readonly transfer: true
  }
}

/** The transfer as its sender sees it, and as the log keeps it: version 1 of `transfer.made`. */
export interface Transfer {
  readonly transaction_id: string
  readonly recipient: string
  readonly amount: Amount
  readonly currency: string
  readonly note: string
  /** The sender's. */
  readonly balance_after: number
  readonly created_at: string
}
