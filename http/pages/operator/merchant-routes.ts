// Merchants on the operator's desk: the list, and one merchant with balances and API keys.

import type { ApiKey } from '../../../engine/contract/api-key.ts'
import type { Member } from '../../../engine/contract/dashboard.ts'
import type { Merchant } from '../../../engine/contract/merchant.ts'
import { ENVIRONMENTS } from '../../../engine/kernel/environment.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { merchantRulesPart } from './account-rules.ts'
import { keyControl, memberControl, merchantControl } from './control-forms.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { merchantLimitsPart } from './merchant-limits.ts'
import { TEXTS } from './merchant-routes-messages.ts'
import { answerMissing } from './missing.ts'
import { cursorOf, environmentBadge, type ListPage, moment, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

export function merchantRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/merchants',
      operationId: 'showOperatorMerchants',
      summary: 'Merchants',
      handle: (call) =>
        desk.signedIn(call, '../', (session) =>
          later(call, async () => {
            const query = cursorOf(call.queryText)
            const answer = await desk.ask<ListPage<Merchant>>(call, { operationId: 'listMerchants', query })
            if (!answer.ok)
              return answerMissing(desk, call, session, {
                place: 'merchants',
                root: '../',
                message: answer.error.message,
                status: answer.status,
              })
            desk.answer(call, session, {
              title: OPERATOR_WORDS.merchants,
              place: 'merchants',
              root: '../',
              body: listBody(answer.body, query),
            })
          }),
        ),
    }),
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/merchants/{id}',
      operationId: 'showOperatorMerchant',
      summary: 'One merchant',
      handle: (call) =>
        desk.signedIn(call, '../../', (session) =>
          later(call, async () => {
            const params = [String(call.params[0])]
            const query = cursorOf(call.queryText)
            const [merchant, keys, members] = await Promise.all([
              desk.ask<Merchant>(call, { operationId: 'getMerchant', params }),
              desk.ask<ListPage<ApiKey>>(call, { operationId: 'listMerchantApiKeys', params, query }),
              desk.ask<ListPage<Member>>(call, { operationId: 'listMerchantMembers', params, query: { limit: '100' } }),
            ])
            if (!merchant.ok)
              return answerMissing(desk, call, session, {
                place: 'merchants',
                root: '../../',
                message: TEXTS.noMerchantHasIdentifier,
              })
            const view: MerchantView = {
              merchant: merchant.body,
              balances: balancesOf(desk, merchant.body.id),
              keys: keys.ok ? keys.body : { data: [], next_cursor: null },
              members: members.ok ? members.body.data : [],
              query,
            }
            desk.answer(call, session, {
              title: merchant.body.name,
              place: 'merchants',
              root: '../../',
              body: merchantBody(desk, session, view),
            })
          }),
        ),
    }),
  ]
}

const COLUMNS: readonly Column<Merchant>[] = [
  { name: WORDS.name, isHeader: true, cell: ({ id, name }) => html`<a href="merchants/${id}"><bdi>${name}</bdi></a>` },
  { name: WORDS.eMailAddress, card: 'about', cell: ({ email }) => html`<bdi>${email}</bdi>` },
  { name: WORDS.since, cell: ({ created_at }) => moment(created_at) },
]

function listBody({ data, next_cursor }: ListPage<Merchant>, query: Readonly<Record<string, string>>): Html {
  return html`<h1>${OPERATOR_WORDS.merchants}</h1>
${data.length === 0 && html`<p class="hint">${TEXTS.noMerchants}</p>`}
${data.length > 0 && dataTable({ name: OPERATOR_WORDS.merchants, columns: COLUMNS, rows: data })}
${pager('merchants', query, next_cursor)}`
}

interface MerchantView {
  readonly merchant: Merchant
  readonly balances: readonly BalanceRow[]
  readonly keys: ListPage<ApiKey>
  readonly members: readonly Member[]
  readonly query: Readonly<Record<string, string>>
}

interface BalanceRow {
  readonly environment: 'test' | 'live'
  readonly available: number
  readonly pending: number
}

/** Returns the balances, by the query of `GET /v1/biz/balance`. */
function balancesOf({ engine }: Desk, id: string): BalanceRow[] {
  const merchant = engine.query('merchants.byId', { id })
  if (merchant === null) return []
  return ENVIRONMENTS.map((environment) => {
    const { available, held } = engine.query('accounts.balance', { account: merchant.accounts[environment] })
    return { environment, available, pending: held }
  })
}

function merchantBody(desk: Desk, session: OperatorSession, { merchant, balances, keys, members, query }: MerchantView): Html {
  const { id, name, email, currency, created_at } = merchant
  return html`<p class="crumb"><a href="../merchants">${OPERATOR_WORDS.merchants}</a></p>
<h1><bdi>${name}</bdi>${merchant.state === 'suspended' && html` <span class="badge is-bad">${OPERATOR_WORDS.suspended}</span>`}</h1>
<dl class="facts card">
<div><dt>${WORDS.identifier}</dt><dd><code>${id}</code></dd></div>
<div><dt>${WORDS.eMailAddress}</dt><dd><bdi>${email}</bdi></dd></div>
<div><dt>${TEXTS.currency}</dt><dd>${currency}</dd></div>
<div><dt>${WORDS.since}</dt><dd>${moment(created_at)}</dd></div>
</dl>
${merchantControl(session, merchant)}
<h2>${TEXTS.balances}</h2>
${dataTable({ name: TEXTS.balances, columns: balanceColumns(id), rows: balances })}
<h2>${TEXTS.limits}</h2>
${merchantLimitsPart(session, id, desk.engine.query('merchants.byId', { id })?.limits)}
${merchantRulesPart(desk, session, id)}
<h2>${WORDS.members}</h2>
${memberList(desk, session, id, members)}
<h2>${WORDS.apiKeys}</h2>
${keyTable(session, id, keys.data)}
${pager(id, query, keys.next_cursor)}`
}

function balanceColumns(id: string): readonly Column<BalanceRow>[] {
  return [
    { name: WORDS.environment, isHeader: true, cell: ({ environment }) => environmentBadge(environment) },
    { name: OPERATOR_WORDS.available, card: 'amount', isFigure: true, cell: ({ available }) => amountText(available) },
    { name: OPERATOR_WORDS.reserved, isFigure: true, cell: ({ pending }) => amountText(pending) },
    {
      name: OPERATOR_WORDS.movement,
      card: 'action',
      cell: ({ environment }) =>
        html`<a href="../funding?account=${id}&amp;environment=${environment}">${OPERATOR_WORDS.depositOrWithdraw}</a>`,
    },
  ]
}

function memberList({ engine }: Desk, session: OperatorSession, merchantId: string, members: readonly Member[]): Fragment {
  if (members.length === 0) return html`<p class="hint">${TEXTS.noMembers}</p>`
  const hasTotp = ({ id, state }: Member): boolean => state === 'active' && engine.query('dashboardUsers.totp', { id })?.is_active === true
  const columns: readonly Column<Member>[] = [
    { name: WORDS.eMailAddress, isHeader: true, cell: ({ email }) => html`<bdi>${email}</bdi>` },
    { name: WORDS.role, card: 'about', cell: ({ role }) => MEMBER_ROLE_NAMES[role] },
    { name: WORDS.state, card: 'state', cell: ({ state }) => (state === 'active' ? TEXTS.activeMember : TEXTS.invited) },
    { name: WORDS.since, cell: ({ created_at }) => moment(created_at) },
    { name: WORDS.action, card: 'action', cell: (member) => hasTotp(member) && memberControl(session, merchantId, member) },
  ]
  return dataTable({ name: WORDS.members, columns, rows: members })
}

const MEMBER_ROLE_NAMES: Readonly<Record<Member['role'], Text | string>> = {
  viewer: TEXTS.viewer,
  cashier: TEXTS.cashier,
  manager: TEXTS.manager,
  owner: OPERATOR_WORDS.owner,
}

const SCOPE_NAMES: Readonly<Record<string, Text>> = {
  'disbursements.write': WORDS.payouts,
  'disbursements.approve': TEXTS.approvals,
  'billers.write': WORDS.bills,
}

export function scopeNames(scopes: readonly string[]): Fragment {
  return scopes.map((scope, at) => [at > 0 && ', ', SCOPE_NAMES[scope] ?? scope])
}

function keyTable(session: OperatorSession, merchantId: string, keys: readonly ApiKey[]): Fragment {
  if (keys.length === 0) return html`<p class="hint">${TEXTS.noKeys}</p>`
  const columns: readonly Column<ApiKey>[] = [
    { name: TEXTS.publicKey, isHeader: true, cell: ({ public_key }) => html`<code>${public_key}</code>` },
    { name: WORDS.environment, card: 'state', cell: ({ environment }) => environmentBadge(environment) },
    { name: WORDS.rights, cell: ({ scopes }) => scopeNames(scopes) },
    { name: WORDS.label, card: 'about', cell: ({ label }) => html`<bdi>${label}</bdi>` },
    { name: WORDS.created, cell: ({ created_at }) => moment(created_at) },
    { name: WORDS.action, card: 'action', cell: (key) => keyControl(session, merchantId, key) },
  ]
  return dataTable({ name: WORDS.apiKeys, columns, rows: keys })
}
