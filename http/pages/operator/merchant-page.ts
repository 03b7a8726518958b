// One merchant on the operator's desk: its state, balances, timeline, dossier, limits, members and API keys.

import type { Activation } from '../../../engine/contract/activation.ts'
import type { ApiKey } from '../../../engine/contract/api-key.ts'
import type { Member } from '../../../engine/contract/dashboard.ts'
import type { Merchant } from '../../../engine/contract/merchant.ts'
import type { OperatorAction } from '../../../engine/contract/operator.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
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
import { DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { dossierPart } from './dossier.ts'
import { merchantLimitsPart } from './merchant-limits.ts'
import { TEXTS } from './merchant-page-messages.ts'
import { merchantBadge } from './merchant-routes.ts'
import { answerMissing } from './missing.ts'
import { environmentBadge, type ListPage, moment, operatorName, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { timelinePart } from './timeline-part.ts'

const ROOT = '../../'

export function merchantPageRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/merchants/{id}',
      operationId: 'showOperatorMerchant',
      summary: 'One merchant',
      handle: (call) => desk.signedIn(call, ROOT, (session) => later(call, () => show(desk, call, session))),
    }),
  ]
}

interface MerchantView {
  readonly merchant: Merchant
  /** Says who suspended it. */
  readonly suspended: Fragment
  readonly balances: readonly BalanceRow[]
  readonly timeline: Html
  readonly activation: Activation | null
  readonly keys: ListPage<ApiKey>
  readonly members: readonly Member[]
  readonly query: Readonly<Record<string, string>>
}

async function show(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const params = [String(call.params[0])]
  const sent = new URLSearchParams(call.queryText)
  const environment: Environment = sent.get('environment') === 'test' ? 'test' : 'live'
  const keysCursor = sent.get(KEYS_CURSOR) ?? ''
  const merchant = await desk.ask<Merchant>(call, { operationId: 'getMerchant', params })
  if (!merchant.ok) return answerMissing(desk, call, session, { place: 'merchants', root: ROOT, message: TEXTS.noMerchantHasIdentifier })
  const { id, name, state } = merchant.body
  const [keys, members, suspended, timeline] = await Promise.all([
    desk.ask<ListPage<ApiKey>>(call, { operationId: 'listMerchantApiKeys', params, query: { cursor: keysCursor } }),
    desk.ask<ListPage<Member>>(call, { operationId: 'listMerchantMembers', params, query: { limit: '100' } }),
    state === 'suspended' ? suspendedPart(desk, call, id) : null,
    timelinePart(desk, call, session, { noun: 'merchant', id, environment, hasTabs: true }),
  ])
  const view: MerchantView = {
    merchant: merchant.body,
    ...{ suspended, timeline, balances: balancesOf(desk, id), activation: activationOf(desk, id) },
    keys: keys.ok ? keys.body : { data: [], next_cursor: null },
    members: members.ok ? members.body.data : [],
    query: { environment, ...(keysCursor === '' ? {} : { cursor: keysCursor }) },
  }
  desk.answer(call, session, { title: name, place: 'merchants', root: ROOT, body: merchantBody(desk, session, view) })
}

/** Parameter of the address for the page of keys: the timeline has `cursor`. */
const KEYS_CURSOR = 'keys'

/** Says who suspended the merchant: the newest suspension of the audit trail. */
async function suspendedPart(desk: Desk, call: DeskCall, merchantId: string): Promise<Fragment> {
  const query = { merchant_id: merchantId, action: 'merchant.suspend', limit: '1' }
  const answer = await desk.ask<ListPage<OperatorAction>>(call, { operationId: 'listOperatorActions', query })
  const action = answer.ok ? answer.body.data[0] : undefined
  return action !== undefined && html`<p>${TEXTS.suspendedBy(operatorName(action.operator), moment(action.created_at))}</p>`
}

interface BalanceRow {
  readonly environment: Environment
  readonly available: number
  readonly pending: number
  readonly currency: string
}

/** Returns the balances, by the query of `GET /v1/biz/balance`. */
function balancesOf({ engine }: Desk, id: string): BalanceRow[] {
  const merchant = engine.query('merchants.byId', { id })
  if (merchant === null) return []
  return ENVIRONMENTS.map((environment) => {
    const { available, held } = engine.query('accounts.balance', { account: merchant.accounts[environment] })
    return { environment, available, pending: held, currency: merchant.currency }
  })
}

/** Returns the activation that the merchant asked for; null for one that an operator made. */
function activationOf({ engine }: Desk, id: string): Activation | null {
  const merchant = engine.query('merchants.byId', { id })
  const { activation, activation_files: files = [] } = merchant ?? {}
  return activation === undefined ? null : { ...activation, files: [...files] }
}

function merchantBody(desk: Desk, session: OperatorSession, view: MerchantView): Html {
  const { merchant, suspended, balances, timeline, activation, keys, members, query } = view
  const { id, name, email, currency, created_at } = merchant
  const { logo, limits } = desk.engine.query('merchants.byId', { id }) ?? {}
  return html`<p class="crumb"><a href="../merchants">${OPERATOR_WORDS.merchants}</a></p>
<h1><bdi>${name}</bdi> ${merchantBadge(merchant)}</h1>
<dl class="facts card">
<div><dt>${WORDS.eMailAddress}</dt><dd><bdi>${email}</bdi></dd></div>
<div><dt>${TEXTS.currency}</dt><dd>${currency}</dd></div>
${logo !== undefined && html`<div><dt>${WORDS.logo}</dt><dd><img class="logo" src="../../logos/${logo.file}" width="96" height="96" alt="${WORDS.logoShown}"></dd></div>`}
<div><dt>${WORDS.since}</dt><dd>${moment(created_at)}</dd></div>
<div><dt>${WORDS.identifier}</dt><dd><code class="id">${id}</code></dd></div>
</dl>
${suspended}
${merchantControl(session, merchant)}
<h2>${TEXTS.balances}</h2>
${dataTable({ name: TEXTS.balances, columns: balanceColumns(id), rows: balances })}
${timeline}
<p><a class="alone" href="../audit?merchant=${id}">${OPERATOR_WORDS.wholeLogOfThis}</a></p>
<h2>${TEXTS.dossier}</h2>
${activation === null ? html`<p class="hint">${TEXTS.noDossier}</p>` : activationCard(id, activation)}
<h2 id="limits">${OPERATOR_WORDS.limits}</h2>
${merchantLimitsPart(session, id, limits)}
${merchantRulesPart(desk, session, id)}
<h2>${WORDS.members}</h2>
${memberList(desk, session, id, members)}
<h2>${WORDS.apiKeys}</h2>
${keyTable(session, id, keys.data)}
${pager(id, query, keys.next_cursor, { cursor: KEYS_CURSOR })}`
}

function activationCard(id: string, activation: Activation): Html {
  const { state, reason, requested_at, decided_at } = activation
  const decided: Fragment = decided_at !== null && html`<div><dt>${TEXTS.decided}</dt><dd>${moment(decided_at)}</dd></div>`
  return html`<section class="card"><dl class="facts">
<div><dt>${WORDS.state}</dt><dd>${ACTIVATION_STATES[state]}</dd></div>
${requested_at !== null && html`<div><dt>${TEXTS.requested}</dt><dd>${moment(requested_at)}</dd></div>`}${decided}
${reason !== null && html`<div><dt>${WORDS.reason}</dt><dd><bdi>${reason}</bdi></dd></div>`}
</dl>${dossierPart('../requests', id, activation)}
${state === 'requested' && html`<p><a class="alone" href="../requests#r-${id}">${TEXTS.decide}</a></p>`}</section>`
}

const ACTIVATION_STATES: Readonly<Record<Activation['state'], Text>> = {
  none: TEXTS.notRequested,
  requested: TEXTS.waitsForDecision,
  active: TEXTS.activated,
  refused: WORDS.refused,
}

function balanceColumns(id: string): readonly Column<BalanceRow>[] {
  return [
    { name: WORDS.environment, isHeader: true, cell: ({ environment }) => environmentBadge(environment) },
    { name: OPERATOR_WORDS.available, card: 'amount', isFigure: true, cell: ({ available, currency }) => amountText(available, currency) },
    { name: OPERATOR_WORDS.reserved, isFigure: true, cell: ({ pending, currency }) => amountText(pending, currency) },
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
