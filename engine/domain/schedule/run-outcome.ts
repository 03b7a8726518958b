// What became of a run of a schedule, and the merchant event of one that did not pay every line. A run that is a disbursement ends
// when that has ended.
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import type { ScheduleRun, ScheduleRunEnded } from './schedule-state.ts'

/** What a disbursement keeps of the run that it is. */
export interface RunOrigin {
  readonly run_id: string
  readonly schedule_id: string
  readonly scheduled_for: string
}

/** The disbursement of a run, as far as the run depends on it. */
export interface RunDisbursement {
  readonly id: string
  readonly state: string
  readonly valid_count: number
  readonly paid_count: number
  readonly failed_count: number
  readonly created_at: string
}

export function endedState(paidCount: number, allCount: number): 'completed' | 'partial' | 'failed' {
  return paidCount === allCount ? 'completed' : paidCount === 0 ? 'failed' : 'partial'
}

/** The run as its merchant sees it, as its disbursement is now. */
export function runOf({ run_id, schedule_id, scheduled_for }: RunOrigin, disbursement: RunDisbursement): ScheduleRun {
  const { id, state, valid_count, paid_count, failed_count, created_at } = disbursement
  return {
    id: run_id,
    schedule_id,
    scheduled_for,
    executed_at: created_at,
    state: state === 'completed' || state === 'cancelled' ? endedState(paid_count, valid_count) : 'running',
    batch_id: null,
    disbursement_id: id,
    paid_count,
    failed_count,
  }
}

/** The webhook event of a run that has ended and did not pay every line. */
export function runFailed(state: State, context: Context, account: AccountNumber, run: ScheduleRun, reference: string): StoredEvent[] {
  if (run.state !== 'partial' && run.state !== 'failed') return []
  return outboxEvents(state, context, { account, type: 'schedule.run_failed', about: { data: { ...run, reference } } })
}

/** The events of a run whose disbursement has ended; none before. */
export function runEnded(
  state: State,
  context: Context,
  account: AccountNumber,
  origin: RunOrigin,
  disbursement: RunDisbursement & { readonly reference: string },
): StoredEvent[] {
  const run = runOf(origin, disbursement)
  if (run.state === 'running') return []
  const ended: ScheduleRunEnded = { schedule_id: origin.schedule_id, run }
  return [event('schedule.run_ended', 1, account, ended), ...runFailed(state, context, account, run, disbursement.reference)]
}
