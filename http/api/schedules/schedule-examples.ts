// Examples of schedules in the OpenAPI document. A test validates each against its schema.
import type { CreateScheduleBody, PlannedSchedule, ReplaceScheduleBody, Schedule, ScheduleRun } from '../../../engine/contract/schedule.ts'
import { planStart } from '../shared-examples.ts'

const START = planStart(Date.now())

export const SCHEDULE_REQUEST: CreateScheduleBody = {
  recurrence: 'monthly',
  start_at: `${START}Z`,
  reference: 'PAIE',
  items: [
    { recipient: '@awa_diallo', amount: 150_000 },
    { recipient: '@moussa_k', amount: 120_000, note: 'Prime comprise' },
  ],
}

const ID = '019aa0f8-1c00-7b01-8c4d-5e6f708192a3'

export const SCHEDULE: Schedule = {
  id: ID,
  state: 'active',
  recurrence: 'monthly',
  start_at: '2026-11-30T08:00:00.000Z',
  reference: 'PAIE',
  items: [
    { recipient: 'awa_diallo', amount: 150_000, reference: '', note: '' },
    { recipient: 'moussa_k', amount: 120_000, reference: '', note: 'Prime comprise' },
  ],
  items_count: 2,
  total_amount: 270_000,
  currency: 'XOF',
  environment: 'live',
  next_run_at: '2026-12-30T08:00:00.000Z',
  last_run_at: '2026-11-30T08:00:00.412Z',
  runs_count: 1,
  created_at: '2026-11-20T10:00:00.000Z',
  cancelled_at: null,
}

export const NEW_SCHEDULE: PlannedSchedule = {
  ...SCHEDULE,
  start_at: `${START}.000Z`,
  next_run_at: `${START}.000Z`,
  last_run_at: null,
  runs_count: 0,
  warnings: [{ index: 1, code: 'recipient_not_found' }],
}

export const SCHEDULE_REPLACEMENT: ReplaceScheduleBody = {
  recurrence: 'monthly',
  reference: 'PAIE',
  items: [
    { recipient: '@awa_diallo', amount: 155_000 },
    { recipient: '+221771234567', amount: 120_000 },
  ],
}

export const REPLACED_SCHEDULE: PlannedSchedule = {
  ...SCHEDULE,
  items: [
    { recipient: 'awa_diallo', amount: 155_000, reference: '', note: '' },
    { recipient: '+221771234567', amount: 120_000, reference: '', note: '' },
  ],
  total_amount: 275_000,
  warnings: [],
}

export const PAUSED_SCHEDULE: Schedule = { ...SCHEDULE, state: 'paused', next_run_at: null }

export const CANCELLED_SCHEDULE: Schedule = {
  ...SCHEDULE,
  state: 'cancelled',
  next_run_at: null,
  cancelled_at: '2026-12-02T09:15:00.000Z',
}

export const SCHEDULE_RUN: ScheduleRun = {
  id: '019aa0f8-1c00-7b02-8c4d-5e6f708192a3',
  schedule_id: ID,
  scheduled_for: '2026-11-30T08:00:00.000Z',
  executed_at: '2026-11-30T08:00:00.412Z',
  state: 'completed',
  batch_id: '019aa0f8-1c00-7b03-8c4d-5e6f708192a3',
  paid_count: 2,
  failed_count: 0,
}

export const FAILED_RUN = { ...SCHEDULE_RUN, state: 'partial', paid_count: 1, failed_count: 1, reference: 'PAIE' } as const
