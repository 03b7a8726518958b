// The form of a schedule, for a new one and for one that is replaced, with lines as in a batch; and the warnings that the API
// answers.

import type { LineWarning } from '../../../../engine/contract/batch.ts'
import { SCHEDULE_RECURRENCES, type Schedule } from '../../../../engine/contract/schedule.ts'
import type { ReadFile } from '../../../client/src/payment-file/payment-file.ts'
import { paymentFileText } from '../../../client/src/payment-file/payment-file-text.ts'
import type { Language } from '../../../text/language.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { fileField, refusal } from '../pay-out/payment-file-form.ts'
import { amountCell, batchItem, payableLines } from '../pay-out/payment-lines.ts'
import { areaField, formStart, heading, selectField, theirs } from '../shared/dashboard-parts.ts'
import type { Sent, Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { filled, recipientText, timeOf } from '../shared/typed-text.ts'
import { TEXTS } from './schedule-form-messages.ts'

export const RECURRENCES: Readonly<Record<Schedule['recurrence'], Text | string>> = {
  once: TEXTS.once,
  weekly: DASHBOARD_WORDS.everyWeek,
  monthly: DASHBOARD_WORDS.everyMonth,
}

/** `disbursement` names the bulk payout whose lines are paid, in the place of `lines`; empty without one. */
export const SCHEDULE_FIELDS = ['recurrence', 'date', 'time', 'reference', 'lines', 'disbursement'] as const
/** `planned` is date and time as the form showed them at first: an unchanged date is not sent, so that it keeps its day of the month. */
export const PLAN_FIELDS = [...SCHEDULE_FIELDS, 'planned'] as const

export type PlanForm = Sent<(typeof PLAN_FIELDS)[number]>
export type ScheduleForm = Sent<(typeof SCHEDULE_FIELDS)[number]>

export const EMPTY_SCHEDULE: ScheduleForm = { recurrence: 'monthly', date: '', time: '08:00', reference: '', lines: '', disbursement: '' }

/** Returns the API's body of a plan: its lines that can be read, or the bulk payout that has them. */
export function planBody(
  { recurrence, reference, disbursement }: Omit<ScheduleForm, 'lines'>,
  file: ReadFile,
  startAt: string | null,
): object {
  const start = startAt === null ? {} : { start_at: startAt }
  const payees = disbursement === '' ? { items: payableLines(file).map(batchItem) } : { disbursement_id: disbursement }
  return filled({ recurrence, ...start, reference, ...payees })
}

/** Returns the changed date of a plan, RFC 3339 as typed; null for the one that it had, and for none. */
export function changedStart({ date, time, planned }: PlanForm): string | null {
  return date.trim() === '' || plannedText(date, time) === planned ? null : timeOf(date, time)
}

function plannedText(date: string, time: string): string {
  return `${date.trim()} ${time.trim()}`
}

export function planOf(
  { recurrence, reference, items, currency, disbursement_id: disbursement = '', next_run_at }: Schedule,
  language: Language,
): PlanForm {
  const lines = items.map(({ recipient, amount, ...texts }) => ({
    ...{ ...texts, recipient: recipientText(recipient), amount: amountCell(amount, currency) },
  }))
  const [date, time] = [next_run_at?.slice(0, 10) ?? '', next_run_at?.slice(11, 16) ?? '']
  return { recurrence, date, time, planned: plannedText(date, time), reference, lines: paymentFileText(lines, language), disbursement }
}

export function showScheduleForm(visit: Visit, form: ScheduleForm, error: Fragment): void {
  const body = html`${heading(DASHBOARD_WORDS.schedulePayouts)}
<form class="form card" method="post" action="${visit.to('schedules/new')}" enctype="multipart/form-data" novalidate>${formStart(visit)}
${refusal(error)}
${planFields(visit, form, startFields(TEXTS.firstTimeOn, form))}
<button type="submit">${WORDS.check}</button>
</form>`
  visit.show({ title: TEXTS.schedule, place: 'schedules', body }, error === null ? 200 : 400)
}

export function showPlanForm(visit: Visit, id: string, form: PlanForm, error: Fragment): void {
  const body = html`${heading(TEXTS.editScheduledPayout)}
<form class="form card" method="post" action="${visit.to(`schedules/${id}/edit`)}" enctype="multipart/form-data" novalidate>${formStart(visit)}
${refusal(error)}
<p class="hint">${TEXTS.pastRunsDoNotChange}</p><input type="hidden" name="planned" value="${form.planned}">
${planFields(visit, form, startFields(TEXTS.nextTimeOn, form))}
<div class="buttons"><button type="submit">${WORDS.check}</button><a class="button quiet" href="${visit.to(`schedules/${id}`)}">${TEXTS.changeNothing}</a></div>
</form>`
  visit.show({ title: TEXTS.editScheduledPayout, place: 'schedules', body }, error === null ? 200 : 400)
}

function startFields(label: Text | string, { date, time }: ScheduleForm): Html {
  return html`<div class="pair"><div class="field"><label for="date">${label}</label><input id="date" name="date" type="date" value="${date}" required></div>
<div class="field"><label for="time">${DASHBOARD_WORDS.atUtcTimeAbidjan}</label><input id="time" name="time" type="time" value="${time}" required></div></div>`
}

function planFields(visit: Visit, form: ScheduleForm, start: Fragment): Fragment {
  const choices = SCHEDULE_RECURRENCES.map((value) => ({ value, words: RECURRENCES[value] }))
  return html`${selectField('recurrence', DASHBOARD_WORDS.frequency, choices, form.recurrence)}
${start}
${form.disbursement === '' ? lineFields(visit, form) : html`<input type="hidden" name="disbursement" value="${form.disbursement}">${storedLines(visit, form.disbursement)}`}
${formField({ name: 'reference', label: DASHBOARD_WORDS.reference, hint: TEXTS.linesWithoutReferenceTakeIt, value: form.reference, maxLength: 255, isRequired: false })}`
}

function lineFields(visit: Visit, { lines: value }: ScheduleForm): Html {
  const { linesPayEachTime: label, oneLinePerPayoutRecipient: hint } = TEXTS
  return html`${fileField(visit, TEXTS.itReplacesLinesPastedBelow)}
${areaField({ name: 'lines', label, hint, value, rows: 6, isCode: true })}`
}

/** Where the lines of a schedule are that has none of its own. */
export function storedLines(visit: Visit, disbursement: string): Html {
  return html`<p>${TEXTS.linesOfBulkPayout(visit.to(`disbursements/${disbursement}`))}</p>`
}

/** Returns the text for an error of the API that is about no line. */
export function planFault({ message, param = '' }: ApiError): Text | string {
  return param === 'start_at' ? TEXTS.chooseDateAndTimeIn : message
}

const WARNINGS: Readonly<Record<LineWarning['code'], Text | string>> = {
  recipient_not_found: TEXTS.noWalletHasTagOr,
  recipient_blocked: TEXTS.walletRecipientCannotReceiveMoney,
  recently_paid: TEXTS.itWasPaidSameAmount,
  duplicate_line: TEXTS.lineAboveHasSameRecipient,
}

const WARNINGS_SHOWN_MAX = 20

/** What may be wrong with the lines, as the API answered it. */
export function warningList({ items }: Pick<Schedule, 'items'>, warnings: readonly LineWarning[]): Fragment {
  if (warnings.length === 0) return null
  const row = ({ index, code }: LineWarning): Fragment => {
    const recipient = items[index]?.recipient
    return html`<li>${TEXTS.line(index + 1, theirs(recipient === undefined ? '' : recipientText(recipient)), WARNINGS[code])}</li>`
  }
  const more = warnings.length - WARNINGS_SHOWN_MAX
  return html`<section class="reasons" role="status"><p>${TEXTS.scheduledPayoutSavedCheckThese}</p>
<ul>${warnings.slice(0, WARNINGS_SHOWN_MAX).map(row)}${more > 0 && html`<li>${DASHBOARD_WORDS.andMore(more)}</li>`}</ul></section>`
}
