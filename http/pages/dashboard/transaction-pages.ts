// The statement of the account: every ledger transaction with the balance after it.
import type { Transaction } from '../../../engine/contract/transaction.ts'
import type { Route } from '../../route.ts'
import { html } from '../html.ts'
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
    { name: 'Type', cell: ({ type, charge_id, payout_id }) => typeLink(visit.to(), TYPES[type], charge_id, payout_id) },
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

function typeLink(base: string, words: string, chargeId: string | null, payoutId: string | null): ReturnType<typeof html> {
  if (chargeId !== null) return html`<a href="${base}/charges/${chargeId}">${words}</a>`
  return payoutId === null ? html`${words}` : html`<a href="${base}/payouts/${payoutId}">${words}</a>`
}

export function transactionRows(parts: DashboardParts): readonly Route[] {
  return listRows(parts, NOUN)
}
