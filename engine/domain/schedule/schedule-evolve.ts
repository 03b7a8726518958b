// How live schedules change.
import { assert } from '../../kernel/assert.ts'
import { positionOf } from '../../kernel/position.ts'
import { parseRfc3339 } from '../../kernel/time.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { ScheduleChange, ScheduleReplaced, StoredSchedule } from './schedule-state.ts'

export const SCHEDULE_EVENTS = {
  'schedule.created@1': addSchedule,
  'schedule.ran@1': changeStatus,
  'schedule.run_ended@1': null,
  'schedule.paused@1': changeStatus,
  'schedule.resumed@1': changeStatus,
  'schedule.completed@1': changeStatus,
  'schedule.cancelled@1': changeStatus,
  'schedule.replaced@1': changePlan,
} satisfies EventTable

function addSchedule(state: State, schedule: StoredSchedule, event: StoredEvent, record: LogRecord): void {
  const { id, recurrence, start_at, items, next_run_at, last_run_at, runs_count, cancelled_at } = schedule
  const position = positionOf(record.sequence, record.events.indexOf(event))
  state.schedules.live.set(id, {
    id,
    account: event.account,
    recurrence,
    startMs: parseRfc3339(start_at),
    status: { state: schedule.state, next_run_at, last_run_at, runs_count, cancelled_at },
    linesCount: linesOfRun(items),
    createdPosition: position,
    planPosition: position,
  })
}

function changePlan(state: State, { schedule_id, status, plan, anchor_at, plan_position }: ScheduleReplaced): void {
  const live = state.schedules.live.get(schedule_id)
  assert(live !== undefined, 'only a live schedule changes')
  const { recurrence, items } = plan
  state.schedules.live.set(schedule_id, {
    ...live,
    status,
    recurrence,
    linesCount: linesOfRun(items),
    startMs: parseRfc3339(anchor_at),
    planPosition: plan_position,
  })
}

/** A run without lines of its own starts a disbursement, which is paid by turns of its own. */
function linesOfRun(items: readonly unknown[]): number {
  return Math.max(1, items.length)
}

/** A schedule that will not run again leaves live state; the log has it. */
function changeStatus(state: State, { schedule_id, status }: ScheduleChange): void {
  const live = state.schedules.live.get(schedule_id)
  assert(live !== undefined, 'only a live schedule changes')
  if (status.state === 'completed' || status.state === 'cancelled') state.schedules.live.delete(schedule_id)
  else state.schedules.live.set(schedule_id, { ...live, status })
}
