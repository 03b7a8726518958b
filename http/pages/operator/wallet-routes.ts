// Wallets on the operator's desk: search by phone or tag.

import type { OperatorWallet } from '../../../engine/contract/operator.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { amountText } from '../shared/amount-text.ts'
import type { ApiAnswer } from '../shared/api-calls.ts'
import { formField } from '../shared/form-field.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { walletTierPart } from './account-rules.ts'
import { walletControl } from './control-forms.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { environmentBadge, type ListPage } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    typeTagOrNumberWith: 'Saisissez un @tag, ou un numéro avec l’indicatif du pays.',
    noWalletMatchesSearch: 'Aucun portefeuille ne répond à cette recherche.',
    number: 'Numéro',
    blocked: 'bloqué',
    typeTagNumberOrName: 'Saisissez un @tag, un numéro ou un nom, de trois caractères au moins.',
  },
  en: {
    typeTagOrNumberWith: 'Type a @tag, or a number with its country code.',
    noWalletMatchesSearch: 'No wallet matches this search.',
    number: 'Number',
    blocked: 'blocked',
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
      summary: 'Wallets by phone or tag',
      handle: (call) =>
        desk.signedIn(call, '../', (session) =>
          later(call, async () => {
            const typed = (new URLSearchParams(call.queryText).get('q') ?? '').trim().slice(0, TYPED_LENGTH_MAX)
            const answer =
              typed === ''
                ? null
                : await desk.ask<ListPage<OperatorWallet>>(call, { operationId: 'findWallets', query: { q: queryOf(typed) } })
            desk.answer(call, session, {
              title: OPERATOR_WORDS.wallets,
              place: 'wallets',
              root: '../',
              body: searchBody(desk, session, typed, answer),
            })
          }),
        ),
    }),
  ]
}

/** Removes the separators that people type between the digits of a phone number. */
function queryOf(typed: string): string {
  return /^(?:\+|00)/.test(typed) ? typed.replaceAll(/[\s.()\u00a0\u202f-]/g, '').replace(/^00/, '+') : typed
}

function searchBody(desk: Desk, session: OperatorSession, typed: string, answer: ApiAnswer<ListPage<OperatorWallet>> | null): Html {
  const error = answer !== null && !answer.ok ? TEXTS.typeTagNumberOrName : null
  return html`<h1>${OPERATOR_WORDS.wallets}</h1>
<form class="form card narrow" method="get" action="wallets" role="search">
${formField({ name: 'q', label: WORDS.tagOrNumber, type: 'search', value: typed, maxLength: TYPED_LENGTH_MAX, error })}
<button type="submit">${WORDS.search2}</button>
</form>
${answer?.ok === true && found(desk, session, answer.body.data)}`
}

function found(desk: Desk, session: OperatorSession, wallets: readonly OperatorWallet[]): Html {
  if (wallets.length === 0) return html`<p class="hint" role="status">${TEXTS.noWalletMatchesSearch}</p>`
  return html`<div class="stack" role="status">${wallets.map((wallet) => walletCard(desk, session, wallet))}</div>`
}

function walletCard(desk: Desk, session: OperatorSession, wallet: OperatorWallet): Html {
  const { id, tag, phone, given_name, family_name, environment, blocked, available, pending } = wallet
  return html`<section class="card" aria-labelledby="w-${id}">
<h2 id="w-${id}">@${tag} ${environmentBadge(environment)}${blocked && html` <span class="badge is-bad">${TEXTS.blocked}</span>`}</h2>
<dl class="facts">
<div><dt>${WORDS.holder}</dt><dd><bdi>${given_name} ${family_name}</bdi></dd></div>
<div><dt>${TEXTS.number}</dt><dd>${phone}</dd></div>
<div><dt>${OPERATOR_WORDS.available}</dt><dd>${amountText(available)}</dd></div>
<div><dt>${OPERATOR_WORDS.reserved}</dt><dd>${amountText(pending)}</dd></div>
<div><dt>${WORDS.identifier}</dt><dd><code>${id}</code></dd></div>
</dl>
<p><a class="alone" href="funding?account=%40${tag}&amp;environment=${environment}">${OPERATOR_WORDS.depositOrWithdraw}</a></p>
${walletTierPart(desk, session, wallet, 'wallets/')}
${walletControl(session, wallet)}
</section>`
}
