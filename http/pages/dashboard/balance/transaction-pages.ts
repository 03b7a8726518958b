// The statement of the account: every ledger transaction with the balance after it, and one transaction with its postings
// and its cause.

import type { Transaction, TransactionDetail } from '../../../../engine/contract/transaction.ts'
import { normalizeTag } from '../../../../engine/kernel/tag.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import { badge, type Column, dateText, facts, heading, money, table, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { recordLink } from '../shared/record-parts.ts'
import { copyable } from '../shared/share-links.ts'
import { TEXTS } from './transaction-pages-messages.ts'

const TYPES: Readonly<Record<Transaction['type'], Text | string>> = {
  deposit: WORDS.deposit,
  withdrawal: WORDS.withdrawal,
  payout: WORDS.payout,
  charge: DASHBOARD_WORDS.charge2,
  refund: WORDS.refund,
  transfer: WORDS.transfer,
  bill: WORDS.bill,
  mandate: WORDS.directDebit,
  fee: WORDS.fee,
  fee_refund: WORDS.feeReturned,
}

export const TRANSACTIONS: ListNoun<Transaction> = {
  place: 'transactions',
  title: DASHBOARD_WORDS.transactions,
  path: 'transactions',
  operationId: 'listTransactions',
  filters: [
    SEARCH,
    { name: 'type', label: WORDS.type, choices: Object.entries(TYPES).map(([value, words]) => ({ value, words })) },
    { name: 'reference', label: WORDS.reference },
  ],
  columns: (visit) => [
    {
      name: WORDS.date,
      card: 'about',
      cell: ({ id, created_at }) => html`<a href="${visit.to(`transactions/${id}`)}">${dateText(created_at)}</a>`,
    },
    { name: WORDS.type, card: 'title', cell: (row) => typeLink(visit.to(), row) },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: ({ amount, currency }) => money(amount, currency) },
    { name: WORDS.balanceAfter, isFigure: true, cell: ({ balance_after, currency }) => money(balance_after, currency) },
    { name: DASHBOARD_WORDS.with, card: 'about', cell: ({ counterparty }) => theirs(otherSide(counterparty)) },
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: {
    id: true,
    type: true,
    amount: true,
    balance_after: true,
    currency: true,
    reference: true,
    counterparty: true,
    charge_id: true,
    payout_id: true,
    batch_id: true,
    fee_of: true,
    created_at: true,
  },
  counted: [TEXTS.transaction, TEXTS.transactions],
  total: ({ amount }) => ({ group: amount < 0 ? TEXTS.outgoing : TEXTS.incoming, amount }),
  empty: TEXTS.noTransactionsYet,
  live: ['balance.'],
}

/** Returns the tag of a wallet as people write it. */
function otherSide(counterparty: string | null): string | null {
  return counterparty !== null && normalizeTag(counterparty) === counterparty ? `@${counterparty}` : counterparty
}

/** Renders the type, linked to its record. A refund has no link: its charge or bill is linked on the transaction's page. */
function typeLink(base: string, { id, type, charge_id, payout_id }: Transaction): Html {
  const words = TYPES[type]
  if (payout_id !== null) return html`<a href="${base}/payouts/${payout_id}">${words}</a>`
  if (type === 'bill') return html`<a href="${base}/bills/${id}">${words}</a>`
  return type === 'charge' && charge_id !== null ? html`<a href="${base}/charges/${charge_id}">${words}</a>` : html`${words}`
}

export function transactionRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, TRANSACTIONS),
    pageRow(parts, { path: '/transactions/{id}', operationId: 'showTransaction', summary: 'A transaction', show: showTransaction }),
  ]
}

async function showTransaction(visit: Visit): Promise<void> {
  const answer = await visit.ask<TransactionDetail>('getTransaction', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const transaction = answer.body
  const { type, amount, currency, batch_id } = transaction
  const chargeId = await chargeOf(visit, transaction)
  const link = (id: string | null, path: string): Fragment => recordLink(visit, path, id)
  const body = html`${heading(html`${TYPES[type]}${WORDS.colon} ${money(amount, currency)}`, badge(amount < 0 ? TEXTS.outgoing2 : TEXTS.incoming2, amount < 0 ? 'calm' : 'good'))}
${facts([
  [DASHBOARD_WORDS.with, theirs(otherSide(transaction.counterparty))],
  [WORDS.reference, theirs(transaction.reference)],
  [WORDS.date, dateText(transaction.created_at)],
  [WORDS.balanceAfter, money(transaction.balance_after, currency)],
  [WORDS.bill, type === 'bill' && link(transaction.id, 'bills')],
  [DASHBOARD_WORDS.charge2, link(chargeId, 'charges')],
  [WORDS.payout, link(transaction.payout_id, 'payouts')],
  [DASHBOARD_WORDS.bulkPayout, link(batch_id, 'batches')],
  [WORDS.directDebit, link(transaction.mandate_id, 'mandates')],
  [WORDS.identifier, copyable('id', transaction.id)],
])}
<section><h2>${TEXTS.entries}</h2>${table(TEXTS.entries, postingColumns(currency), transaction.postings, '')}</section>`
  visit.show({ title: WORDS.transaction, place: type === 'bill' ? 'bills' : 'transactions', body })
}

type Posting = TransactionDetail['postings'][number]

const ACCOUNTS: Readonly<Record<Posting['account_type'], Text>> = {
  merchant: WORDS.merchant,
  wallet: TEXTS.wallet,
  settlement: TEXTS.settlementAccount,
  clearing: TEXTS.clearingAccount,
  fee: TEXTS.feeAccount,
}

function postingColumns(currency: string): readonly Column<Posting>[] {
  return [
    { name: WORDS.account, cell: ({ account_type }) => ACCOUNTS[account_type] },
    { name: WORDS.name, card: 'about', cell: ({ account_name }) => theirs(account_name) },
    { name: WORDS.debit, isFigure: true, cell: ({ direction, amount }) => direction === 'debit' && money(amount, currency) },
    { name: WORDS.credit, isFigure: true, cell: ({ direction, amount }) => direction === 'credit' && money(amount, currency) },
  ]
}

/** Returns the id of a charge that has a page. A bill and its refund have the id of a charge without one. */
async function chargeOf(visit: Visit, { type, charge_id }: TransactionDetail): Promise<string | null> {
  if (charge_id === null || type === 'bill') return null
  const answer = await visit.ask('getCharge', { params: [charge_id] })
  return answer.ok ? charge_id : null
}
