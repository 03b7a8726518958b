// Wallets on the operator's desk: search by a part of tag, phone or name.

import type { OperatorWallet } from '../../../engine/contract/operator.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { amountText } from '../shared/amount-text.ts'
import type { ApiAnswer } from '../shared/api-calls.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { formField } from '../shared/form-field.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { cursorOf, environmentBadge, type ListPage, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    noWalletMatchesSearch: 'Aucun portefeuille ne répond à cette recherche.',
    tagNumberOrName: '@tag, numéro ou nom',
    typeTagNumberOrName: 'Saisissez un @tag, un numéro ou un nom, de trois caractères au moins.',
  },
  en: {
    noWalletMatchesSearch: 'No wallet matches this search.',
    tagNumberOrName: '@tag, number or name',
    typeTagNumberOrName: 'Type a @tag, a number or a name, of three characters or more.',
  },
})

const TYPED_LENGTH_MAX = 64

export function walletRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/wallets',
      operationId: 'showOperatorWallets',
      summary: 'Wallets by tag, phone or name',
      handle: (call) =>
        desk.signedIn(call, '../', (session) =>
          later(call, async () => {
            const typed = (new URLSearchParams(call.queryText).get('q') ?? '').trim().slice(0, TYPED_LENGTH_MAX)
            const query = { q: phoneWithoutBlanks(typed), ...cursorOf(call.queryText) }
            const answer = typed === '' ? null : await desk.ask<ListPage<OperatorWallet>>(call, { operationId: 'findWallets', query })
            desk.answer(call, session, {
              title: OPERATOR_WORDS.wallets,
              place: 'wallets',
              root: '../',
              body: searchBody(typed, answer, query),
            })
          }),
        ),
    }),
  ]
}

/** Removes the separators that people type between the digits of a phone number. */
export function phoneWithoutBlanks(typed: string): string {
  return /^(?:\+|00)/.test(typed) ? typed.replaceAll(/[\s.()\u00a0\u202f-]/g, '').replace(/^00/, '+') : typed
}

function searchBody(typed: string, answer: ApiAnswer<ListPage<OperatorWallet>> | null, query: Readonly<Record<string, string>>): Html {
  const error = answer !== null && !answer.ok ? TEXTS.typeTagNumberOrName : null
  return html`<h1>${OPERATOR_WORDS.wallets}</h1>
<form class="form card narrow" method="get" action="wallets" role="search">
${formField({ name: 'q', label: TEXTS.tagNumberOrName, type: 'search', value: typed, maxLength: TYPED_LENGTH_MAX, error })}
<button type="submit">${WORDS.search2}</button>
</form>
${answer?.ok === true && found(answer.body, query)}`
}

function found({ data, next_cursor }: ListPage<OperatorWallet>, query: Readonly<Record<string, string>>): Html {
  if (data.length === 0) return html`<p class="hint" role="status">${TEXTS.noWalletMatchesSearch}</p>`
  return html`<div role="status">${dataTable({ name: OPERATOR_WORDS.wallets, columns: WALLET_COLUMNS, rows: data })}</div>
${pager('wallets', query, next_cursor)}`
}

export const WALLET_COLUMNS: readonly Column<OperatorWallet>[] = [
  {
    name: OPERATOR_WORDS.wallet,
    isHeader: true,
    cell: ({ tag, environment }) => html`<a href="wallets/${tag}?environment=${environment}">@${tag}</a>`,
  },
  { name: WORDS.holder, card: 'about', cell: ({ given_name, family_name }) => html`<bdi>${given_name} ${family_name}</bdi>` },
  { name: OPERATOR_WORDS.number, card: 'about', cell: ({ phone }) => phone },
  { name: OPERATOR_WORDS.available, card: 'amount', isFigure: true, cell: ({ available, currency }) => amountText(available, currency) },
  {
    name: WORDS.state,
    card: 'state',
    cell: (wallet) => html`${environmentBadge(wallet.environment)} ${walletBadge(wallet)}`,
  },
]

/** Renders the state that stops a wallet; null for a wallet that may do all. */
export function walletBadge({ blocked }: Pick<OperatorWallet, 'blocked'>): Html | null {
  return blocked ? html`<span class="badge is-bad">${OPERATOR_WORDS.blocked}</span>` : null
}
