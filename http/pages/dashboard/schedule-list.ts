// The list of payout schedules: its columns, filters, sums and files.
import type { Schedule } from '../../../engine/contract/schedule.ts'
import { html, titleOf } from '../html.ts'
import { badge, dateText, money, type Tone, theirs } from './dashboard-parts.ts'
import { failedRunNotices } from './failed-runs.ts'
import { SEARCH } from './list-filters.ts'
import type { ListNoun } from './list-page.ts'
import { RECURRENCES } from './schedule-form.ts'

export const SCHEDULE_STATES: Readonly<Record<Schedule['state'], readonly [words: string, tone: Tone]>> = {
  active: ['Actif', 'good'],
  paused: ['En pause', 'wait'],
  completed: ['Terminé', 'calm'],
  cancelled: ['Annulé', 'calm'],
}

/** A run is a batch. */
export const SCHEDULE_NEWS = ['batch.', 'schedule.'] as const

export const SCHEDULES: ListNoun<Schedule> = {
  place: 'schedules',
  title: titleOf('Versements programmés'),
  path: 'schedules',
  operationId: 'listSchedules',
  filters: [
    SEARCH,
    { name: 'state', label: 'État', choices: Object.entries(SCHEDULE_STATES).map(([value, [words]]) => ({ value, words })) },
  ],
  columns: (visit) => [
    {
      name: 'Créé',
      card: 'line',
      cell: ({ id, created_at }) => html`<a href="${visit.to(`schedules/${id}`)}">${dateText(created_at)}</a>`,
    },
    { name: 'Fréquence', card: 'title', cell: ({ recurrence }) => RECURRENCES[recurrence] },
    { name: 'État', card: 'state', cell: ({ state }) => badge(...SCHEDULE_STATES[state]) },
    { name: 'Prochaine fois', cell: ({ next_run_at }) => dateText(next_run_at) },
    { name: 'Lignes', isFigure: true, cell: ({ items_count }) => items_count },
    { name: 'Montant', card: 'amount', isFigure: true, cell: ({ total_amount }) => money(total_amount) },
    { name: 'Référence', card: 'about', cell: ({ reference }) => theirs(reference) },
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
  csvWords: { recurrence: ({ recurrence }) => RECURRENCES[recurrence] },
  counted: ['versement programmé', 'versements programmés'],
  // A week and a month have no sum, and a plan that has ended or waits pays nothing.
  total: ({ state, recurrence, total_amount }) => (state === 'active' ? { group: RECURRENCES[recurrence], amount: total_amount } : null),
  empty: 'Aucun versement programmé pour le moment.',
  live: SCHEDULE_NEWS,
  intro: failedRunNotices,
  actions: (visit) => visit.button('createSchedule', 'schedules/new', 'Programmer des versements'),
}
