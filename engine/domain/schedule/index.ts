// The noun of schedules of payouts: everything that the engine knows of it.
import type { NounModule } from '../noun-module.ts'
import { decideCancelSchedule, decideCreateSchedule, decidePauseSchedule, decideResumeSchedule } from './schedule-decide.ts'
import { SCHEDULE_EVENTS } from './schedule-evolve.ts'
import { SCHEDULE_INDEX_KEYS, SCHEDULE_INDEXED } from './schedule-index-keys.ts'
import { decideRunSchedule, type RunSchedule } from './schedule-run-decide.ts'
import { Schedules } from './schedule-state.ts'
import { SCHEDULE_TIMERS } from './schedule-timers.ts'
import { SCHEDULE_DOCUMENTS } from './schedule-versions.ts'

export const SCHEDULE = {
  state: { name: 'schedules', create: ({ timers }) => new Schedules(timers) },
  commands: {
    CreateSchedule: { decide: decideCreateSchedule, overBudget: 'rejected' },
    PauseSchedule: { decide: decidePauseSchedule, overBudget: 'rejected_unchanged' },
    ResumeSchedule: { decide: decideResumeSchedule, overBudget: 'rejected' },
    CancelSchedule: { decide: decideCancelSchedule, overBudget: 'rejected_unchanged' },
    RunSchedule: { decide: decideRunSchedule, overBudget: ({ dueMs }: RunSchedule) => (dueMs === null ? 'rejected' : 'counted') },
  },
  events: SCHEDULE_EVENTS,
  indexKeys: SCHEDULE_INDEX_KEYS,
  indexed: SCHEDULE_INDEXED,
  timers: SCHEDULE_TIMERS,
  frames: [],
  transactionTypes: [],
  documents: SCHEDULE_DOCUMENTS,
} as const satisfies NounModule
