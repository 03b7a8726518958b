// Decider of one run of a schedule: a batch of its lines, or a disbursement that is started, in one turn and one record. The record also sets the next
// occurrence, so after a crash an occurrence is either due or done.
import type { BatchLine } from '../../contract/batch-line.ts'
import type { Caller } from '../../contract/created-by.ts'
import { nextOccurrence } from '../../kernel/calendar.ts'
import type { Position } from '../../kernel/position.ts'
import { parseRfc3339, rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { plannedRun } from '../disbursement/disbursement-run.ts'
import { planBatch } from '../payout/batch.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { endedState, runFailed, runOf } from './run-outcome.ts'
import type { LiveSchedule, Schedule, ScheduleRan, ScheduleRun, ScheduleStatus, StoredSchedule } from './schedule-state.ts'
import { findSchedule, scheduleOf } from './schedule-versions.ts'

/** By its timer, or by hand in the test environment. */
export interface RunSchedule {
  readonly type: 'RunSchedule'
  readonly merchant: AccountNumber
  readonly id: string
  /** The occurrence that is due; null: the next one, now. */
  readonly dueMs: TimeMs | null
}

export const RUN_SCHEDULE_REJECTIONS = ['schedule_not_active', 'not_found'] as const

/**
 * Returns `ok` and the run. Occurrences that were missed together, because nothing ran at their time, are one run:
 * the first of them, late; the next one is in the future. Rejections: not_found, schedule_not_active.
 */
export function decideRunSchedule(
  state: State,
  command: RunSchedule,
  context: Context,
): Decision<(typeof RUN_SCHEDULE_REJECTIONS)[number]> {
  const live = state.schedules.live.get(command.id)
  if (live === undefined) {
    const finished = findSchedule(state, context.past, command.id)
    return { refusal: finished?.account === command.merchant ? 'schedule_not_active' : 'not_found' }
  }
  if (live.account !== command.merchant) return { refusal: 'not_found' }
  const { next_run_at } = live.status
  if (next_run_at === null) return { refusal: 'schedule_not_active' }
  const scheduledMs = parseRfc3339(next_run_at)
  if (command.dueMs !== null && command.dueMs !== scheduledMs) return { refusal: 'schedule_not_active' }
  const found = { ...live, planPosition: live.planPosition ?? live.createdPosition }
  const schedule = scheduleOf(context.past, found)
  const { merchant } = command
  const { by } = payloadOf<StoredSchedule>(context.past.eventAt(live.createdPosition))
  const { source_position } = payloadOf<Pick<StoredSchedule, 'source_position'>>(context.past.eventAt(found.planPosition))
  const order = { schedule, merchant, by, scheduledFor: next_run_at }
  const { run, failed, ...paid } =
    source_position === undefined ? paidBatch(state, order, context) : startedDisbursement(state, order, source_position, context)
  const ran: ScheduleRan = {
    schedule_id: live.id,
    status: statusAfter(live, scheduledMs, context.timeMs),
    created_position: live.createdPosition,
    plan_position: found.planPosition,
    run,
  }
  return {
    environment: schedule.environment,
    ...paid,
    events: [...paid.events, event('schedule.ran', 1, merchant, ran), ...failed],
    kind: 'ok',
    body: JSON.stringify(run),
  }
}

interface Order {
  readonly schedule: Schedule
  readonly merchant: AccountNumber
  /** Who made the schedule. */
  readonly by: Caller
  readonly scheduledFor: string
}

interface Paid extends Pick<Accepted, 'events' | 'transactions' | 'frames' | 'spend'> {
  readonly run: ScheduleRun
  /** The merchant event of a run that has failed; a disbursement has its own. */
  readonly failed: readonly StoredEvent[]
}

/** Lines of its own are one batch, in this turn. */
function paidBatch(state: State, { schedule, merchant, by, scheduledFor }: Order, context: Context): Paid {
  const { id: scheduleId, reference } = schedule
  const lines = schedule.items.map((item): BatchLine => ({ ...item, reference: item.reference || reference, fault: null }))
  const keyId = by.kind === 'key' ? by.id : null
  const { id, paidCount, failedCount, ...batch } = planBatch(state, { merchant, lines, reference, scheduleId, keyId }, context)
  const run: ScheduleRun = {
    id: context.newId(),
    schedule_id: scheduleId,
    scheduled_for: scheduledFor,
    executed_at: rfc3339(context.timeMs),
    state: endedState(paidCount, paidCount + failedCount),
    batch_id: id,
    paid_count: paidCount,
    failed_count: failedCount,
  }
  const failed = runFailed(state, context, merchant, run, reference)
  return { run, failed, events: batch.events, transactions: batch.transactions, frames: batch.frames, spend: batch.spend }
}

/** The lines of a disbursement are another disbursement, which is paid by turns of its own. */
function startedDisbursement(state: State, { schedule, merchant, by, scheduledFor }: Order, source: Position, context: Context): Paid {
  const { id: schedule_id, reference } = schedule
  const origin = { run_id: context.newId(), schedule_id, scheduled_for: scheduledFor }
  const made = plannedRun(state, { merchant, source, reference, by, run: origin }, context)
  return { run: runOf(origin, made.disbursement), failed: [], events: made.events, transactions: [], frames: [] }
}

function statusAfter({ recurrence, startMs, status }: LiveSchedule, scheduledMs: TimeMs, timeMs: TimeMs): ScheduleStatus {
  const nextMs = nextOccurrence(startMs, recurrence, Math.max(scheduledMs, timeMs))
  const state = nextMs === null ? 'completed' : 'active'
  const next_run_at = nextMs === null ? null : rfc3339(nextMs)
  return { state, next_run_at, last_run_at: rfc3339(timeMs), runs_count: status.runs_count + 1, cancelled_at: null }
}
