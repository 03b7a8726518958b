// Merchants on the operator's desk: the list, searched by a part of name, e-mail address or phone, and by state.

import type { Merchant } from '../../../engine/contract/merchant.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import type { ApiError } from '../shared/api-calls.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { formField } from '../shared/form-field.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { answerMissing } from './missing.ts'
import { type ListPage, moment, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    noMerchants: 'Aucun marchand.',
    noMerchantMatches: 'Aucun marchand ne répond à cette recherche.',
    nameAddressOrNumber: 'Nom, e-mail ou numéro',
    typeThreeCharacters: 'Saisissez trois caractères au moins.',
    active: 'actif',
    notActivated: 'pas encore activé',
  },
  en: {
    noMerchants: 'No merchants.',
    noMerchantMatches: 'No merchant matches this search.',
    nameAddressOrNumber: 'Name, e-mail or number',
    typeThreeCharacters: 'Type three characters or more.',
    active: 'active',
    notActivated: 'not activated yet',
  },
})

const TYPED_LENGTH_MAX = 255
const FILTERS = ['q', 'state', 'cursor'] as const

export function merchantRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/merchants',
      operationId: 'showOperatorMerchants',
      summary: 'Merchants',
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => show(desk, call, session))),
    }),
  ]
}

async function show(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const sent = new URLSearchParams(call.queryText)
  const query: Record<string, string> = {}
  for (const name of FILTERS) {
    const value = (sent.get(name) ?? '').trim().slice(0, TYPED_LENGTH_MAX)
    if (value !== '') query[name] = value
  }
  const answer = await desk.ask<ListPage<Merchant>>(call, { operationId: 'listMerchants', query })
  const view = { title: OPERATOR_WORDS.merchants, place: 'merchants', root: '../' } as const
  if (answer.ok) return desk.answer(call, session, { ...view, body: pageBody(query, answer.body, null) })
  if (answer.error.param !== 'q')
    return answerMissing(desk, call, session, { ...view, message: answer.error.message, status: answer.status })
  desk.answer(call, session, { ...view, body: pageBody(query, null, answer.error) }, answer.status)
}

function pageBody(query: Readonly<Record<string, string>>, found: ListPage<Merchant> | null, error: ApiError | null): Html {
  const { q = '', state = '' } = query
  const isFiltered = q !== '' || state !== ''
  const option = (value: string, words: Text | string): Html =>
    html`<option value="${value}"${value === state && html` selected`}>${words}</option>`
  return html`<h1>${OPERATOR_WORDS.merchants}</h1>
<form class="card filter-row filters" method="get" action="merchants" role="search">
${formField({ name: 'q', label: TEXTS.nameAddressOrNumber, type: 'search', value: q, maxLength: TYPED_LENGTH_MAX, isRequired: false, error: error === null ? null : TEXTS.typeThreeCharacters })}
<div class="field"><label for="state">${WORDS.state}</label><select id="state" name="state">${option('', WORDS.all)}${option('active', TEXTS.active)}${option('suspended', OPERATOR_WORDS.suspended)}</select></div>
<div><button type="submit">${WORDS.search2}</button></div>${isFiltered && html`<a class="alone" href="merchants">${WORDS.clearFilters}</a>`}
</form>
${found !== null && listPart(query, found, isFiltered)}`
}

function listPart(query: Readonly<Record<string, string>>, { data, next_cursor }: ListPage<Merchant>, isFiltered: boolean): Html {
  if (data.length === 0) return html`<p class="hint" role="status">${isFiltered ? TEXTS.noMerchantMatches : TEXTS.noMerchants}</p>`
  return html`${dataTable({ name: OPERATOR_WORDS.merchants, columns: MERCHANT_COLUMNS, rows: data })}
${pager('merchants', query, next_cursor)}`
}

export const MERCHANT_COLUMNS: readonly Column<Merchant>[] = [
  { name: WORDS.name, isHeader: true, cell: ({ id, name }) => html`<a href="merchants/${id}"><bdi>${name}</bdi></a>` },
  { name: WORDS.eMailAddress, card: 'about', cell: ({ email }) => html`<bdi>${email}</bdi>` },
  { name: WORDS.state, card: 'state', cell: (merchant) => merchantBadge(merchant) ?? TEXTS.active },
  { name: WORDS.since, cell: ({ created_at }) => moment(created_at) },
]

/** Renders a state that stops a merchant; null for a merchant that may do all. */
export function merchantBadge({ state, activation_state }: Pick<Merchant, 'state' | 'activation_state'>): Html | null {
  if (state === 'suspended') return html`<span class="badge is-bad">${OPERATOR_WORDS.suspended}</span>`
  return activation_state === 'active' ? null : html`<span class="badge">${TEXTS.notActivated}</span>`
}
