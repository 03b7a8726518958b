// A payout is finished in the turn that decides it: nothing of it stays in memory, its record in the log is all there is.
import type { Amount } from '../../kernel/amount.ts'
import type { Environment } from '../../kernel/environment.ts'

export const PAYOUT_STATES = ['paid', 'failed'] as const

export type PayoutState = (typeof PAYOUT_STATES)[number]

export type PayoutFailure =
  | 'insufficient_balance'
  | 'recipient_not_found'
  | 'recipient_blocked'
  | 'recipient_limit_exceeded'
  | 'invalid_amount'
  | 'invalid_recipient'

/** The payout as its merchant sees it, and as the log keeps it: version 1 of `payout.paid` and `payout.failed`. */
export interface Payout {
  readonly id: string
  readonly recipient: string
  readonly amount: Amount
  readonly currency: string
  readonly reference: string
  readonly state: PayoutState
  readonly failure_code?: PayoutFailure
  readonly transaction_id?: string
  readonly note: string
  readonly environment: Environment
  readonly batch_id: string | null
  readonly schedule_id: string | null
  readonly created_at: string
}
