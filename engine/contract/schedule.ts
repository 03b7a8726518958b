// Payout schedules as the API accepts and returns them: a list of payouts that repeats.
import { BATCH_LINES_MAX } from '../kernel/limits.ts'
import { BatchLine, LineWarning } from './batch.ts'
import {
  amount,
  balance,
  currency,
  environment,
  listOf,
  PAGE_QUERY,
  PageQuery,
  partText,
  recipientOutput,
  reference,
  timestamp,
  uuid,
} from './common.ts'
import { DISBURSEMENT_LINES_MAX } from './disbursement.ts'
import { moneyBody } from './money-body.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

export const SCHEDULE_STATES = ['active', 'paused', 'completed', 'cancelled'] as const
export const SCHEDULE_RECURRENCES = ['once', 'weekly', 'monthly'] as const
export const RUN_STATES = ['running', 'completed', 'partial', 'failed'] as const

function recurrence() {
  return choice(SCHEDULE_RECURRENCES, {
    description:
      'From `start_at` on, in UTC; once it was replaced, from the occurrence on that was next, or from the `start_at` of the replacement. Monthly keeps the day of the month; in a month that is too short it falls on the last day, in that month only.',
  })
}

const REPLACED_FIELDS = {
  reference: Type.Optional(reference({ description: 'Your reference. Lines without their own reference inherit it.' })),
  items: Type.Optional(
    Type.Array(BatchLine, {
      minItems: 1,
      maxItems: BATCH_LINES_MAX,
      'x-error': 'batch_too_large',
      'x-missing': 'items_required',
      description: 'Paid at every execution. A malformed line rejects the schedule.',
    }),
  ),
  disbursement_id: Type.Optional(
    uuid({
      description:
        'In the place of `items`, for up to 100 000 lines: each execution pays the valid lines of this disbursement, in any state of it.',
    }),
  ),
}

export const CreateScheduleBody = moneyBody(
  {
    recurrence: recurrence(),
    start_at: timestamp({ description: 'First execution: RFC 3339, in the future.', examples: ['2026-11-30T08:00:00Z'] }),
    ...REPLACED_FIELDS,
  },
  { $id: 'CreateScheduleBody' },
)

/** The whole plan: what is left out is not kept. */
export const ReplaceScheduleBody = moneyBody(
  {
    recurrence: recurrence(),
    start_at: Type.Optional(
      timestamp({
        description:
          'Next execution, from which the recurrence counts: RFC 3339, in the future. Left out: the next execution keeps its date.',
        examples: ['2026-12-31T08:00:00Z'],
      }),
    ),
    ...REPLACED_FIELDS,
  },
  { $id: 'ReplaceScheduleBody' },
)

export type ReplaceScheduleBody = Static<typeof ReplaceScheduleBody>

export type CreateScheduleBody = Static<typeof CreateScheduleBody>

const ScheduleLine = Type.Object(
  {
    recipient: recipientOutput(),
    amount: amount(),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    note: Type.String({ description: 'As sent; empty when none was sent.' }),
  },
  { $id: 'ScheduleLine' },
)

export const Schedule = Type.Object(
  {
    id: uuid({ description: 'Id of the schedule.' }),
    state: choice(SCHEDULE_STATES, { description: '`completed` and `cancelled` are final.' }),
    recurrence: recurrence(),
    start_at: timestamp({ description: 'First execution: RFC 3339, UTC.' }),
    reference: Type.String({ description: 'As sent; empty when none was sent.' }),
    items: Type.Array(ScheduleLine, { description: 'Paid at every execution, in this order. Empty with a `disbursement_id`.' }),
    disbursement_id: Type.Optional(
      uuid({
        description:
          'The disbursement whose valid lines every execution pays; absent where the lines are `items`. Its lines stay as they were judged, also when it is paid, cancelled or rejected.',
      }),
    ),
    items_count: Type.Integer({
      minimum: 1,
      maximum: DISBURSEMENT_LINES_MAX,
      description: 'Lines of `items`, or valid lines of the disbursement.',
    }),
    total_amount: balance({ description: 'Sum of the lines of one execution.' }),
    currency: currency(),
    environment: environment(),
    next_run_at: nullable(timestamp(), { description: 'Null unless it is active.' }),
    last_run_at: nullable(timestamp(), { description: 'When it last ran; null before the first time.' }),
    runs_count: Type.Integer({ minimum: 0, description: 'Executions so far.' }),
    created_at: timestamp(),
    cancelled_at: nullable(timestamp(), { description: 'When it was cancelled; null otherwise.' }),
  },
  { $id: 'Schedule' },
)

export type Schedule = Static<typeof Schedule>

/** What creation and replacement answer. */
export const PlannedSchedule = Type.Object(
  {
    ...Schedule.properties,
    warnings: Type.Array(LineWarning, {
      description: 'In the order of the lines, as recipients are now. Each run looks them up again, so a warning refuses nothing.',
    }),
  },
  { $id: 'PlannedSchedule' },
)

export type PlannedSchedule = Static<typeof PlannedSchedule>

export const ScheduleList = listOf(Schedule, 'ScheduleList')

export const ListSchedulesQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(SCHEDULE_STATES, { description: 'Only schedules in this state.' })),
  q: Type.Optional(partText('Reference or id of the schedule, or recipient of a line of `items`.')),
})

export type ListSchedulesQuery = Static<typeof ListSchedulesQuery>

export const ScheduleRun = Type.Object(
  {
    id: uuid({ description: 'Id of the run.' }),
    schedule_id: uuid({ description: 'Id of its schedule.' }),
    scheduled_for: timestamp({ description: 'The occurrence.' }),
    executed_at: timestamp({ description: 'Time of the execution: within seconds of its due time, later only when the service was down.' }),
    state: choice(RUN_STATES, {
      description:
        '`completed`: every line was paid; `failed`: none was. `running`: its disbursement has not ended, which can be paused or cancelled like any other.',
    }),
    batch_id: nullable(uuid(), {
      description: 'Its batch: `GET /v1/biz/payouts/batch/{id}` is the report, line by line. Null where the run is a disbursement.',
    }),
    disbursement_id: Type.Optional(
      uuid({
        description:
          'The disbursement that this run started: `GET /v1/biz/disbursements/{id}` is its progress, `/lines` its report. Absent where the run is a batch.',
      }),
    ),
    paid_count: Type.Integer({ minimum: 0, description: 'Lines that were paid so far.' }),
    failed_count: Type.Integer({
      minimum: 0,
      description: 'Lines that failed so far; lines of a cancelled disbursement are in neither count.',
    }),
  },
  { $id: 'ScheduleRun' },
)

export type ScheduleRun = Static<typeof ScheduleRun>

export const ScheduleRunList = listOf(ScheduleRun, 'ScheduleRunList')

export const ListRunsQuery = PageQuery

export type ListRunsQuery = Static<typeof ListRunsQuery>
