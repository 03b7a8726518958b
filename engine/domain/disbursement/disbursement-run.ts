// The disbursement that a run of a schedule is: the lines of an earlier one, where they are stored, started in the record of the run.
import type { Caller } from '../../contract/created-by.ts'
import { assert } from '../../kernel/assert.ts'
import type { Position } from '../../kernel/position.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context } from '../decision.ts'
import { quotaRefusal } from '../quotas.ts'
import { payloadOf } from '../record.ts'
import type { RunOrigin } from '../schedule/run-outcome.ts'
import type { State } from '../state.ts'
import { type MadeDisbursement, planned } from './disbursement-create-decide.ts'
import { LIVE_DISBURSEMENTS } from './disbursement-limits.ts'
import { NEW_STATUS, running } from './disbursement-moves.ts'
import type { DisbursementCreated, DisbursementProgress } from './disbursement-state.ts'

export interface RunOrder {
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  /** Where the disbursement was created whose lines are paid. */
  readonly source: Position
  readonly reference: string
  /** Who made the schedule. */
  readonly by: Caller
  readonly run: RunOrigin
}

/**
 * Returns the events, which begin the record. The schedule was judged by the payout policy when it was made. A run cannot be refused: where
 * the account has its share of disbursements, this one is cancelled from the beginning.
 */
export function plannedRun(state: State, { merchant, source, reference, by, run }: RunOrder, context: Context): MadeDisbursement {
  const created = context.past.eventAt(source)
  assert(created.type === 'disbursement.created', 'a schedule knows where its lines are stored')
  const { plan, chunks, invalid } = payloadOf<DisbursementCreated>(created)
  const { total_count, total_amount, valid_count, valid_amount, valid_fee_amount, invalid_count, warnings_count } = plan
  const counts = { total_count, total_amount, valid_count, valid_amount, valid_fee_amount, invalid_count, warnings_count }
  const order = { merchant, reference, startAtMs: null, onInsufficientBalance: 'fail', by } as const
  const isFull = quotaRefusal(state, LIVE_DISBURSEMENTS, merchant) !== null
  const status = { ...NEW_STATUS, state: 'cancelled', cancelled_at: rfc3339(context.timeMs) } as const
  const start = (fresh: DisbursementProgress): DisbursementProgress => (isFull ? { ...fresh, status } : running(fresh, context.timeMs))
  return planned(state, order, { counts, chunks, invalid, start, retryOf: null, run }, context)
}
