// The statement of the account: every ledger transaction with the balance after it.
import type { Transaction } from '../../../engine/contract/transaction.ts'
import type { Route } from '../../route.ts'
import { type Html, html } from '../html.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { dateText, money, theirs } from './parts.ts'
import type { DashboardParts } from './visit.ts'

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
    { name: 'Date', cell: ({ created_at }) => dateText(created_at) },
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
  return listRows(parts, NOUN)
}
