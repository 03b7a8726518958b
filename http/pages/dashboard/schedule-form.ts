// The form of a schedule, for a new one and for one that is replaced, with lines as in a batch; and the warnings that the API
// answers.
import type { LineWarning } from '../../../engine/contract/batch.ts'
import { SCHEDULE_RECURRENCES, type Schedule } from '../../../engine/contract/schedule.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, html } from '../html.ts'
import { csvOfLines, readCsv } from './csv-lines.ts'
import { areaField, failure, formStart, heading, selectField, theirs } from './dashboard-parts.ts'
import { recipientText } from './recipient-text.ts'
import { filled } from './typed.ts'
import type { Sent, Visit } from './visit.ts'

export const RECURRENCES: Readonly<Record<Schedule['recurrence'], string>> = {
  once: 'Une fois',
  weekly: 'Chaque semaine',
  monthly: 'Chaque mois',
}

export const PLAN_FIELDS = ['recurrence', 'reference', 'lines'] as const
export const SCHEDULE_FIELDS = ['recurrence', 'date', 'time', 'reference', 'lines'] as const

export type PlanForm = Sent<(typeof PLAN_FIELDS)[number]>
export type ScheduleForm = Sent<(typeof SCHEDULE_FIELDS)[number]>

export const EMPTY_SCHEDULE: ScheduleForm = { recurrence: 'monthly', date: '', time: '08:00', reference: '', lines: '' }

/** Returns the API's body of the typed plan. */
export function planBody({ recurrence, reference, lines }: PlanForm, more: object = {}): object {
  return filled({ recurrence, ...more, reference, items: readCsv(lines).lines })
}

export function planOf({ recurrence, reference, items }: Schedule): PlanForm {
  const lines = items.map(({ recipient, ...line }) => ({ ...line, recipient: recipientText(recipient) }))
  return { recurrence, reference, lines: csvOfLines(lines) }
}

export function showScheduleForm(visit: Visit, form: ScheduleForm, error: ApiError | null): void {
  const start = html`<div class="pair"><div class="field"><label for="date">Première fois, le</label><input id="date" name="date" type="date" value="${form.date}" required></div>
<div class="field"><label for="time">à (heure UTC, celle d’Abidjan)</label><input id="time" name="time" type="time" value="${form.time}" required></div></div>`
  const body = html`${heading('Programmer des versements')}
<form class="form card" method="post" action="${visit.to('schedules/new')}" novalidate>${formStart(visit)}
${failure(error === null ? null : { message: faultText(form, error) })}
${planFields(form, start)}
<button type="submit">Vérifier</button>
</form>`
  visit.show({ title: 'Programmer', place: 'schedules', body }, error === null ? 200 : 400)
}

export function showPlanForm(visit: Visit, id: string, form: PlanForm, error: ApiError | null): void {
  const body = html`${heading('Modifier le versement programmé')}
<form class="form card" method="post" action="${visit.to(`schedules/${id}/edit`)}" novalidate>${formStart(visit)}
${failure(error === null ? null : { message: faultText(form, error) })}
<p class="hint">La prochaine exécution garde sa date. Les exécutions déjà faites ne changent pas.</p>
${planFields(form, null)}
<div class="buttons"><button type="submit">Vérifier</button><a class="button quiet" href="${visit.to(`schedules/${id}`)}">Ne rien changer</a></div>
</form>`
  visit.show({ title: 'Modifier le versement programmé', place: 'schedules', body }, error === null ? 200 : 400)
}

function planFields(form: PlanForm, start: Fragment): Fragment {
  const choices = SCHEDULE_RECURRENCES.map((value) => ({ value, words: RECURRENCES[value] }))
  return html`${selectField('recurrence', 'Fréquence', choices, form.recurrence)}
${start}
<div class="field" data-file-for="lines" hidden><label for="file">Fichier CSV</label><input id="file" type="file" accept=".csv,text/csv,text/plain"></div>
${areaField({
  name: 'lines',
  label: 'Lignes à verser à chaque fois',
  hint: 'Une ligne par versement : destinataire (@tag ou téléphone), montant, référence, note.',
  value: form.lines,
  rows: 6,
  isCode: true,
})}
${formField({ name: 'reference', label: 'Votre référence', hint: 'Les lignes sans référence la reprennent.', value: form.reference, maxLength: 255, isRequired: false })}`
}

/** Returns the error text. It names an invalid line by its row in the typed text, with what was typed. */
function faultText({ lines }: PlanForm, { message, param = '' }: ApiError): string {
  const [, index, field] = /^items\.(\d+)(?:\.(\w+))?/.exec(param) ?? []
  if (index === undefined) return param === 'start_at' ? 'Choisissez une date et une heure dans le futur.' : message
  const { number = Number(index) + 1, text = '' } = readCsv(lines).source[Number(index)] ?? {}
  return `Ligne ${number} (${text}) : ${FAULTS[field ?? ''] ?? 'elle n’est pas complète'}.`
}

const FAULTS: Readonly<Record<string, string>> = {
  recipient: 'le @tag ou le téléphone du destinataire n’est pas valide',
  amount: 'le montant n’est pas un nombre entier supérieur à zéro',
  reference: 'la référence n’est pas valide',
  note: 'la note n’est pas valide',
}

const WARNINGS: Readonly<Record<LineWarning['code'], string>> = {
  recipient_not_found: 'aucun portefeuille n’a ce @tag ou ce téléphone aujourd’hui',
  recipient_blocked: 'le portefeuille du destinataire ne peut pas recevoir d’argent aujourd’hui',
  duplicate_line: 'une ligne plus haut a le même destinataire, le même montant et la même référence',
}

const WARNINGS_SHOWN_MAX = 20

/** What may be wrong with the lines, as the API answered it. */
export function warningList({ items }: Pick<Schedule, 'items'>, warnings: readonly LineWarning[]): Fragment {
  if (warnings.length === 0) return null
  const row = ({ index, code }: LineWarning): Fragment => {
    const recipient = items[index]?.recipient
    return html`<li>Ligne ${index + 1}, ${theirs(recipient === undefined ? '' : recipientText(recipient))} : ${WARNINGS[code]}</li>`
  }
  const more = warnings.length - WARNINGS_SHOWN_MAX
  return html`<section class="reasons" role="status"><p>Le versement programmé est enregistré. Vérifiez ces lignes avant la prochaine exécution :</p>
<ul>${warnings.slice(0, WARNINGS_SHOWN_MAX).map(row)}${more > 0 && html`<li>et ${more} de plus</li>`}</ul></section>`
}
