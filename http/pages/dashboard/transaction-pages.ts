// The statement of the account: every ledger transaction with the balance after it, and one of them with its postings and
// what it was for.
import type { BillPayment } from '../../../engine/contract/bill.ts'
import type { Transaction, TransactionDetail } from '../../../engine/contract/transaction.ts'
import type { Route } from '../../route.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { billFacts } from './bill-pages.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { badge, type Column, dateText, facts, heading, money, table, theirs } from './parts.ts'
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
}

const NOUN: ListNoun<Transaction> = {
  place: 'transactions',
  title: 'Transactions',
  path: 'transactions',
  operationId: 'listTransactions',
  filters: [
    { name: 'type', label: 'Type', choices: Object.entries(TYPES).map(([value, words]) => ({ value, words })) },
    { name: 'reference', label: 'Référence' },
  ],
  columns: (visit) => [
    { name: 'Date', cell: ({ id, created_at }) => html`<a href="${visit.to(`transactions/${id}`)}">${dateText(created_at)}</a>` },
    { name: 'Type', cell: (row) => typeLink(visit.to(), row) },
    { name: 'Montant', isFigure: true, cell: ({ amount }) => money(amount) },
    { name: 'Solde après', isFigure: true, cell: ({ balance_after }) => money(balance_after) },
    { name: 'Avec', cell: ({ counterparty }) => theirs(counterparty) },
    { name: 'Référence', cell: ({ reference }) => theirs(reference) },
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
  empty: 'Aucune transaction ne correspond.',
}

/** A bill has a charge's id and no charge that could be looked at. */
function typeLink(base: string, { type, charge_id, payout_id }: Transaction): Html {
  const words = TYPES[type]
  if (payout_id !== null) return html`<a href="${base}/payouts/${payout_id}">${words}</a>`
  const hasPage = charge_id !== null && (type === 'charge' || type === 'refund')
  return hasPage ? html`<a href="${base}/charges/${charge_id}">${words}</a>` : html`${words}`
}

export function transactionRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, NOUN),
    pageRow(parts, { path: '/transactions/{id}', operationId: 'showTransaction', summary: 'A transaction', show: showTransaction }),
  ]
}

async function showTransaction(visit: Visit): Promise<void> {
  const answer = await visit.ask<TransactionDetail>('getTransaction', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const transaction = answer.body
  const { type, amount, batch_id } = transaction
  const bill = type === 'bill' ? await billOf(visit, transaction) : null
  const link = (id: string | null, path: string): Fragment => id !== null && html`<a href="${visit.to(`${path}/${id}`)}">${id}</a>`
  const body = html`${heading(html`${TYPES[type]} : ${money(amount)}`, badge(amount < 0 ? 'Sortie' : 'Entrée', amount < 0 ? 'calm' : 'good'))}
${facts([
  ['Avec', theirs(transaction.counterparty)],
  ['Référence', theirs(transaction.reference)],
  ['Date', dateText(transaction.created_at)],
  ['Solde après', money(transaction.balance_after)],
  ['Encaissement', type !== 'bill' && link(transaction.charge_id, 'charges')],
  ['Versement', link(transaction.payout_id, 'payouts')],
  ['Lot', link(batch_id, 'batches')],
  ['Prélèvement', transaction.mandate_id !== null && theirs(transaction.mandate_id)],
  ['Identifiant', transaction.id],
])}
${bill !== null && html`<section><h2>Facture</h2>${billFacts(bill)}</section>`}
<section><h2>Écritures</h2>${table('Écritures', POSTINGS, transaction.postings, '')}</section>`
  visit.show({ title: 'Transaction', place: type === 'bill' ? 'bills' : 'transactions', body })
}

type Posting = TransactionDetail['postings'][number]

const ACCOUNTS: Readonly<Record<Posting['account_type'], string>> = {
  merchant: 'Marchand',
  wallet: 'Portefeuille',
  settlement: 'Compte de règlement',
  clearing: 'Compte de compensation',
}

const POSTINGS: readonly Column<Posting>[] = [
  { name: 'Compte', cell: ({ account_type }) => ACCOUNTS[account_type] },
  { name: 'Nom', cell: ({ account_name }) => theirs(account_name) },
  { name: 'Débit', isFigure: true, cell: ({ direction, amount }) => direction === 'debit' && money(amount) },
  { name: 'Crédit', isFigure: true, cell: ({ direction, amount }) => direction === 'credit' && money(amount) },
]

/** The bill that was paid by it: of that millisecond. */
async function billOf(visit: Visit, { id, created_at }: TransactionDetail): Promise<BillPayment | null> {
  const created_to = new Date(Date.parse(created_at) + 1).toISOString()
  const query = { created_from: created_at, created_to, limit: '100' }
  const answer = await visit.ask<{ readonly data: readonly BillPayment[] }>('listBillPayments', { query })
  return (answer.ok && answer.body.data.find(({ transaction_id }) => transaction_id === id)) || null
}
