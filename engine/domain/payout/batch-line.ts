// A line of a batch, what was decided about it, and what differs from one version of a batch's events to the next.
import type { BatchLine } from '../../contract/batch-line.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { ByteWriter } from '../../kernel/byte-writer.ts'
import type { Currency } from '../../kernel/currency.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { AccountNumber, Transaction } from '../../ledger/transaction.ts'
import type { Payout, PayoutFailure } from './payout-state.ts'

/** What the report says of the whole. */
export interface ReportHead {
  /** Null in a dry run. */
  readonly id: string | null
  readonly environment: Environment
  readonly currency: Currency
  readonly reference: string
  readonly created_at: string
}

/** What all lines of a batch share. */
export interface BatchHead extends ReportHead {
  readonly id: string
  readonly merchant: AccountNumber
  /** The schedule that pays it, null for a batch of its own. */
  readonly scheduleId: string | null
  /** The disbursement whose lines these are, and no batch; null for a batch. */
  readonly disbursementId: string | null
  readonly form: BatchForm
}

/** A malformed line has no payout; one that is paid has a transaction and no failure. In a dry run both ids are null. */
export interface DecidedLine {
  readonly line: BatchLine
  readonly payoutId: string | null
  readonly transactionId: string | null
  readonly failure: PayoutFailure | null
  /** 0 of a line that failed. */
  readonly fee: Amount
  /** True: the same recipient was paid the same amount within the 72 hours before. */
  readonly isRecent: boolean
}

/**
 * How the events of a batch are written and read in one version. A released form never changes: add the next one beside it, with
 * its row in `packed` of the noun's module.
 */
export interface BatchForm {
  /** Version of `batch.completed`. */
  readonly batchVersion: number
  /** Version of `payout.paid` and `payout.failed` of the lines. */
  readonly payoutVersion: number
  /** Whether a packed line of so many values was paid. */
  readonly isPaid: (valuesCount: number) => boolean
  /** Writes JSON text of an array of plain values. The first is the id of the payout, null for a malformed line. */
  readonly packLine: (out: ByteWriter, decided: DecidedLine) => void
  readonly paidLine: (values: never, transaction: Transaction) => DecidedLine
  readonly failedLine: (values: never) => DecidedLine
  readonly payout: (head: BatchHead, decided: DecidedLine) => Payout
  /** The same text as `JSON.stringify(payout)`. */
  readonly payoutText: (payout: Payout) => string
  readonly reportText: (head: ReportHead, lines: readonly DecidedLine[]) => string
}
