// Decider of one run of a schedule: a batch of its lines, in one turn and one record. The record also sets the next
// occurrence, so after a crash an occurrence is either due or done.
import type { BatchLine } from '../../contract/batch-line.ts'
import { nextOccurrence } from '../../kernel/calendar.ts'
import { parseRfc3339, rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { planBatch } from '../payout/batch.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import type { LiveSchedule, Schedule, ScheduleRan, ScheduleRun, ScheduleStatus } from './schedule-state.ts'
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
  const planPosition = live.planPosition ?? live.createdPosition
  const schedule = scheduleOf(context.past, { ...live, planPosition })
  const { merchant } = command
  const lines = schedule.items.map((item): BatchLine => ({ ...item, reference: item.reference || schedule.reference, fault: null }))
  const batch = planBatch(
    state,
    { merchant, lines, reference: schedule.reference, scheduleId: live.id, keyId: live.keyId ?? null },
    context,
  )
  const run: ScheduleRun = {
    id: context.newId(),
    schedule_id: live.id,
    scheduled_for: next_run_at,
    executed_at: rfc3339(context.timeMs),
    state: batch.failedCount === 0 ? 'completed' : batch.paidCount === 0 ? 'failed' : 'partial',
    batch_id: batch.id,
    paid_count: batch.paidCount,
    failed_count: batch.failedCount,
  }
  const ran: ScheduleRan = {
    schedule_id: live.id,
    status: statusAfter(live, scheduledMs, context.timeMs),
    created_position: live.createdPosition,
    plan_position: planPosition,
    run,
  }
  return {
    environment: schedule.environment,
    events: [...batch.events, event('schedule.ran', 1, merchant, ran), ...failureEvents(state, context, merchant, schedule, run)],
    transactions: batch.transactions,
    frames: batch.frames,
    spend: batch.spend,
    kind: 'ok',
    body: JSON.stringify(run),
  }
}

/** The webhook event of a run that did not pay every line. */
function failureEvents(state: State, context: Context, merchant: AccountNumber, { reference }: Schedule, run: ScheduleRun): StoredEvent[] {
  if (run.state === 'completed') return []
  return outboxEvents(state, context, { account: merchant, type: 'schedule.run_failed', about: { data: { ...run, reference } } })
}

function statusAfter({ recurrence, startMs, status }: LiveSchedule, scheduledMs: TimeMs, timeMs: TimeMs): ScheduleStatus {
  const nextMs = nextOccurrence(startMs, recurrence, Math.max(scheduledMs, timeMs))
  const state = nextMs === null ? 'completed' : 'active'
  const next_run_at = nextMs === null ? null : rfc3339(nextMs)
  return { state, next_run_at, last_run_at: rfc3339(timeMs), runs_count: status.runs_count + 1, cancelled_at: null }
}
