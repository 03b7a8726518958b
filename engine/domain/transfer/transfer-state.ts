// A transfer is finished in the turn that decides it: its record in the log is all there is.
import type { Immutable } from '../../contract/schema.ts'
import type { Transfer as ShapeTransfer } from '../../contract/transfer.ts'

declare module '../../ledger/transaction.ts' {
  interface TransactionTypes {
    readonly transfer: true
  }
}

/** The transfer as its sender sees it, and as the log keeps it: `transfer.made`. */
export type Transfer = Immutable<ShapeTransfer>
