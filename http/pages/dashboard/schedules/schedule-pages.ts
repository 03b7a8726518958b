// Payout schedules: the list, and one schedule with its runs and actions.

import type { LineWarning } from '../../../../engine/contract/batch.ts'
import type { PlannedSchedule, Schedule, ScheduleRun } from '../../../../engine/contract/schedule.ts'
import type { Route } from '../../../server/route.ts'
import { countText } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { listRows } from '../lists/list-page.ts'
import { withText } from '../pay-out/payment-file-form.ts'
import { readTyped } from '../pay-out/payment-lines.ts'
import { FORM_BYTES_MAX } from '../shared/dashboard-limits.ts'
import {
  actionButton,
  badge,
  confirmedAction,
  dateText,
  facts,
  failure,
  heading,
  live,
  money,
  table,
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, fileRow, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { moveRow } from '../shared/record-moves.ts'
import { recipientText, timeOf } from '../shared/typed-text.ts'
import { failedRunAdvice } from './failed-runs.ts'
import { checkSchedule } from './schedule-check.ts'
import {
  changedStart,
  EMPTY_SCHEDULE,
  PLAN_FIELDS,
  type PlanForm,
  planBody,
  planFault,
  planOf,
  RECURRENCES,
  SCHEDULE_FIELDS,
  type ScheduleForm,
  showPlanForm,
  showScheduleForm,
  storedLines,
  warningList,
} from './schedule-form.ts'
import { SCHEDULE_NEWS, SCHEDULE_STATES, SCHEDULES } from './schedule-list.ts'
import { runTable } from './schedule-runs.ts'

const TEXTS = texts({
  fr: {
    scheduledPayout: (recurrences: string) => `Versement programmé\u00a0: ${recurrences}`,
    in: (totalAmount: Fragment, itemsCount: Fragment, value: Fragment) => html`${totalAmount} en ${itemsCount} ${value}`,
    pause: 'Mettre en pause',
    resume: 'Reprendre',
    noFurtherPayoutWillBe: 'Plus aucun versement ne sera fait.',
    cancelScheduledPayout: 'Annuler le versement programmé',
  },
  en: {
    scheduledPayout: (recurrences) => `Scheduled payout: ${recurrences}`,
    in: (totalAmount, itemsCount, value) => html`${totalAmount} in ${itemsCount} ${value}`,
    pause: 'Pause',
    resume: 'Resume',
    noFurtherPayoutWillBe: 'No further payout will be made.',
    cancelScheduledPayout: 'Cancel the scheduled payout',
  },
})

const MOVES = [
  ['pause', 'pauseSchedule', 'schedule_paused'],
  ['resume', 'resumeSchedule', 'schedule_resumed'],
  ['cancel', 'cancelSchedule', 'schedule_cancelled'],
] as const

export function scheduleRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, SCHEDULES),
    pageRow(parts, {
      path: '/schedules/new',
      operationId: 'showScheduleForm',
      needs: 'createSchedule',
      summary: 'Plan payouts',
      show: (visit) => showScheduleForm(visit, EMPTY_SCHEDULE, null),
    }),
    fileRow(parts, {
      path: '/schedules/new',
      operationId: 'sendScheduleCheck',
      needs: 'createSchedule',
      summary: 'What a schedule would pay',
      fields: SCHEDULE_FIELDS,
      bytesMax: FORM_BYTES_MAX,
      act: checkNew,
    }),
    formRow(parts, {
      path: '/schedules/edit',
      operationId: 'sendScheduleEdit',
      needs: 'createSchedule',
      summary: 'The same schedule in the form',
      fields: SCHEDULE_FIELDS,
      act: (visit, sent) => showScheduleForm(visit, sent, null),
    }),
    formRow(parts, {
      path: '/schedules',
      operationId: 'sendSchedule',
      needs: 'createSchedule',
      summary: 'Plan payouts',
      fields: SCHEDULE_FIELDS,
      act: createSchedule,
    }),
    ...planRows(parts),
    pageRow(parts, {
      path: '/schedules/{id}',
      operationId: 'showSchedule',
      summary: 'A schedule',
      show: (visit) => showSchedule(visit, idOf(visit), null),
    }),
    ...MOVES.map(([move, operationId, note]) =>
      moveRow(parts, {
        ...{ path: `/schedules/{id}/${move}`, operationId, note },
        done: (visit) => `schedules/${visit.params[0]}`,
        again: (visit, error) => showSchedule(visit, idOf(visit), error),
      }),
    ),
  ]
}

/** The form that changes a schedule, its check, and its saving. */
function planRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/schedules/{id}/edit',
      operationId: 'showPlanForm',
      needs: 'replaceSchedule',
      summary: 'Change a schedule',
      show: editSchedule,
    }),
    fileRow(parts, {
      path: '/schedules/{id}/edit',
      operationId: 'sendPlanCheck',
      needs: 'replaceSchedule',
      summary: 'What the changed schedule would pay',
      fields: PLAN_FIELDS,
      bytesMax: FORM_BYTES_MAX,
      act: checkPlan,
    }),
    formRow(parts, {
      path: '/schedules/{id}/edit-again',
      operationId: 'sendPlanEdit',
      needs: 'replaceSchedule',
      summary: 'The same plan in the form',
      fields: PLAN_FIELDS,
      act: (visit, sent) => showPlanForm(visit, idOf(visit), sent, null),
    }),
    formRow(parts, {
      path: '/schedules/{id}/replace',
      operationId: 'sendPlan',
      needs: 'replaceSchedule',
      summary: 'Change a schedule',
      fields: PLAN_FIELDS,
      act: replaceSchedule,
    }),
  ]
}

async function checkNew(visit: Visit, file: Buffer | undefined, { key: _key, ...sent }: ScheduleForm & Sent<'key'>): Promise<void> {
  const again = (error: Fragment, form = sent): void => showScheduleForm(visit, form, error)
  const form = await withText(visit, file, sent, again)
  if (form === null) return
  const startAt = timeOf(form.date, form.time)
  const to = {
    operationId: 'createSchedule',
    save: 'schedules',
    edit: 'schedules/edit',
    again: (error: Fragment) => again(error, form),
  } as const
  return checkSchedule(visit, { form, startAt, ...to })
}

async function checkPlan(visit: Visit, file: Buffer | undefined, { key: _key, ...sent }: PlanForm & Sent<'key'>): Promise<void> {
  const id = idOf(visit)
  const answer = await visit.ask<Schedule>('getSchedule', { params: visit.params })
  if (!answer.ok) return visit.missing()
  if (!isLive(answer.body)) return visit.goTo(`schedules/${answer.body.id}`)
  const again = (error: Fragment, form = sent): void => showPlanForm(visit, id, form, error)
  const form = await withText(visit, file, sent, again)
  if (form === null) return
  const startAt = changedStart(form)
  const to = { save: `schedules/${id}/replace`, edit: `schedules/${id}/edit-again`, again: (error: Fragment) => again(error, form) }
  return checkSchedule(visit, { form, operationId: 'replaceSchedule', startAt, ...to })
}

async function createSchedule(visit: Visit, sent: ScheduleForm & Sent<'key'>): Promise<void> {
  const body = planBody(sent, await readTyped(visit, sent.lines), timeOf(sent.date, sent.time))
  const answer = await visit.ask<PlannedSchedule>('createSchedule', { body, idempotencyKey: sent.key })
  if (answer.ok) await showPlanned(visit, answer.body, 'schedule_created')
  else showScheduleForm(visit, sent, planFault(answer.error))
}

/** Shows the warnings on the page that answers the form: they are not kept. Sent again, the form has the same answer. */
async function showPlanned(visit: Visit, { id, warnings }: PlannedSchedule, note: string): Promise<void> {
  if (warnings.length === 0) visit.goTo(`schedules/${id}`, note)
  else await showSchedule(visit, id, null, warnings)
}

async function editSchedule(visit: Visit): Promise<void> {
  const answer = await visit.ask<Schedule>('getSchedule', { params: visit.params })
  if (!answer.ok) return visit.missing()
  if (!isLive(answer.body)) return visit.goTo(`schedules/${answer.body.id}`)
  showPlanForm(visit, answer.body.id, planOf(answer.body, languageOf(visit.call).language), null)
}

async function replaceSchedule(visit: Visit, sent: PlanForm & Sent<'key'>): Promise<void> {
  const answer = await visit.ask<PlannedSchedule>('replaceSchedule', {
    params: visit.params,
    body: planBody(sent, await readTyped(visit, sent.lines), changedStart(sent)),
    idempotencyKey: sent.key,
  })
  if (answer.ok) await showPlanned(visit, answer.body, 'schedule_replaced')
  else if (answer.status === 404) visit.missing()
  else if (answer.status === 409) await showSchedule(visit, idOf(visit), answer.error)
  else showPlanForm(visit, idOf(visit), sent, planFault(answer.error))
}

const idOf = ({ params }: Visit): string => params[0] ?? ''

function isLive({ state }: Pick<Schedule, 'state'>): boolean {
  return state === 'active' || state === 'paused'
}

async function showSchedule(visit: Visit, id: string, error: ApiError | null, warnings: readonly LineWarning[] = []): Promise<void> {
  const [answer, answeredRuns] = await Promise.all([
    visit.ask<Schedule>('getSchedule', { params: [id] }),
    visit.ask<{ readonly data: readonly ScheduleRun[] }>('listScheduleRuns', { params: [id], query: { limit: '50' } }),
  ])
  if (!answer.ok) return visit.missing()
  const schedule = answer.body
  const runs = answeredRuns.ok ? answeredRuns.body.data : []
  const body = html`${live('title', heading(html`${TEXTS.scheduledPayout(RECURRENCES[schedule.recurrence])}`, badge(...SCHEDULE_STATES[schedule.state])))}
${failure(error)}${warningList(schedule, warnings)}${await failedRunAdvice(visit, runs[0])}
${facts([
  [WORDS.reference, theirs(schedule.reference)],
  [
    DASHBOARD_WORDS.eachTime,
    html`${TEXTS.in(money(schedule.total_amount, schedule.currency), countText(schedule.items_count), schedule.items_count > 1 ? DASHBOARD_WORDS.lines2 : DASHBOARD_WORDS.line)}`,
  ],
  [WORDS.since, dateText(schedule.start_at)],
  [DASHBOARD_WORDS.nextTime, schedule.next_run_at !== null && dateText(schedule.next_run_at)],
  [WORDS.cancelled, schedule.cancelled_at !== null && dateText(schedule.cancelled_at)],
  [WORDS.identifier, schedule.id],
])}
${moves(visit, schedule)}
<section><h2>${DASHBOARD_WORDS.runs}</h2>${live('runs', runTable(visit, runs))}</section>
<section><h2>${DASHBOARD_WORDS.lines}</h2>${schedule.disbursement_id === undefined ? itemTable(schedule) : storedLines(visit, schedule.disbursement_id)}</section>`
  visit.show({ title: DASHBOARD_WORDS.scheduledPayout, place: 'schedules', live: SCHEDULE_NEWS, body }, error === null ? 200 : 409)
}

function itemTable({ items, currency }: Schedule): Html {
  return table(
    DASHBOARD_WORDS.lines,
    [
      { name: DASHBOARD_WORDS.recipient, cell: ({ recipient }) => theirs(recipientText(recipient)) },
      { name: WORDS.amount, card: 'amount', isFigure: true, cell: ({ amount }) => money(amount, currency) },
      { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
      { name: DASHBOARD_WORDS.note, card: 'about', cell: ({ note }) => theirs(note) },
    ],
    items,
    '',
  )
}

function moves(visit: Visit, { id, state }: Schedule): Fragment {
  const here = visit.to(`schedules/${id}`)
  return (
    isLive({ state }) &&
    html`<div class="actions"><a class="button quiet" href="${here}/edit">${WORDS.edit}</a>
${state === 'active' && actionButton(visit, `${here}/pause`, TEXTS.pause)}
${state === 'paused' && actionButton(visit, `${here}/resume`, TEXTS.resume, 'strong')}
${confirmedAction(visit, `${here}/cancel`, { ask: DASHBOARD_WORDS.cancel, warn: TEXTS.noFurtherPayoutWillBe, go: TEXTS.cancelScheduledPayout })}
</div>`
  )
}
