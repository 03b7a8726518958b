// The list of payout schedules: its columns, filters, sums and files.

import type { Schedule } from '../../../../engine/contract/schedule.ts'
import type { Text } from '../../../text/text.ts'
import { countText } from '../../shared/amount-text.ts'
import { html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { SEARCH } from '../lists/list-filters.ts'
import type { ListNoun } from '../lists/list-page.ts'
import { badge, dateText, money, type Tone, theirs } from '../shared/dashboard-parts.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { failedRunNotices } from './failed-runs.ts'
import { RECURRENCES } from './schedule-form.ts'

const TEXTS = texts({
  fr: {
    paused: 'En pause',
    ended: 'Terminé',
    scheduledPayout: 'versement programmé',
    scheduledPayouts: 'versements programmés',
    noScheduledPayoutsYet: 'Aucun versement programmé pour le moment.',
  },
  en: {
    paused: 'Paused',
    ended: 'Ended',
    scheduledPayout: 'scheduled payout',
    scheduledPayouts: 'scheduled payouts',
    noScheduledPayoutsYet: 'No scheduled payouts yet.',
  },
})

export const SCHEDULE_STATES: Readonly<Record<Schedule['state'], readonly [words: Text | string, tone: Tone]>> = {
  active: [WORDS.active, 'good'],
  paused: [TEXTS.paused, 'wait'],
  completed: [TEXTS.ended, 'calm'],
  cancelled: [WORDS.cancelled, 'calm'],
}

/** A run is a batch or a disbursement. */
export const SCHEDULE_NEWS = ['batch.', 'disbursement.', 'schedule.'] as const

export const SCHEDULES: ListNoun<Schedule> = {
  place: 'schedules',
  title: DASHBOARD_WORDS.scheduledPayouts,
  path: 'schedules',
  operationId: 'listSchedules',
  filters: [
    SEARCH,
    { name: 'state', label: WORDS.state, choices: Object.entries(SCHEDULE_STATES).map(([value, [words]]) => ({ value, words })) },
  ],
  columns: (visit) => [
    {
      name: DASHBOARD_WORDS.created,
      card: 'line',
      cell: ({ id, created_at }) => html`<a href="${visit.to(`schedules/${id}`)}">${dateText(created_at)}</a>`,
    },
    { name: DASHBOARD_WORDS.frequency, card: 'title', cell: ({ recurrence }) => RECURRENCES[recurrence] },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...SCHEDULE_STATES[state]) },
    { name: DASHBOARD_WORDS.nextTime, cell: ({ next_run_at }) => dateText(next_run_at) },
    { name: DASHBOARD_WORDS.lines, isFigure: true, cell: ({ items_count }) => countText(items_count) },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: ({ total_amount, currency }) => money(total_amount, currency) },
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: {
    id: true,
    state: true,
    recurrence: true,
    start_at: true,
    next_run_at: true,
    last_run_at: true,
    runs_count: true,
    items_count: true,
    total_amount: true,
    currency: true,
    reference: true,
    created_at: true,
    cancelled_at: true,
    items: false,
    disbursement_id: false,
    environment: false,
  },
  csvWords: { recurrence: ({ recurrence }) => RECURRENCES[recurrence] },
  counted: [TEXTS.scheduledPayout, TEXTS.scheduledPayouts],
  // A week and a month have no sum, and a plan that has ended or waits pays nothing.
  total: ({ state, recurrence, total_amount }) => (state === 'active' ? { group: RECURRENCES[recurrence], amount: total_amount } : null),
  empty: TEXTS.noScheduledPayoutsYet,
  live: SCHEDULE_NEWS,
  intro: failedRunNotices,
  actions: (visit) => visit.button('createSchedule', 'schedules/new', DASHBOARD_WORDS.schedulePayouts),
}
