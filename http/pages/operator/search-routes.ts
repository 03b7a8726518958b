// The search of the desk's first page: merchants and wallets by a part of name, tag, phone or e-mail address. One that is found alone is
// shown at once.

import type { Merchant } from '../../../engine/contract/merchant.ts'
import type { OperatorWallet } from '../../../engine/contract/operator.ts'
import { isUuid } from '../../../engine/kernel/ids.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { ApiAnswer } from '../shared/api-calls.ts'
import { dataTable } from '../shared/data-table.ts'
import { formField } from '../shared/form-field.ts'
import { type Html, html } from '../shared/html.ts'
import { redirectTo } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { MERCHANT_COLUMNS } from './merchant-routes.ts'
import type { ListPage } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { phoneWithoutBlanks, WALLET_COLUMNS } from './wallet-routes.ts'

const TEXTS = texts({
  fr: {
    merchantOrWallet: 'Nom, @tag, numéro ou e-mail',
    typeThreeCharacters: 'Saisissez trois caractères au moins.',
    nothingFound: 'Aucun marchand et aucun portefeuille ne répond à cette recherche.',
    allOfThese: 'Toute la liste',
  },
  en: {
    merchantOrWallet: 'Name, @tag, number or e-mail',
    typeThreeCharacters: 'Type three characters or more.',
    nothingFound: 'No merchant and no wallet matches this search.',
    allOfThese: 'The whole list',
  },
})

export const NOTHING_FOUND = html`<p class="hint" role="status">${TEXTS.nothingFound}</p>`

export const SEARCH_LENGTH_MAX = 64
const SHOWN = '10'

export function searchRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/search',
      operationId: 'searchOperatorDesk',
      summary: 'Merchants and wallets that a text finds',
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => show(desk, call, session))),
    }),
  ]
}

/** Renders the form. `action` is the relative path from the page to the search. */
export function searchForm(action: string, typed = '', isTooShort = false): Html {
  const error = isTooShort ? TEXTS.typeThreeCharacters : null
  return html`<form class="card filter-row filters" method="get" action="${action}" role="search">
${formField({ name: 'q', label: TEXTS.merchantOrWallet, type: 'search', value: typed, maxLength: SEARCH_LENGTH_MAX, error })}
<div><button type="submit">${WORDS.search2}</button></div>
</form>`
}

async function show(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const typed = (new URLSearchParams(call.queryText).get('q') ?? '').trim().slice(0, SEARCH_LENGTH_MAX)
  const view = { title: WORDS.search, place: 'home', root: '../' } as const
  const page = (found: Html | null, status = 200): void =>
    desk.answer(
      call,
      session,
      { ...view, body: html`<h1>${WORDS.search}</h1>${searchForm('search', typed, status !== 200)}${found}` },
      status,
    )
  if (typed === '') return page(null)
  const found = await findAccounts(desk, call, typed)
  if (found === null) return page(null, 400)
  const only = onlyOne(found)
  if (only !== null) return redirectTo(call, only)
  const q = encodeURIComponent(phoneWithoutBlanks(typed))
  const { merchants, wallets } = found
  page(html`${part(OPERATOR_WORDS.merchants, `merchants?q=${q}`, merchants, MERCHANT_COLUMNS)}
${part(OPERATOR_WORDS.wallets, `wallets?q=${q}`, wallets, WALLET_COLUMNS)}
${merchants.data.length + wallets.data.length === 0 && NOTHING_FOUND}`)
}

interface Found {
  readonly merchants: ListPage<Merchant>
  readonly wallets: ListPage<OperatorWallet>
}

/** Returns the first merchants and wallets that a text finds: by a part, or by the identifier of a merchant. Null: the text is too short. */
export async function findAccounts(desk: Desk, call: DeskCall, typed: string): Promise<Found | null> {
  const q = phoneWithoutBlanks(typed)
  const [merchants, wallets] = await Promise.all([
    findMerchants(desk, call, q),
    desk.ask<ListPage<OperatorWallet>>(call, { operationId: 'findWallets', query: { q, limit: SHOWN } }),
  ])
  return merchants.ok && wallets.ok ? { merchants: merchants.body, wallets: wallets.body } : null
}

export async function findMerchants(desk: Desk, call: DeskCall, typed: string): Promise<ApiAnswer<ListPage<Merchant>>> {
  if (!isUuid(typed.toLowerCase())) return desk.ask(call, { operationId: 'listMerchants', query: { q: typed, limit: SHOWN } })
  const found = await desk.ask<Merchant>(call, { operationId: 'getMerchant', params: [typed.toLowerCase()] })
  return { ok: true, status: 200, body: { data: found.ok ? [found.body] : [], next_cursor: null }, replayed: false }
}

/** Returns the address of what was found alone. */
function onlyOne({ merchants, wallets }: Found): string | null {
  const [merchant] = merchants.data
  const [wallet] = wallets.data
  if (merchants.data.length + wallets.data.length !== 1) return null
  if (merchant !== undefined) return `merchants/${merchant.id}`
  return wallet === undefined ? null : `wallets/${wallet.tag}?environment=${wallet.environment}`
}

function part<Row>(
  name: typeof OPERATOR_WORDS.merchants,
  all: string,
  { data, next_cursor }: ListPage<Row>,
  columns: Parameters<typeof dataTable<Row>>[0]['columns'],
): Html | null {
  if (data.length === 0) return null
  return html`<h2>${name}</h2>${dataTable({ name, columns, rows: data })}${next_cursor !== null && html`<p><a class="alone" href="${all}">${TEXTS.allOfThese}</a></p>`}`
}
