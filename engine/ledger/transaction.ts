// Transactions: postings that succeed together. Amounts are positive. A posting moves its amount from the debited account to
// the credited one.
import type { Amount } from '../kernel/amount.ts'
import type { Currency } from '../kernel/currency.ts'

/** Index of an account in the columns of accounts.ts. It is never reused. */
export type AccountNumber = number

/** One debit and one credit: double entry holds by construction. */
export interface Posting {
  readonly debit: AccountNumber
  readonly credit: AccountNumber
  readonly amount: Amount
}

/** A posting as the log stores it, with both balances after it, for statements. */
export interface AppliedPosting extends Posting {
  readonly debitBalance: number
  readonly creditBalance: number
}

/** A posting that is applied in place: a second object for each was garbage. */
export interface PlannedPosting extends Posting {
  /** Both are 0 until then. */
  debitBalance: number
  creditBalance: number
}

export function plannedPosting(debit: AccountNumber, credit: AccountNumber, amount: Amount): PlannedPosting {
  return { debit, credit, amount, debitBalance: 0, creditBalance: 0 }
}

/** Types of transactions. Each noun adds its own by declaration merging. */
export interface TransactionTypes {
  readonly deposit: true
  readonly withdrawal: true
}

export type TransactionType = keyof TransactionTypes

export interface Transaction {
  /** UUIDv7. */
  readonly id: string
  readonly type: TransactionType
  /** That of all its accounts. */
  readonly currency: Currency
  readonly reference: string
  /** Index, within its record, of the event that caused the transaction. */
  readonly eventIndex: number
  readonly postings: readonly AppliedPosting[]
}
