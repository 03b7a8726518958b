// Payout schedules: one row for each route. engine/domain/schedule decides when they run and what a run does.
import type { CommandOf } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { MoneyMoveBody } from '../../../engine/contract/money-body.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { CreateScheduleBody, PlannedSchedule, ReplaceScheduleBody, Schedule, ScheduleRun } from '../../../engine/contract/schedule.ts'
import { parseTime } from '../../../engine/contract/time-text.ts'
import { normalizeRecipient } from '../../../engine/kernel/recipient.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { LARGE_BODY_VALUES_MAX, LINES_BODY_BYTES_MAX } from '../../server/server-limits.ts'
import { UNKNOWN_RECIPIENTS_RULE } from '../payouts/recipient-prose.ts'
import {
  CANCELLED_SCHEDULE,
  NEW_SCHEDULE,
  PAUSED_SCHEDULE,
  REPLACED_SCHEDULE,
  SCHEDULE,
  SCHEDULE_REPLACEMENT,
  SCHEDULE_REQUEST,
  SCHEDULE_RUN,
} from './schedule-examples.ts'
import { idOf, SCHEDULES_PATH } from './schedule-path.ts'
import { type ScheduleRoutesParts, scheduleReadingRoutes } from './schedule-reading-routes.ts'

export function scheduleRoutes(parts: ScheduleRoutesParts): readonly Route[] {
  return [createRoute(), ...scheduleReadingRoutes(parts), replaceRoute(), ...movingRoutes(), runRoute()]
}

const SCOPE = 'disbursements.write'

function createRoute(): Route {
  return route({
    method: 'POST',
    path: SCHEDULES_PATH,
    operationId: 'createSchedule',
    tag: 'Payout schedules',
    summary: 'Schedule payouts',
    description: CREATE_DESCRIPTION,
    auth: 'key',
    memberRole: 'manager',
    scope: SCOPE,
    idempotency: 'required',
    body: CreateScheduleBody,
    bodyBytesMax: LINES_BODY_BYTES_MAX,
    bodyValuesMax: LARGE_BODY_VALUES_MAX,
    bodyExample: SCHEDULE_REQUEST,
    responses: [{ status: 201, description: 'The schedule and its warnings.', schema: PlannedSchedule, example: NEW_SCHEDULE }],
    commands: ['CreateSchedule'],
    errors: ['batch_too_large', 'invalid_recipient'],
    handle: createSchedule,
  })
}

function replaceRoute(): Route {
  return route({
    method: 'PUT',
    path: `${SCHEDULES_PATH}/{id}`,
    operationId: 'replaceSchedule',
    tag: 'Payout schedules',
    summary: 'Replace lines, reference, recurrence and next date',
    description: REPLACE_DESCRIPTION,
    auth: 'key',
    memberRole: 'manager',
    scope: SCOPE,
    idempotency: 'accepted',
    params: { id: uuid({ description: 'Id of the schedule.' }) },
    body: ReplaceScheduleBody,
    bodyBytesMax: LINES_BODY_BYTES_MAX,
    bodyValuesMax: LARGE_BODY_VALUES_MAX,
    bodyExample: SCHEDULE_REPLACEMENT,
    responses: [{ status: 200, description: 'The schedule and its warnings.', schema: PlannedSchedule, example: REPLACED_SCHEDULE }],
    commands: ['ReplaceSchedule'],
    errors: ['batch_too_large', 'invalid_recipient'],
    handle: replaceSchedule,
  })
}

const MOVES = [
  {
    verb: 'pause',
    command: 'PauseSchedule',
    summary: 'Pause a schedule',
    description: 'What falls into the pause is skipped. Pausing a paused one answers 200 again.',
    example: PAUSED_SCHEDULE,
  },
  {
    verb: 'resume',
    command: 'ResumeSchedule',
    summary: 'Resume a paused schedule',
    description:
      'It goes on with the first occurrence in the future; where none is left, it is `completed`. Resuming an active one answers 200 again.',
    example: SCHEDULE,
  },
  {
    verb: 'cancel',
    command: 'CancelSchedule',
    summary: 'Cancel a schedule',
    description: 'Final. Cancelling a cancelled one answers 200 again.',
    example: CANCELLED_SCHEDULE,
  },
] as const

function movingRoutes(): readonly Route[] {
  return MOVES.map(({ verb, command, summary, description, example }) =>
    route({
      method: 'POST',
      path: `${SCHEDULES_PATH}/{id}/${verb}`,
      operationId: `${verb}Schedule`,
      tag: 'Payout schedules',
      summary,
      description,
      auth: 'key',
      memberRole: 'manager',
      scope: SCOPE,
      idempotency: 'accepted',
      params: { id: uuid({ description: 'Id of the schedule.' }) },
      responses: [{ status: 200, description: 'The schedule.', schema: Schedule, example }],
      commands: [command],
      errors: [],
      handle: (call) => call.submit({ type: command, merchant: call.principal.account, id: idOf(call) }, call.principal.account),
    }),
  )
}

function runRoute(): Route {
  return route({
    method: 'POST',
    path: '/v1/biz/test/payout-schedules/{id}/run',
    operationId: 'runTestSchedule',
    tag: 'Test helpers',
    summary: 'Run a schedule now',
    description: 'Takes the next occurrence now instead of at its time; the one after it is next.',
    auth: 'key',
    memberRole: 'manager',
    idempotency: 'accepted',
    testOnly: true,
    params: { id: uuid({ description: 'Id of the schedule.' }) },
    body: MoneyMoveBody,
    bodyOptional: true,
    bodyExample: {},
    responses: [{ status: 200, description: 'The run.', schema: ScheduleRun, example: SCHEDULE_RUN }],
    commands: ['RunSchedule'],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'RunSchedule', merchant: account, id: idOf(call), dueMs: null }, account)
    },
  })
}

const CREATE_DESCRIPTION = `\`items\` has up to 500 lines. For up to 100 000, send \`disbursement_id\` in their place: the valid lines of that disbursement, as they were
judged when it was created, are what each occurrence pays; it need never be started, and what becomes of it later changes nothing. Each such occurrence is a
disbursement of its own, named by the run: lines are paid by turns and judged again at their turn, one that the balance does not cover fails and the next is
tried, a line beyond the budget of unknown recipients waits. It can be paused and cancelled like any other; where the account has its share of disbursements that have not
ended, it is cancelled from its beginning. No approval is asked for a run: the policy compares the sum of one run here. Both fields: 400 \`invalid_request\`;
no line that can be paid: 400 \`items_required\`.

With \`items\`, each occurrence is a batch of its own. It runs exactly once, within seconds of its time; what it cannot pay it reports line by line
(\`GET …/runs\`, then the batch). Recipients are looked up at each run; \`warnings\` says what
may be wrong with them now, and names duplicate lines. ${UNKNOWN_RECIPIENTS_RULE} A schedule with a line beyond the budget is answered 429
\`rate_limited\` with \`param\` \`recipient\`; in a run such a line fails with \`recipient_check_limited\`. When the service was down at the time, it runs late, once: occurrences that
were missed together are one run, scheduled for the first of them, and the next is in the future. One account can have at most 10 000 schedules that are
active or paused (quota \`schedules\`).`

const REPLACE_DESCRIPTION = `From the next occurrence on: runs that began before pay the earlier lines. The state and the schedule’s own \`start_at\` stay, and
\`next_run_at\` does without a \`start_at\` in the request; with one it is that time, and the recurrence counts from it. Another
recurrence counts from the next occurrence (of a paused schedule: the one that would be next); the same one keeps its day. A paused schedule is
replaced too and stays paused; a completed or cancelled one is answered 409 \`schedule_not_active\`. Where a run is due at the same time, the one whose
turn comes first wins, and the other one sees its result. \`warnings\` and limits are those of the creation.`

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function createSchedule(call: MerchantCall<CreateScheduleBody>): void {
  const { recurrence, start_at, reference = '' } = call.body
  const { account: merchant, caller: by } = call.principal
  const payees = payeesOf(call)
  if (payees === null) return
  // The schema has validated `start_at`.
  const startMs = parseTime(start_at) as number
  call.submit({ type: 'CreateSchedule', merchant, recurrence, startMs, reference, ...payees, by }, merchant)
}

function replaceSchedule(call: MerchantCall<ReplaceScheduleBody>): void {
  const { recurrence, start_at, reference = '' } = call.body
  const { account: merchant } = call.principal
  const payees = payeesOf(call)
  if (payees === null) return
  const next = start_at === undefined ? {} : { startMs: parseTime(start_at) as number }
  call.submit({ type: 'ReplaceSchedule', merchant, id: idOf(call), recurrence, reference, ...payees, ...next }, merchant)
}

type ScheduleLine = CommandOf<'CreateSchedule'>['lines'][number]

interface Payees {
  readonly lines: ScheduleLine[]
  readonly disbursementId?: string
}

/** Returns what each run pays, or refuses the call and returns null. */
function payeesOf(call: Pick<MerchantCall<ReplaceScheduleBody>, 'body' | 'refuse'>): Payees | null {
  const { items, disbursement_id } = call.body
  if (disbursement_id === undefined) {
    if (items === undefined) {
      call.refuse('items_required', 'items')
      return null
    }
    const lines = linesOf(call, items)
    return lines === null ? null : { lines }
  }
  if (items !== undefined) {
    call.refuse('invalid_request', 'disbursement_id', because('items_or_disbursement'))
    return null
  }
  return { lines: [], disbursementId: disbursement_id.toLowerCase() }
}

/** Returns the lines, or refuses the call and returns null at a recipient that is neither tag nor phone. */
function linesOf(call: Pick<Call, 'refuse'>, items: NonNullable<CreateScheduleBody['items']>): ScheduleLine[] | null {
  const lines: ScheduleLine[] = []
  for (const { recipient: given, amount, reference = '', note = '' } of items) {
    const recipient = normalizeRecipient(given)
    if (recipient === null) {
      call.refuse('invalid_recipient', `items.${lines.length}.recipient`)
      return null
    }
    lines.push({ recipient, amount, reference, note })
  }
  return lines
}
