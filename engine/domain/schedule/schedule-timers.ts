// What a schedule's timer means when it is due: the schedule runs.
import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { RunSchedule } from './schedule-run-decide.ts'
import { SCHEDULE_TIMER } from './schedule-state.ts'

export const SCHEDULE_TIMERS = { [SCHEDULE_TIMER]: runSchedule } as const

function runSchedule(state: State, { key, dueMs }: DueTimer): TimedCommand<RunSchedule> {
  const live = state.schedules.live.get(key)
  assert(live !== undefined, 'a schedule that will not run has no timer')
  return { command: { type: 'RunSchedule', merchant: live.account, id: key, dueMs }, mailbox: live.account, linesCount: live.linesCount }
}
