// The statement of the account: every ledger transaction with the balance after it, and one transaction with its postings
// and its cause.
import type { Transaction, TransactionDetail } from '../../../engine/contract/transaction.ts'
import type { Route } from '../../server/route.ts'
import { type Fragment, type Html, html, titleOf } from '../html.ts'
import { badge, type Column, dateText, facts, heading, money, table, theirs } from './dashboard-parts.ts'
import { SEARCH } from './list-filters.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { copyable } from './share.ts'
import { type DashboardParts, pageRow, type Visit } from './visit.ts'

const TYPES: Readonly<Record<Transaction['type'], string>> = {
  deposit: 'Dépôt',
  withdrawal: 'Retrait',
  payout: 'Versement',
  charge: 'Encaissement',
  refund: 'Remboursement',
  transfer: 'Transfert',
  bill: 'Facture',
  mandate: 'Prélèvement',
  fee: 'Frais',
  fee_refund: 'Frais rendus',
}

export const TRANSACTIONS: ListNoun<Transaction> = {
  place: 'transactions',
  title: titleOf('Transactions'),
  path: 'transactions',
  operationId: 'listTransactions',
  filters: [
    SEARCH,
    { name: 'type', label: 'Type', choices: Object.entries(TYPES).map(([value, words]) => ({ value, words })) },
    { name: 'reference', label: 'Référence' },
  ],
  columns: (visit) => [
    {
      name: 'Date',
      card: 'about',
      cell: ({ id, created_at }) => html`<a href="${visit.to(`transactions/${id}`)}">${dateText(created_at)}</a>`,
    },
    { name: 'Type', card: 'title', cell: (row) => typeLink(visit.to(), row) },
    { name: 'Montant', card: 'amount', isFigure: true, cell: ({ amount }) => money(amount) },
    { name: 'Solde après', isFigure: true, cell: ({ balance_after }) => money(balance_after) },
    { name: 'Avec', card: 'about', cell: ({ counterparty }) => theirs(counterparty) },
    { name: 'Référence', card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: [
    'id',
    'type',
    'amount',
    'balance_after',
    'currency',
    'reference',
    'counterparty',
    'charge_id',
    'payout_id',
    'batch_id',
    'created_at',
  ],
  counted: ['transaction', 'transactions'],
  total: ({ amount }) => ({ group: amount < 0 ? 'Sorties' : 'Entrées', amount }),
  empty: 'Aucune transaction pour le moment.',
  live: ['balance.'],
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
  const { type, amount, batch_id } = transaction
  const chargeId = await chargeOf(visit, transaction)
  const link = (id: string | null, path: string): Fragment => id !== null && html`<a href="${visit.to(`${path}/${id}`)}">${id}</a>`
  const body = html`${heading(html`${TYPES[type]} : ${money(amount)}`, badge(amount < 0 ? 'Sortie' : 'Entrée', amount < 0 ? 'calm' : 'good'))}
${facts([
  ['Avec', theirs(transaction.counterparty)],
  ['Référence', theirs(transaction.reference)],
  ['Date', dateText(transaction.created_at)],
  ['Solde après', money(transaction.balance_after)],
  ['Facture', type === 'bill' && link(transaction.id, 'bills')],
  ['Encaissement', link(chargeId, 'charges')],
  ['Versement', link(transaction.payout_id, 'payouts')],
  ['Versement groupé', link(batch_id, 'batches')],
  ['Prélèvement', transaction.mandate_id !== null && theirs(transaction.mandate_id)],
  ['Identifiant', copyable('id', transaction.id)],
])}
<section><h2>Écritures</h2>${table('Écritures', POSTINGS, transaction.postings, '')}</section>`
  visit.show({ title: 'Transaction', place: type === 'bill' ? 'bills' : 'transactions', body })
}

type Posting = TransactionDetail['postings'][number]

const ACCOUNTS: Readonly<Record<Posting['account_type'], string>> = {
  merchant: 'Marchand',
  wallet: 'Portefeuille',
  settlement: 'Compte de règlement',
  clearing: 'Compte de compensation',
  fee: 'Compte de frais',
}

const POSTINGS: readonly Column<Posting>[] = [
  { name: 'Compte', cell: ({ account_type }) => ACCOUNTS[account_type] },
  { name: 'Nom', card: 'about', cell: ({ account_name }) => theirs(account_name) },
  { name: 'Débit', isFigure: true, cell: ({ direction, amount }) => direction === 'debit' && money(amount) },
  { name: 'Crédit', isFigure: true, cell: ({ direction, amount }) => direction === 'credit' && money(amount) },
]

/** Returns the id of a charge that has a page. A bill and its refund have the id of a charge without one. */
async function chargeOf(visit: Visit, { type, charge_id }: TransactionDetail): Promise<string | null> {
  if (charge_id === null || type === 'bill') return null
  const answer = await visit.ask('getCharge', { params: [charge_id] })
  return answer.ok ? charge_id : null
}
