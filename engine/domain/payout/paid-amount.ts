// What a merchant paid to whom: the question whether a line of a batch was paid before.
import type { Amount } from '../../kernel/amount.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

export interface PaidAmount {
  readonly merchant: AccountNumber
  /** Normalized, as the merchant named it: a tag and the phone of its wallet are two recipients. */
  readonly recipient: string
  readonly amount: Amount
}
