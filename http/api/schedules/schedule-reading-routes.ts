// The reading routes of payout schedules: one by id, the list, the runs of one.
import type { EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { ListRunsQuery, ListSchedulesQuery, Schedule, ScheduleList, ScheduleRunList } from '../../../engine/contract/schedule.ts'
import { answerPage, answerSlices } from '../../lists/list-answers.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { SCHEDULE, SCHEDULE_RUN } from './schedule-examples.ts'
import { idOf, SCHEDULES_PATH } from './schedule-path.ts'

export interface ScheduleRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
}

type MerchantCall<Query = Record<string, unknown>> = Call<unknown, Query, MerchantPrincipal>

export function scheduleReadingRoutes(parts: ScheduleRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: SCHEDULES_PATH,
      operationId: 'listSchedules',
      tag: 'Payout schedules',
      summary: 'List schedules',
      description: LIST_DESCRIPTION,
      auth: 'key',
      idempotency: 'none',
      query: ListSchedulesQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: ScheduleList,
          example: { data: [SCHEDULE], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listSchedules(parts, call),
    }),
    route({
      method: 'GET',
      path: `${SCHEDULES_PATH}/{id}`,
      operationId: 'getSchedule',
      tag: 'Payout schedules',
      summary: 'Get a schedule',
      description: '`next_run_at` is the next occurrence; null unless the schedule is active.',
      auth: 'key',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the schedule.' }) },
      responses: [{ status: 200, description: 'The schedule.', schema: Schedule, example: SCHEDULE }],
      errors: [],
      handle: (call) => getSchedule(parts, call),
    }),
    route({
      method: 'GET',
      path: `${SCHEDULES_PATH}/{id}/runs`,
      operationId: 'listScheduleRuns',
      tag: 'Payout schedules',
      summary: 'List the runs of a schedule',
      description:
        'One row for each occurrence that was executed, newest first, as it is now. `batch_id` or `disbursement_id` leads to its lines.',
      auth: 'key',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the schedule.' }) },
      query: ListRunsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: ScheduleRunList,
          example: { data: [SCHEDULE_RUN], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listRuns(parts, call),
    }),
  ]
}

const LIST_DESCRIPTION = `Each schedule as it stands now, newest first by creation. With \`state\`, a page may end early when very many had to be looked at: go on with
\`next_cursor\` for as long as \`has_more\` is true.`

function listSchedules({ engine }: ScheduleRoutesParts, call: MerchantCall<ListSchedulesQuery>): void {
  const { account } = call.principal
  answerSlices(call, (query, slice) => engine.query('schedules.list', { account, query, slice }))
}

function getSchedule({ engine }: ScheduleRoutesParts, call: MerchantCall): void {
  const schedule = engine.query('schedules.get', { account: call.principal.account, id: idOf(call) })
  if (schedule === null) return call.refuse('not_found')
  call.answer(200, schedule)
}

function listRuns({ engine }: ScheduleRoutesParts, call: MerchantCall<ListRunsQuery>): void {
  const own = { account: call.principal.account, id: idOf(call) }
  if (!engine.query('schedules.exists', own)) return call.refuse('not_found')
  answerPage(call, engine.query('schedules.runs', { ...own, query: call.query }))
}
