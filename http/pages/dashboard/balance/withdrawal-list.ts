// The list of withdrawals in the dashboard, and its file.
import type { Withdrawal } from '../../../../engine/contract/withdrawal.ts'
import type { Text } from '../../../text/text.ts'
import { html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH, stateFilter } from '../lists/list-filters.ts'
import type { ListNoun } from '../lists/list-page.ts'
import { badge, dateText, money, type Tone, theirs } from '../shared/dashboard-parts.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { groupedAccount } from './withdrawal-account-pages.ts'
import { TEXTS } from './withdrawal-pages-messages.ts'

export const STATES: Readonly<Record<Withdrawal['state'], readonly [words: Text | string, tone: Tone]>> = {
  requested: [DASHBOARD_WORDS.pending, 'wait'],
  paid: [DASHBOARD_WORDS.paid4, 'good'],
  refused: [WORDS.refused, 'bad'],
  cancelled: [WORDS.cancelled, 'calm'],
}

export const LIVE = ['withdrawal.'] as const

export const WITHDRAWALS: ListNoun<Withdrawal> = {
  place: 'withdrawals',
  title: WORDS.withdrawals,
  path: 'withdrawals',
  operationId: 'listWithdrawals',
  filters: [SEARCH, stateFilter(STATES), { name: 'reference', label: DASHBOARD_WORDS.reference }],
  columns: (visit) => [
    { name: WORDS.date, cell: ({ id, created_at }) => html`<a href="${visit.to(`withdrawals/${id}`)}">${dateText(created_at)}</a>` },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: ({ amount, currency }) => money(amount, currency) },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: TEXTS.to, card: 'about', cell: ({ destination }) => theirs(groupedAccount(destination.account)) },
    { name: DASHBOARD_WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: {
    id: true,
    created_at: true,
    state: true,
    amount: true,
    currency: true,
    reference: true,
    settlement_reference: true,
    reason: true,
    finished_at: true,
    fee: true,
    transaction_id: false,
    environment: false,
    destination: false,
    withdrawal_account_id: false,
  },
  counted: [TEXTS.withdrawal, TEXTS.withdrawals],
  total: ({ state, amount }) => ({ group: STATES[state][0], amount }),
  empty: TEXTS.noWithdrawalsYet,
  live: LIVE,
  actions: (visit) => [
    visit.button('requestWithdrawal', 'withdrawals/new', TEXTS.toWithdraw),
    html`<a class="button quiet" href="${visit.to('withdrawal-accounts')}">${TEXTS.savedAccounts}</a>`,
  ],
}
