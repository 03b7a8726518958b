// Payout schedules: the list, one schedule with its runs and actions, and the form, with lines as in a batch.
import { SCHEDULE_RECURRENCES, type Schedule, type ScheduleRun } from '../../../engine/contract/schedule.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { linesOfCsv } from './csv-lines.ts'
import {
  actionButton,
  areaField,
  badge,
  confirmedAction,
  dateText,
  facts,
  failure,
  formStart,
  heading,
  money,
  selectField,
  type Tone,
  table,
  theirs,
} from './dashboard-parts.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { filled } from './typed.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

const STATES: Readonly<Record<Schedule['state'], readonly [words: string, tone: Tone]>> = {
  active: ['Active', 'good'],
  paused: ['En pause', 'wait'],
  completed: ['Terminée', 'calm'],
  cancelled: ['Annulée', 'calm'],
}

const RECURRENCES: Readonly<Record<Schedule['recurrence'], string>> = { once: 'Une fois', weekly: 'Chaque semaine', monthly: 'Chaque mois' }

const NOUN: ListNoun<Schedule> = {
  place: 'schedules',
  title: 'Programmations',
  path: 'schedules',
  operationId: 'listSchedules',
  filters: [{ name: 'state', label: 'État', choices: Object.entries(STATES).map(([value, [words]]) => ({ value, words })) }],
  columns: (visit) => [
    { name: 'Créée', cell: ({ id, created_at }) => html`<a href="${visit.to(`schedules/${id}`)}">${dateText(created_at)}</a>` },
    { name: 'Rythme', cell: ({ recurrence }) => RECURRENCES[recurrence] },
    { name: 'État', cell: ({ state }) => badge(...STATES[state]) },
    { name: 'Prochaine fois', cell: ({ next_run_at }) => dateText(next_run_at) },
    { name: 'Lignes', isFigure: true, cell: ({ items_count }) => items_count },
    { name: 'Montant', isFigure: true, cell: ({ total_amount }) => money(total_amount) },
    { name: 'Référence', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: [
    'id',
    'state',
    'recurrence',
    'start_at',
    'next_run_at',
    'last_run_at',
    'runs_count',
    'items_count',
    'total_amount',
    'currency',
    'reference',
    'created_at',
    'cancelled_at',
  ],
  empty: 'Aucune programmation ne correspond.',
  actions: (visit) => html`<a class="button" href="${visit.to('schedules/new')}">Programmer des versements</a>`,
}

const FIELDS = ['recurrence', 'date', 'time', 'reference', 'lines'] as const

type ScheduleForm = Sent<(typeof FIELDS)[number]>

const NOTHING: ScheduleForm = { recurrence: 'monthly', date: '', time: '08:00', reference: '', lines: '' }

const MOVES = [
  ['pause', 'pauseSchedule', 'schedule_paused'],
  ['resume', 'resumeSchedule', 'schedule_resumed'],
  ['cancel', 'cancelSchedule', 'schedule_cancelled'],
] as const

export function scheduleRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, NOUN),
    pageRow(parts, {
      path: '/schedules/new',
      operationId: 'showScheduleForm',
      summary: 'Plan payouts',
      show: (visit) => showForm(visit, NOTHING, null),
    }),
    formRow(parts, { path: '/schedules/new', operationId: 'sendSchedule', summary: 'Plan payouts', fields: FIELDS, act: createSchedule }),
    pageRow(parts, {
      path: '/schedules/{id}',
      operationId: 'showSchedule',
      summary: 'A schedule',
      show: (visit) => showSchedule(visit, null),
    }),
    ...MOVES.map(([move, operationId, note]) =>
      formRow(parts, {
        path: `/schedules/{id}/${move}`,
        operationId: `send${operationId}`,
        summary: move,
        fields: [],
        act: async (visit, { key }) => {
          const answer = await visit.ask<Schedule>(operationId, { params: visit.params, idempotencyKey: key })
          if (answer.ok) visit.goTo(`schedules/${answer.body.id}`, note)
          else await showSchedule(visit, answer.error)
        },
      }),
    ),
  ]
}

async function createSchedule(visit: Visit, sent: ScheduleForm & Sent<'key'>): Promise<void> {
  const { recurrence, date, time, reference, lines, key } = sent
  const body = filled({ recurrence, start_at: `${date}T${time}:00Z`, reference, items: linesOfCsv(lines) })
  const answer = await visit.ask<Schedule>('createSchedule', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo(`schedules/${answer.body.id}`, 'schedule_created')
  else showForm(visit, sent, answer.error)
}

/** Returns the error text. It names an invalid line by its number, counted from one. */
function faultText({ message, param = '' }: ApiError): string {
  const [, index, field] = /^items\.(\d+)(?:\.(\w+))?/.exec(param) ?? []
  if (index !== undefined) return `Ligne ${Number(index) + 1} : ${FAULTS[field ?? ''] ?? 'elle n’est pas complète'}.`
  return param === 'start_at' ? 'Choisissez une date et une heure dans le futur.' : message
}

const FAULTS: Readonly<Record<string, string>> = {
  recipient: 'le @tag du destinataire n’est pas valide',
  amount: 'le montant n’est pas un nombre entier supérieur à zéro',
  reference: 'la référence n’est pas valide',
  note: 'la note n’est pas valide',
}

function showForm(visit: Visit, form: ScheduleForm, error: ApiError | null): void {
  const choices = SCHEDULE_RECURRENCES.map((value) => ({ value, words: RECURRENCES[value] }))
  const body = html`${heading('Programmer des versements')}
<form class="form card" method="post" action="${visit.to('schedules/new')}" novalidate>${formStart(visit)}
${failure(error === null ? null : { message: faultText(error) })}
${selectField('recurrence', 'Rythme', choices, form.recurrence)}
<div class="pair"><div class="field"><label for="date">Première fois, le</label><input id="date" name="date" type="date" value="${form.date}" required></div>
<div class="field"><label for="time">à (heure UTC, celle d’Abidjan)</label><input id="time" name="time" type="time" value="${form.time}" required></div></div>
<div class="field" data-file-for="lines" hidden><label for="file">Fichier CSV</label><input id="file" type="file" accept=".csv,text/csv,text/plain"></div>
${areaField({
  name: 'lines',
  label: 'Lignes à verser à chaque fois',
  hint: 'Une ligne par versement : destinataire, montant, référence, note.',
  value: form.lines,
  rows: 6,
  isCode: true,
})}
${formField({ name: 'reference', label: 'Votre référence', hint: 'Les lignes sans référence la reprennent.', value: form.reference, maxLength: 255, isRequired: false })}
<button type="submit">Enregistrer la programmation</button>
</form>`
  visit.show({ title: 'Programmer', place: 'schedules', body }, error === null ? 200 : 400)
}

async function showSchedule(visit: Visit, error: ApiError | null): Promise<void> {
  const [answer, runs] = await Promise.all([
    visit.ask<Schedule>('getSchedule', { params: visit.params }),
    visit.ask<{ readonly data: readonly ScheduleRun[] }>('listScheduleRuns', { params: visit.params, query: { limit: '50' } }),
  ])
  if (!answer.ok) return visit.missing()
  const schedule = answer.body
  const body = html`${heading(html`Programmation : ${RECURRENCES[schedule.recurrence]}`, badge(...STATES[schedule.state]))}
${failure(error)}
${facts([
  ['Référence', theirs(schedule.reference)],
  ['À chaque fois', html`${money(schedule.total_amount)} en ${schedule.items_count} ${schedule.items_count > 1 ? 'lignes' : 'ligne'}`],
  ['Depuis', dateText(schedule.start_at)],
  ['Prochaine fois', schedule.next_run_at !== null && dateText(schedule.next_run_at)],
  ['Annulée', schedule.cancelled_at !== null && dateText(schedule.cancelled_at)],
  ['Identifiant', schedule.id],
])}
${moves(visit, schedule)}
<section><h2>Exécutions</h2>${runTable(visit, runs.ok ? runs.body.data : [])}</section>
<section><h2>Lignes</h2>${table(
    'Lignes',
    [
      { name: 'Destinataire', cell: ({ recipient }) => theirs(`@${recipient}`) },
      { name: 'Montant', isFigure: true, cell: ({ amount }) => money(amount) },
      { name: 'Référence', cell: ({ reference }) => theirs(reference) },
      { name: 'Note', cell: ({ note }) => theirs(note) },
    ],
    schedule.items,
    '',
  )}</section>`
  visit.show({ title: 'Programmation', place: 'schedules', body }, error === null ? 200 : 409)
}

function moves(visit: Visit, { id, state }: Schedule): Fragment {
  const here = visit.to(`schedules/${id}`)
  const isLive = state === 'active' || state === 'paused'
  return (
    isLive &&
    html`<div class="actions">
${state === 'active' && actionButton(visit, `${here}/pause`, 'Mettre en pause')}
${state === 'paused' && actionButton(visit, `${here}/resume`, 'Reprendre', 'strong')}
${confirmedAction(visit, `${here}/cancel`, { ask: 'Annuler', warn: 'Plus aucun versement ne sera fait par cette programmation.', go: 'Annuler la programmation' })}
</div>`
  )
}

const RUNS: Readonly<Record<ScheduleRun['state'], readonly [words: string, tone: Tone]>> = {
  completed: ['Tout versé', 'good'],
  partial: ['En partie', 'wait'],
  failed: ['Rien versé', 'bad'],
}

function runTable(visit: Visit, runs: readonly ScheduleRun[]): Html {
  return table(
    'Exécutions',
    [
      {
        name: 'Prévue',
        cell: ({ scheduled_for, batch_id }) => html`<a href="${visit.to(`batches/${batch_id}`)}">${dateText(scheduled_for)}</a>`,
      },
      { name: 'Exécutée', cell: ({ executed_at }) => dateText(executed_at) },
      { name: 'Résultat', cell: ({ state }) => badge(...RUNS[state]) },
      { name: 'Versées', isFigure: true, cell: ({ paid_count }) => paid_count },
      { name: 'En échec', isFigure: true, cell: ({ failed_count }) => failed_count },
    ],
    runs,
    'Pas encore exécutée.',
  )
}
