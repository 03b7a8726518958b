// The noun module of schedules of payouts.

import { assert } from '../../kernel/assert.ts'
import type { DueTimer } from '../../kernel/timer-queue.ts'
import type { NounModule, TimedCommand } from '../noun-module.ts'
import type { State } from '../state.ts'
import {
  CANCEL_SCHEDULE_REJECTIONS,
  CREATE_SCHEDULE_REJECTIONS,
  type CreateSchedule,
  decideCancelSchedule,
  decideCreateSchedule,
  decidePauseSchedule,
  decideResumeSchedule,
  PAUSE_SCHEDULE_REJECTIONS,
  RESUME_SCHEDULE_REJECTIONS,
} from './schedule-decide.ts'
import { SCHEDULE_EVENTS } from './schedule-evolve.ts'
import { SCHEDULE_INDEX_KEYS, SCHEDULE_INDEXED } from './schedule-index-keys.ts'
import { LIVE_SCHEDULES } from './schedule-limits.ts'
import { decideReplaceSchedule, REPLACE_SCHEDULE_REJECTIONS, type ReplaceSchedule } from './schedule-replace-decide.ts'
import { decideRunSchedule, RUN_SCHEDULE_REJECTIONS, type RunSchedule } from './schedule-run-decide.ts'
import { SCHEDULE_TIMER, Schedules } from './schedule-state.ts'
import { SCHEDULE_DOCUMENTS } from './schedule-versions.ts'

export const SCHEDULE = {
  state: { name: 'schedules', create: (shared) => new Schedules(shared) },
  quotas: [LIVE_SCHEDULES],
  commands: {
    CreateSchedule: {
      decide: decideCreateSchedule,
      rejections: CREATE_SCHEDULE_REJECTIONS,
      overBudget: 'rejected',
      lines: ({ lines }: CreateSchedule) => lines.length,
    },
    ReplaceSchedule: {
      decide: decideReplaceSchedule,
      rejections: REPLACE_SCHEDULE_REJECTIONS,
      overBudget: 'rejected',
      lines: ({ lines }: ReplaceSchedule) => lines.length,
    },
    PauseSchedule: { decide: decidePauseSchedule, rejections: PAUSE_SCHEDULE_REJECTIONS, overBudget: 'rejected_unchanged' },
    ResumeSchedule: { decide: decideResumeSchedule, rejections: RESUME_SCHEDULE_REJECTIONS, overBudget: 'rejected' },
    CancelSchedule: { decide: decideCancelSchedule, rejections: CANCEL_SCHEDULE_REJECTIONS, overBudget: 'rejected_unchanged' },
    RunSchedule: {
      decide: decideRunSchedule,
      rejections: RUN_SCHEDULE_REJECTIONS,
      overBudget: ({ dueMs }: RunSchedule) => (dueMs === null ? 'rejected' : 'counted'),
      lines: ({ id }: RunSchedule, { schedules }: State) => schedules.live.get(id)?.linesCount ?? 1,
    },
  },
  events: SCHEDULE_EVENTS,
  indexKeys: SCHEDULE_INDEX_KEYS,
  indexed: SCHEDULE_INDEXED,
  timers: { [SCHEDULE_TIMER]: runSchedule },
  frames: [],
  transactionTypes: [],
  documents: SCHEDULE_DOCUMENTS,
} as const satisfies NounModule

function runSchedule(state: State, { key, dueMs }: DueTimer): TimedCommand<RunSchedule> {
  const live = state.schedules.live.get(key)
  assert(live !== undefined, 'a schedule that will not run has no timer')
  return {
    command: { type: 'RunSchedule', merchant: live.account, id: key, dueMs },
    mailbox: live.account,
    linesCount: live.linesCount,
    isPaced: true,
  }
}
