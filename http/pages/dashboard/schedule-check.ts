// The page between the form of a schedule and its saving: what a run pays, the balance and what it would leave, and what may
// be a mistake in the lines.
import type { Balance } from '../../../engine/contract/balance.ts'
import type { BatchReport } from '../../../engine/contract/batch.ts'
import { type ApiError, newFormKey } from '../api-calls.ts'
import { type Fragment, html } from '../html.ts'
import { linesTable, linesText, type NumberedLine } from './batch-pages.ts'
import { type BatchFile, batchFile } from './batch-parts.ts'
import { dateText, facts, heading, money } from './dashboard-parts.ts'
import { fileRemarks, sourceRow } from './file-remarks.ts'
import { failureReasons } from './outcomes.ts'
import { type PlanForm, RECURRENCES } from './schedule-form.ts'
import { tokenField } from './shell.ts'
import type { Sent, Visit } from './visit.ts'

export interface ScheduleCheck {
  readonly form: PlanForm & Sent
  readonly body: object
  /** First run, RFC 3339; null when the schedule keeps its next date. */
  readonly startAt: string | null
  /** Paths of the form that saves and of the one that leads back. */
  readonly save: string
  readonly edit: string
  /** Shows the form with an error. */
  readonly again: (error: ApiError) => void
}

/** Shows the page; an invalid plan shows its form again. Nothing is saved. */
export async function checkSchedule(visit: Visit, check: ScheduleCheck): Promise<void> {
  const { form, body, startAt, save, edit, again } = check
  const fault = visit.faultIn(startAt === null ? 'replaceSchedule' : 'createSchedule', body) ?? pastStart(visit, startAt)
  if (fault !== null) return again(fault)
  const file = batchFile(form.lines, form.reference, '')
  const [answer, balance] = await Promise.all([
    visit.ask<BatchReport>('createBatch', { body: { items: file.lines }, query: { dry_run: 'true' } }),
    visit.ask<Balance>('getBalance'),
  ])
  if (!answer.ok) return again(answer.error)
  const total = answer.body.total_amount
  const recurrence = RECURRENCES[form.recurrence as keyof typeof RECURRENCES]
  const page = html`${heading('Vérifier le versement programmé')}
${facts([
  ['Fréquence', recurrence],
  ['Première fois', startAt !== null && dateText(startAt)],
  ['À chaque fois', html`${money(total)} en ${linesText(file.lines.length)}`],
  ['Solde disponible', balance.ok && money(balance.body.available)],
  ['Solde après une fois', balance.ok && balance.body.available >= total && money(balance.body.available - total)],
])}
${balance.ok && balance.body.available < total && html`<p class="error" role="status">Le solde d’aujourd’hui ne suffit pas pour une exécution : approvisionnez le compte avant sa date.</p>`}
${fileRemarks(file, 0)}
${doubtfulLines(visit, answer.body, file)}
<div class="actions"><form class="form" method="post" action="${visit.to(save)}">${tokenField(visit)}<input type="hidden" name="key" value="${newFormKey()}">${hiddenFields(form)}
<button type="submit">Enregistrer</button></form>
<form class="form" method="post" action="${visit.to(edit)}">${tokenField(visit)}${hiddenFields(form)}<button class="quiet" type="submit">Recommencer</button></form></div>`
  visit.show({ title: 'Vérifier le versement programmé', place: 'schedules', body: page })
}

function pastStart(visit: Visit, startAt: string | null): ApiError | null {
  const isPast = startAt !== null && Date.parse(startAt) <= visit.app.engine.query('engine.time', null)
  return isPast ? { code: 'invalid_request', message: '', param: 'start_at', retryAfterS: null } : null
}

/** Renders the lines that would fail today for another reason than the balance, which may change until the run. */
function doubtfulLines(visit: Visit, report: BatchReport, file: BatchFile): Fragment {
  const failing = report.items.filter(({ failure_code }) => failure_code !== undefined && failure_code !== 'insufficient_balance')
  if (failing.length === 0) return null
  const lines = failing.map((line): NumberedLine => {
    const { number, amount } = sourceRow(file, line.index)
    return { ...line, number, typedAmount: amount }
  })
  return html`<section class="reasons" role="status"><p>Ces lignes échoueraient aujourd’hui :</p>${failureReasons(failing)}</section>
${linesTable(visit, lines, 'checked')}`
}

function hiddenFields(form: Sent): Fragment {
  return Object.entries(form).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}
