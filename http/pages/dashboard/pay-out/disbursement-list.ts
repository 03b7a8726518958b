// The list of disbursements, and the words of their states.
import type { Disbursement } from '../../../../engine/contract/disbursement.ts'
import type { Text } from '../../../text/text.ts'
import { countText } from '../../shared/amount-text.ts'
import { html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH, stateFilter } from '../lists/list-filters.ts'
import type { ListNoun } from '../lists/list-page.ts'
import { badge, dateText, money, type Tone, theirs } from '../shared/dashboard-parts.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './disbursement-pages-messages.ts'

export const DISBURSEMENT_STATE_WORDS: Readonly<Record<Disbursement['state'], readonly [Text, Tone]>> = {
  ready: [TEXTS.ready, 'wait'],
  awaiting_approval: [TEXTS.awaitingApproval, 'wait'],
  scheduled: [TEXTS.scheduled, 'wait'],
  running: [DASHBOARD_WORDS.inProgress, 'wait'],
  paused: [TEXTS.paused, 'bad'],
  completed: [TEXTS.completed, 'good'],
  cancelled: [WORDS.cancelled, 'calm'],
  rejected: [TEXTS.rejected, 'bad'],
}

export const DISBURSEMENTS: ListNoun<Disbursement> = {
  place: 'disbursements',
  title: DASHBOARD_WORDS.bulkPayouts,
  path: 'disbursements',
  operationId: 'listDisbursements',
  filters: [SEARCH, stateFilter(DISBURSEMENT_STATE_WORDS)],
  columns: (visit) => [
    { name: WORDS.date, cell: ({ id, created_at }) => html`<a href="${visit.to(`disbursements/${id}`)}">${dateText(created_at)}</a>` },
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...DISBURSEMENT_STATE_WORDS[state]) },
    { name: DASHBOARD_WORDS.lines, isFigure: true, cell: ({ total_count }) => countText(total_count) },
    { name: DASHBOARD_WORDS.paid2, isFigure: true, cell: ({ paid_count }) => countText(paid_count) },
    { name: DASHBOARD_WORDS.paidAmount, card: 'amount', isFigure: true, cell: ({ paid_amount, currency }) => money(paid_amount, currency) },
  ],
  csvFields: {
    id: true,
    reference: true,
    currency: true,
    state: true,
    total_count: true,
    paid_count: true,
    failed_count: true,
    total_amount: true,
    paid_amount: true,
    failed_amount: true,
    fee_amount: true,
    created_at: true,
    environment: false,
    start_at: false,
    on_insufficient_balance: false,
    valid_count: false,
    valid_amount: false,
    valid_fee_amount: false,
    invalid_count: false,
    warnings_count: false,
    waiting_count: false,
    created_by: false,
    approval: false,
    pause_reason: false,
    retry_of: false,
    started_at: false,
    completed_at: false,
    cancelled_at: false,
  },
  counted: [TEXTS.bulkPayout, TEXTS.bulkPayouts],
  total: ({ paid_amount }) => ({ group: DASHBOARD_WORDS.paid, amount: paid_amount }),
  empty: TEXTS.noBulkPayoutsYet,
  live: ['disbursement.', 'balance.'],
  actions: (visit) => visit.button('createDisbursement', 'disbursements/new', TEXTS.newBulkPayout),
  intro: (visit) => TEXTS.batchesOfTheApi(visit.to('batches')),
}
