// A line of a batch and what was decided about it.
import type { BatchLine } from '../../contract/batch-line.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { PayoutFailure } from './payout-state.ts'

/** What the report says of the whole. */
export interface ReportHead {
  /** Null in a dry run. */
  readonly id: string | null
  readonly environment: Environment
  readonly reference: string
  readonly created_at: string
}

/** What all lines of a batch share. */
export interface BatchHead extends ReportHead {
  readonly id: string
  readonly merchant: AccountNumber
  /** The schedule that pays it, null for a batch of its own. */
  readonly scheduleId: string | null
}

/** A malformed line has no payout; one that is paid has a transaction and no failure. In a dry run both ids are null. */
export interface DecidedLine {
  readonly line: BatchLine
  readonly payoutId: string | null
  readonly transactionId: string | null
  readonly failure: PayoutFailure | null
}
