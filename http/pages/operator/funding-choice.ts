// The choice of the account that a deposit or withdrawal changes: merchants and wallets that a typed text finds, one row for each
// environment, with its balance. A row leads to the form.

import type { Merchant } from '../../../engine/contract/merchant.ts'
import type { OperatorWallet } from '../../../engine/contract/operator.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import type { Desk, DeskCall } from './desk.ts'
import { merchantBadge } from './merchant-routes.ts'
import { environmentBadge } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { findAccounts, NOTHING_FOUND, searchForm } from './search-routes.ts'
import { walletBadge } from './wallet-routes.ts'

const TEXTS = texts({
  fr: {
    whoseAccount: 'Cherchez le marchand ou le portefeuille, puis choisissez son compte.',
    accounts: 'Comptes',
    thereAreMore: 'D’autres répondent aussi : précisez la recherche.',
  },
  en: {
    whoseAccount: 'Search for the merchant or the wallet, then choose its account.',
    accounts: 'Accounts',
    thereAreMore: 'Others match too: make the search more precise.',
  },
})

interface AccountRow {
  /** As the form's address takes it. */
  readonly account: string
  readonly environment: Environment
  readonly name: string
  readonly about: Html
  readonly balance: Fragment
  readonly badge: Html | null
}

/** Renders the search, and what a text finds. Returns the status of the page beside it. */
export async function accountChoice(desk: Desk, call: DeskCall, typed: string): Promise<readonly [status: number, Html]> {
  if (typed === '') return [200, choicePage(typed, null)]
  const found = await findAccounts(desk, call, typed)
  if (found === null) return [400, choicePage(typed, null, true)]
  const { merchants, wallets } = found
  const rows = [...merchants.data.flatMap((merchant) => merchantRows(desk, merchant)), ...wallets.data.map(walletRow)]
  if (rows.length === 0) return [200, choicePage(typed, NOTHING_FOUND)]
  const hasMore = merchants.next_cursor !== null || wallets.next_cursor !== null
  const table = dataTable({ name: TEXTS.accounts, columns: COLUMNS, rows })
  return [200, choicePage(typed, html`<div role="status">${table}${hasMore && html`<p class="hint">${TEXTS.thereAreMore}</p>`}</div>`)]
}

function choicePage(typed: string, found: Html | null, isShort = false): Html {
  return html`<h1>${OPERATOR_WORDS.depositOrWithdraw}</h1>
<p class="hint">${TEXTS.whoseAccount}</p>
${searchForm('funding', typed, isShort)}${found}`
}

function merchantRows({ engine }: Desk, merchant: Merchant): AccountRow[] {
  const { id, name, email, currency } = merchant
  const accounts = engine.query('merchants.byId', { id })?.accounts
  if (accounts === undefined) return []
  return ENVIRONMENTS.map((environment) => ({
    ...{ account: id, environment, name, about: html`<bdi>${email}</bdi>`, badge: merchantBadge(merchant) },
    balance: amountText(engine.query('accounts.balance', { account: accounts[environment] }).available, currency),
  }))
}

function walletRow(wallet: OperatorWallet): AccountRow {
  const { tag, phone, environment, given_name, family_name, available, currency } = wallet
  return {
    ...{ account: `@${tag}`, environment, name: `${given_name} ${family_name}`, badge: walletBadge(wallet) },
    ...{ about: html`@${tag} · ${phone}`, balance: amountText(available, currency) },
  }
}

const COLUMNS: readonly Column<AccountRow>[] = [
  {
    name: WORDS.account,
    isHeader: true,
    cell: ({ account, environment, name }) =>
      html`<a href="funding?${new URLSearchParams({ account, environment }).toString()}"><bdi>${name}</bdi></a>`,
  },
  { name: OPERATOR_WORDS.eMailOrNumber, card: 'about', cell: ({ about }) => about },
  { name: OPERATOR_WORDS.available, card: 'amount', isFigure: true, cell: ({ balance }) => balance },
  { name: WORDS.environment, card: 'state', cell: ({ environment, badge }) => html`${environmentBadge(environment)} ${badge}` },
]
