// The page between the form of a schedule and its saving: what a run pays, the balance and what it would leave, and what may
// be a mistake in the lines. A line that cannot be read, or that the API would not take, leads back to the form, with all of them.

import type { Balance } from '../../../../engine/contract/balance.ts'
import type { BatchReport } from '../../../../engine/contract/batch.ts'
import { type LineFault, readBatchLine } from '../../../../engine/contract/batch-line.ts'
import type { Disbursement } from '../../../../engine/contract/disbursement.ts'
import type { Currency } from '../../../../engine/kernel/currency.ts'
import { BATCH_LINES_MAX } from '../../../../engine/kernel/limits.ts'
import { isUnreadable, type PaymentFile } from '../../../client/src/payment-file/payment-file.ts'
import { errorText } from '../../../text/error-text.ts'
import type { Text } from '../../../text/text.ts'
import { type ApiError, newFormKey } from '../../shared/api-calls.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { linesTable, linesText, type NumberedLine } from '../pay-out/batch-pages.ts'
import { fileRemarks, lineWords, shortList, understood, unreadableLines } from '../pay-out/file-remarks.ts'
import { failureReasons } from '../pay-out/outcomes.ts'
import { hiddenFields, problemWords } from '../pay-out/payment-file-form.ts'
import { batchItem, type PayableLine, payableLines, readTyped } from '../pay-out/payment-lines.ts'
import { dateText, facts, heading, money, theirs } from '../shared/dashboard-parts.ts'
import type { Sent, Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { tokenField } from '../shared/shell.ts'
import { TEXTS } from './schedule-check-messages.ts'
import { planBody, planFault, RECURRENCES, type ScheduleForm, storedLines } from './schedule-form.ts'

export interface ScheduleCheck {
  readonly form: ScheduleForm & Sent
  /** What the form saves by. */
  readonly operationId: 'createSchedule' | 'replaceSchedule'
  /** First run, RFC 3339; null when the schedule keeps its next date. */
  readonly startAt: string | null
  /** Paths of the form that saves and of the one that leads back. */
  readonly save: string
  readonly edit: string
  /** Shows the form with an error. */
  readonly again: (error: Fragment) => void
}

/** Shows the page; an invalid plan shows its form again. Nothing is saved. */
export async function checkSchedule(visit: Visit, check: ScheduleCheck): Promise<void> {
  const { form, operationId, startAt, save, edit, again } = check
  const payees = await (form.disbursement === '' ? typedPayees(visit, check) : storedPayees(visit, check))
  if ('fault' in payees) return again(payees.fault)
  const { total, count, facts: more, remarks } = payees
  const balance = await visit.ask<Balance>('getBalance')
  const recurrence = RECURRENCES[form.recurrence as keyof typeof RECURRENCES]
  const page = html`${heading(TEXTS.checkScheduledPayout)}
${facts([
  [DASHBOARD_WORDS.frequency, recurrence],
  [operationId === 'createSchedule' ? DASHBOARD_WORDS.firstTime : DASHBOARD_WORDS.nextTime, startAt !== null && dateText(startAt)],
  [DASHBOARD_WORDS.eachTime, html`${TEXTS.in(money(total, visit.currency), linesText(count))}`],
  [DASHBOARD_WORDS.availableBalance, balance.ok && money(balance.body.available, balance.body.currency)],
  [TEXTS.balanceAfterOneRun, balance.ok && balance.body.available >= total && money(balance.body.available - total, visit.currency)],
  ...more,
])}
${balance.ok && balance.body.available < total && html`<p class="error" role="status">${TEXTS.todaysBalanceNotEnoughFor}</p>`}
${remarks}
<div class="actions"><form class="form" method="post" action="${visit.to(save)}">${tokenField(visit)}<input type="hidden" name="key" value="${newFormKey()}">${hiddenFields(form)}
<button type="submit">${DASHBOARD_WORDS.save}</button></form>
<form class="form" method="post" action="${visit.to(edit)}">${tokenField(visit)}${hiddenFields(form)}<button class="quiet" type="submit">${WORDS.startAgain}</button></form></div>`
  visit.show({ title: TEXTS.checkScheduledPayout, place: 'schedules', body: page })
}

/** What one run pays. */
interface CheckedPayees {
  readonly total: number
  readonly count: number
  readonly facts: Parameters<typeof facts>[0]
  readonly remarks: Fragment
}

type Faulty = { readonly fault: Fragment }

async function typedPayees(visit: Visit, check: ScheduleCheck): Promise<CheckedPayees | Faulty> {
  const file = await readTyped(visit, check.form.lines)
  if (isUnreadable(file)) return { fault: problemWords(file.problem) }
  const lines = payableLines(file)
  // Of more lines than a run takes, the API's answer counts.
  const wrong = lines.length > BATCH_LINES_MAX ? null : wrongLines(file, lines, visit.currency)
  if (wrong !== null) return { fault: wrong }
  const fault = planFaultOf(visit, check, file)
  if (fault !== null) return { fault }
  const answer = await visit.ask<BatchReport>('createBatch', { body: { items: lines.map(batchItem) }, query: { dry_run: 'true' } })
  if (!answer.ok) return { fault: planFault(answer.error) }
  const remarks = html`${fileRemarks(file, lines, visit.currency)}
${doubtfulLines(visit, answer.body, lines)}`
  return { total: answer.body.total_amount, count: lines.length, facts: understood(file, lines, visit.currency), remarks }
}

/** The lines of a bulk payout were judged when it was made. */
async function storedPayees(visit: Visit, check: ScheduleCheck): Promise<CheckedPayees | Faulty> {
  const { disbursement } = check.form
  const fault = planFaultOf(visit, check, await readTyped(visit, ''))
  if (fault !== null) return { fault }
  const answer = await visit.ask<Disbursement>('getDisbursement', { params: [disbursement] })
  if (!answer.ok) return { fault: planFault(answer.error) }
  const { valid_amount: total, valid_count: count } = answer.body
  return { total, count, facts: [], remarks: storedLines(visit, disbursement) }
}

/** What the API would refuse in the plan; null where it takes it. */
function planFaultOf(visit: Visit, { form, operationId, startAt }: ScheduleCheck, file: PlanFile): Text | string | null {
  const fault = visit.faultIn(operationId, planBody(form, file, startAt)) ?? pastStart(visit, startAt)
  return fault === null ? null : planFault(fault)
}

type PlanFile = Parameters<typeof planBody>[1]

function pastStart(visit: Visit, startAt: string | null): ApiError | null {
  const isPast = startAt !== null && Date.parse(startAt) <= visit.app.engine.query('engine.time', null)
  return isPast ? { code: 'invalid_request', message: errorText({ code: 'invalid_request' }), param: 'start_at', retryAfterS: null } : null
}

/** Renders all lines that cannot be planned; null where there is none. */
function wrongLines(file: PaymentFile, lines: readonly PayableLine[], currency: Currency): Fragment {
  const faults = lines.flatMap((line) => {
    const { fault } = readBatchLine(batchItem(line), currency)
    return fault === null ? [] : [{ ...line, fault }]
  })
  const unread = unreadableLines(file.lines, DASHBOARD_WORDS.correctTheseLines)
  if (unread === null && faults.length === 0) return null
  const item = ({ row, recipient, fault }: (typeof faults)[number]): Fragment =>
    lineWords(row, html`${theirs(recipient)}${WORDS.colon} ${FAULTS[fault]}`)
  return html`${unread}${faults.length > 0 && html`<ul>${shortList(faults, item)}</ul>`}`
}

const FAULTS: Readonly<Record<LineFault, Text | string>> = {
  invalid_recipient: TEXTS.tagOrPhoneRecipientNot,
  invalid_amount: TEXTS.amountNotWholeNumberAbove,
  invalid_reference: TEXTS.referenceNotValid,
  invalid_note: TEXTS.noteNotValid,
  invalid_json: TEXTS.lineHasUnknownField,
  unknown_field: TEXTS.lineHasUnknownField,
  unsupported_currency: TEXTS.currencyNotAccount,
}

/** Renders the lines that would fail today for another reason than the balance, which may change until the run. */
function doubtfulLines(visit: Visit, report: BatchReport, lines: readonly PayableLine[]): Fragment {
  const failing = report.items.filter(({ failure_code }) => failure_code !== undefined && failure_code !== 'insufficient_balance')
  if (failing.length === 0) return null
  const shown = failing.map((line): NumberedLine => ({ ...line, number: lines[line.index]?.row ?? line.index + 1 }))
  return html`<section class="reasons" role="status"><p>${TEXTS.theseLinesWouldFailToday}</p>${failureReasons(failing)}</section>
${linesTable(visit, shown, 'checked')}`
}
