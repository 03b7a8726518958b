// Withdrawal accounts in the dashboard: the list, the form for a new one, and deletion. The API checks the digits and decides when a new
// account is usable.

import { DESTINATION_KINDS, MOBILE_PROVIDERS, type WithdrawalAccount } from '../../../../engine/contract/withdrawal-account.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import { badge, confirmedAction, failure, formStart, heading, selectField, theirs, untilText } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { filled } from '../shared/typed-text.ts'
import { TEXTS } from './withdrawal-account-pages-messages.ts'

export const DESTINATION_NAMES: Readonly<Record<(typeof DESTINATION_KINDS)[number], Text | string>> = {
  bank: TEXTS.bankAccount,
  mobile_money: WORDS.mobileMoney,
}

/** Names of products are the same in both languages. */
export const PROVIDER_NAMES: Readonly<Record<(typeof MOBILE_PROVIDERS)[number], string>> = {
  orange: 'Orange Money',
  wave: 'Wave',
  mtn: 'MTN MoMo',
  moov: 'Moov Money',
  free: 'Free Money',
  expresso: 'E-Money',
}

const ACCOUNTS: ListNoun<WithdrawalAccount> = {
  place: 'withdrawals',
  title: TEXTS.accounts,
  path: 'withdrawal-accounts',
  operationId: 'listWithdrawalAccounts',
  filters: [],
  columns: (visit) => [
    { name: TEXTS.holder, cell: ({ name }) => theirs(name) },
    { name: TEXTS.number, card: 'about', cell: ({ account }) => theirs(groupedAccount(account)) },
    { name: TEXTS.kind, card: 'line', cell: kindOf },
    { name: WORDS.state, card: 'state', cell: (account) => stateOf(visit, account) },
    { name: WORDS.action, card: 'action', cell: (account) => actions(visit, account) },
  ],
  csvFields: {
    id: true,
    kind: true,
    name: true,
    account: true,
    provider: true,
    usable_from: true,
    confirmed_at: true,
    created_at: true,
    environment: false,
    created_by: false,
  },
  counted: [TEXTS.account, TEXTS.accountsCounted],
  empty: TEXTS.noAccountsYet,
  intro: () => html`<p>${TEXTS.intro}</p>`,
  actions: (visit) => visit.button('createWithdrawalAccount', 'withdrawal-accounts/new', TEXTS.addAccount),
}

const FIELDS = ['kind', 'name', 'account', 'provider'] as const

type AccountForm = Sent<(typeof FIELDS)[number]>

const NOTHING: AccountForm = { kind: 'bank', name: '', account: '', provider: '' }

export function withdrawalAccountRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, ACCOUNTS),
    pageRow(parts, {
      path: '/withdrawal-accounts/new',
      operationId: 'showWithdrawalAccountForm',
      needs: 'createWithdrawalAccount',
      summary: 'Add a withdrawal account',
      show: (visit) => showForm(visit, NOTHING, null),
    }),
    formRow(parts, {
      path: '/withdrawal-accounts/new',
      operationId: 'sendWithdrawalAccount',
      needs: 'createWithdrawalAccount',
      summary: 'Add a withdrawal account',
      fields: FIELDS,
      act: add,
    }),
    formRow(parts, {
      path: '/withdrawal-accounts/{id}/delete',
      operationId: 'sendWithdrawalAccountDeletion',
      needs: 'deleteWithdrawalAccount',
      summary: 'Delete a withdrawal account',
      fields: [],
      act: async (visit) => {
        const answer = await visit.ask('deleteWithdrawalAccount', { params: visit.params })
        // Deleted already, by a form that was sent twice: the list says so.
        if (answer.ok || answer.status === 404) visit.goTo('withdrawal-accounts', 'withdrawal_account_deleted')
        else visit.goTo('withdrawal-accounts')
      },
    }),
  ]
}

/** In groups of four, as on paper. Phones stay whole. */
export function groupedAccount(account: string): string {
  return account.startsWith('+') ? account : account.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

export function kindOf({ kind, provider }: Pick<WithdrawalAccount, 'kind' | 'provider'>): Text | string {
  return provider === null ? DESTINATION_NAMES[kind] : PROVIDER_NAMES[provider]
}

export function isUsable({ app }: Pick<Visit, 'app'>, { usable_from }: Pick<WithdrawalAccount, 'usable_from'>): boolean {
  return Date.parse(usable_from) <= app.engine.query('engine.time', null)
}

function stateOf(visit: Visit, account: WithdrawalAccount): Fragment {
  if (!isUsable(visit, account)) return html`${badge(DASHBOARD_WORDS.pending, 'wait')} ${TEXTS.usableFrom(untilText(account.usable_from))}`
  return badge(account.confirmed_at === null ? TEXTS.usable : TEXTS.confirmed, 'good')
}

function actions(visit: Visit, account: WithdrawalAccount): Fragment {
  const { id } = account
  const withdraw = isUsable(visit, account) && visit.button('requestWithdrawal', `withdrawals/new?to=${id}`, TEXTS.withdrawTo, 'quiet')
  return html`<div class="actions">${withdraw}${confirmedAction(visit, visit.to(`withdrawal-accounts/${id}/delete`), { ask: DASHBOARD_WORDS.delete, warn: TEXTS.deleteWarn, go: TEXTS.deleteAccount })}</div>`
}

async function add(visit: Visit, sent: AccountForm & Sent<'key'>): Promise<void> {
  const { kind, name, account, provider, key } = sent
  const ofProvider = kind === 'mobile_money' ? { provider } : {}
  const typed = kind === 'mobile_money' ? account.replaceAll(/[\s.-]/g, '') : account.trim()
  const body = filled({ kind, name: name.trim(), account: typed, ...ofProvider })
  const answer = await visit.ask<WithdrawalAccount>('createWithdrawalAccount', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo('withdrawal-accounts', 'withdrawal_account_added')
  else showForm(visit, sent, answer.error)
}

const SPELLING: Readonly<Record<string, Text>> = {
  name: TEXTS.typeHolder,
  account: TEXTS.wrongNumber,
  provider: TEXTS.chooseTheProvider,
}

function showForm(visit: Visit, form: AccountForm, error: ApiError | null): void {
  const about = (name: string): Text | null => (error?.param === name ? (SPELLING[name] ?? error.message) : null)
  const isHere = error !== null && Object.hasOwn(SPELLING, error.param ?? '')
  const kinds = DESTINATION_KINDS.map((value) => ({ value, words: DESTINATION_NAMES[value] }))
  const providers = MOBILE_PROVIDERS.map((value) => ({ value, words: PROVIDER_NAMES[value] }))
  const provider = about('provider')
  const body = html`${heading(TEXTS.addAccount)}
<p>${TEXTS.intro}</p>
<form class="form card" method="post" action="${visit.to('withdrawal-accounts/new')}" novalidate>${formStart(visit)}
${failure(isHere ? null : error)}
${selectField('kind', TEXTS.kind, kinds, form.kind)}
${formField({ name: 'name', label: TEXTS.holder, value: form.name, maxLength: 140, error: about('name') })}
${formField({ name: 'account', label: TEXTS.number, hint: TEXTS.numberHint, value: form.account, maxLength: 64, error: about('account') })}
${selectField('provider', TEXTS.provider, [{ value: '', words: TEXTS.chooseProvider }, ...providers], form.provider)}
${provider !== null && html`<p class="error" role="alert">${provider}</p>`}
<button type="submit">${DASHBOARD_WORDS.save}</button>
</form>`
  visit.show({ title: TEXTS.addAccount, place: 'withdrawals', body }, error === null ? 200 : 400)
}
