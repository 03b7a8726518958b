// The audit trail on the operator's desk: actions of operators, on the desk or through the API, newest first.

import type { Merchant } from '../../../engine/contract/merchant.ts'
import type { Operator, OperatorAction } from '../../../engine/contract/operator.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { ACTION_WORDS } from '../../text/action-words.ts'
import { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { dayOf, periodOf, periodQuery } from '../shared/day-period.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { detailList, targetPart } from './audit-details.ts'
import { DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { environmentBadge, failurePart, type ListPage, moment, operatorName, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { findMerchants } from './search-routes.ts'

const TEXTS = texts({
  fr: {
    logOperations: 'Journal des opérations',
    noOperationMatches: 'Aucune opération ne correspond.',
    who: 'Qui',
    on: 'Sur',
    details: 'Détails',
    operations: 'Opérations',
    nameOrAddress: 'nom ou e-mail',
    noMerchantMatches: (typed: Fragment) => html`Aucun marchand ne répond à « <bdi>${typed}</bdi> ».`,
    severalMerchantsMatch: 'Plusieurs marchands répondent. Lequel ?',
  },
  en: {
    logOperations: 'Log of operations',
    noOperationMatches: 'No operation matches.',
    who: 'Who',
    on: 'On',
    details: 'Details',
    operations: 'Operations',
    nameOrAddress: 'name or e-mail',
    noMerchantMatches: (typed) => html`No merchant matches “<bdi>${typed}</bdi>”.`,
    severalMerchantsMatch: 'Several merchants match. Which one?',
  },
})

export function auditRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/audit',
      operationId: 'showOperatorAudit',
      summary: 'What operators did',
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => show(desk, call, session))),
    }),
  ]
}

const FILTERS = ['merchant', 'tag', 'operator', 'action', 'from', 'to'] as const
const TYPED_LENGTH_MAX = 255

type Kept = Readonly<Partial<Record<(typeof FILTERS)[number] | 'cursor', string>>>

async function show(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const kept = keptQuery(new URLSearchParams(call.queryText))
  const [merchants, operators] = await Promise.all([
    merchantsOf(desk, call, kept.merchant),
    desk.ask<ListPage<Operator>>(call, { operationId: 'listOperators', query: { limit: '100' } }),
  ])
  const isOne = merchants === null || merchants.length === 1
  const [status, list] = isOne ? await listPart(desk, call, kept, merchants?.[0] ?? null) : [200, merchantChoice(kept, merchants)]
  const filter = filterForm(kept, merchants?.length === 1 ? merchants[0] : undefined, operators.ok ? operators.body.data : [])
  const body = html`<h1>${TEXTS.logOperations}</h1>
${filter}
${list}`
  desk.answer(call, session, { title: WORDS.log, place: 'audit', root: '../', body }, status)
}

function keptQuery(sent: URLSearchParams): Kept {
  const values = [...FILTERS, 'cursor'].map((name) => [name, (sent.get(name) ?? '').trim().slice(0, TYPED_LENGTH_MAX)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** Returns the merchants that a typed text means; null without a text. */
async function merchantsOf(desk: Desk, call: DeskCall, typed: string | undefined): Promise<readonly Merchant[] | null> {
  if (typed === undefined) return null
  const found = await findMerchants(desk, call, typed)
  return found.ok ? found.body.data : []
}

function merchantChoice({ merchant = '', ...kept }: Kept, merchants: readonly Merchant[]): Html {
  if (merchants.length === 0) return html`<p class="hint" role="status">${TEXTS.noMerchantMatches(merchant)}</p>`
  const { cursor: _, ...others } = kept
  const link = ({ id, name, email }: Merchant): Html =>
    html`<li><a href="audit?${new URLSearchParams({ ...others, merchant: id }).toString()}"><bdi>${name}</bdi></a> <span class="hint"><bdi>${email}</bdi></span></li>`
  return html`<div role="status"><p>${TEXTS.severalMerchantsMatch}</p><ul>${merchants.map(link)}</ul></div>`
}

/** Returns the status of the page and the list, or why there is none. */
async function listPart(desk: Desk, call: DeskCall, kept: Kept, merchant: Merchant | null): Promise<readonly [number, Html]> {
  const { tag = '', operator = '', action = '', cursor = '', from = '', to = '' } = kept
  const period = periodQuery(periodOf(new URLSearchParams({ from, to })), ['from', 'to'])
  const query = { merchant_id: merchant?.id ?? '', tag, operator, action, cursor, ...period }
  const answer = await desk.ask<ListPage<OperatorAction>>(call, { operationId: 'listOperatorActions', query })
  if (!answer.ok) return [answer.status, failurePart(answer.error.message)]
  const { data, next_cursor } = answer.body
  const next = pager('audit', definedOf(kept), next_cursor)
  if (data.length > 0) return [200, html`${actionTable(data, '../operator')}${next}`]
  // A page may end early, and go on.
  const isFiltered = FILTERS.some((name) => kept[name] !== undefined)
  const words =
    next_cursor !== null ? OPERATOR_WORDS.goOnWithNextPage : isFiltered ? TEXTS.noOperationMatches : OPERATOR_WORDS.noOperationsYet
  return [200, html`<p class="hint">${words}</p>${next}`]
}

function definedOf(kept: Kept): Readonly<Record<string, string>> {
  return { ...kept } as Readonly<Record<string, string>>
}

function filterForm(kept: Kept, merchant: Merchant | undefined, operators: readonly Operator[]): Html {
  const isOpen = FILTERS.some((name) => kept[name] !== undefined)
  const option = (value: string, words: Fragment, chosen: string | undefined): Html =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${words}</option>`
  const field = (name: 'merchant' | 'tag', label: Text, example: Text | string, value: string | undefined): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="search" value="${value}" placeholder="${example}" maxlength="${TYPED_LENGTH_MAX}" autocomplete="off" autocapitalize="none" spellcheck="false"></div>`
  const { from, to } = periodOf(new URLSearchParams({ from: kept.from ?? '', to: kept.to ?? '' }))
  const day = (name: 'from' | 'to', label: Text, ms: number | null): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${ms !== null && dayOf(ms)}"></div>`
  return html`<details class="filters"${isOpen && html` open`}><summary>${WORDS.filter}</summary>
<form class="card filter-row" method="get" action="audit" role="search">
${field('merchant', WORDS.merchant, TEXTS.nameOrAddress, merchant?.name ?? kept.merchant)}
${field('tag', OPERATOR_WORDS.wallet, '@tag', kept.tag)}
<div class="field"><label for="operator">${TEXTS.who}</label><select id="operator" name="operator">${option('', WORDS.all, kept.operator)}${option('root', OPERATOR_WORDS.mainAccess, kept.operator)}${operators.map(({ id, name }) => option(id, name, kept.operator))}</select></div>
<div class="field"><label for="action">${WORDS.action}</label><select id="action" name="action">${option('', WORDS.all2, kept.action)}${Object.keys(ACTION_WORDS).map((action) => option(action, actionName(action), kept.action))}</select></div>
${day('from', WORDS.from, from)}
${day('to', OPERATOR_WORDS.dayIncluded, to)}
<div><button type="submit">${WORDS.filter}</button></div>${isOpen && html`<a class="alone" href="audit">${WORDS.clearFilters}</a>`}
</form></details>`
}

/** Renders actions as a table. `deskPath` is the relative path from the page to the desk. */
export function actionTable(actions: readonly OperatorAction[], deskPath: string): Html {
  const who = ({ operator }: OperatorAction): Html =>
    html`<a href="${deskPath}/audit?operator=${operator.id ?? 'root'}">${operatorName(operator)}</a>`
  const onWhat = (action: OperatorAction): Html =>
    html`${targetPart(action, deskPath)} ${action.environment !== null && environmentBadge(action.environment)}`
  const columns: readonly Column<OperatorAction>[] = [
    { name: OPERATOR_WORDS.when, card: 'about', cell: ({ created_at }) => moment(created_at) },
    { name: TEXTS.who, card: 'about', cell: who },
    { name: WORDS.action, card: 'title', isHeader: true, cell: ({ action }) => actionName(action) },
    { name: TEXTS.on, card: 'about', isProse: true, cell: onWhat },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: amountPart },
    { name: TEXTS.details, isProse: true, card: 'action', cell: (action) => detailList(action, deskPath) },
  ]
  return dataTable({ name: TEXTS.operations, columns, rows: actions })
}

function amountPart({ amount, currency }: OperatorAction): Fragment {
  return amount !== undefined && currency !== undefined && amountText(amount, currency)
}

/** Name of an action; its code where it has none. */
export function actionName(action: string): Text | string {
  const words = ACTION_WORDS[action]
  return words === undefined ? action : new Text((language) => words[language])
}
