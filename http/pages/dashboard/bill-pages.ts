// Bills that were paid to the merchant as a biller, with what came of their fulfillment.
import type { BillPayment } from '../../../engine/contract/bill.ts'
import type { Route } from '../../route.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { badge, dateText, facts, money, type Tone, theirs } from './parts.ts'
import type { DashboardParts } from './visit.ts'

const FULFILLMENTS: Readonly<Record<BillPayment['fulfillment']['state'], readonly [words: string, tone: Tone]>> = {
  none: ['Sans code', 'calm'],
  pending: ['En cours', 'wait'],
  succeeded: ['Livré', 'good'],
  failed: ['Échec', 'bad'],
}

const NOUN: ListNoun<BillPayment> = {
  place: 'bills',
  title: 'Factures payées',
  path: 'bills',
  operationId: 'listBillPayments',
  filters: [
    { name: 'product', label: 'Produit' },
    { name: 'biller_ref', label: 'Référence de facture' },
  ],
  columns: (visit) => [
    {
      name: 'Date',
      cell: ({ transaction_id, paid_at }) => html`<a href="${visit.to(`transactions/${transaction_id}`)}">${dateText(paid_at)}</a>`,
    },
    { name: 'Produit', cell: ({ product }) => theirs(product) },
    { name: 'Montant', isFigure: true, cell: ({ amount }) => money(amount) },
    { name: 'Référence', cell: ({ biller_ref }) => theirs(biller_ref) },
    { name: 'Saisie', isProse: true, cell: ({ form_values }) => typed(form_values) },
    { name: 'Livraison', cell: delivery },
  ],
  csvFields: [
    'transaction_id',
    'charge_id',
    'biller',
    'product',
    'amount',
    'currency',
    'biller_ref',
    'form_values',
    'paid_at',
    'fulfillment',
  ],
  empty: 'Aucune facture payée ne correspond.',
}

function delivery({ fulfillment }: BillPayment): Html {
  return html`${badge(...FULFILLMENTS[fulfillment.state])} ${fulfillment.error !== null && theirs(fulfillment.error)}`
}

export function billFacts(payment: BillPayment): Html {
  const { duration_ms } = payment.fulfillment
  return facts([
    ['Produit', theirs(payment.product)],
    ['Référence', theirs(payment.biller_ref)],
    ['Saisie', typed(payment.form_values)],
    ['Livraison', delivery(payment)],
    ['Durée', duration_ms !== null && html`${duration_ms}\u00a0ms`],
  ])
}

/** What the customer filled in; names and values are theirs and the merchant's own. */
function typed(values: BillPayment['form_values']): Fragment {
  return Object.entries(values).map(([name, value]) => html`<div>${theirs(name)} : ${theirs(value === null ? '' : String(value))}</div>`)
}

export function billRows(parts: DashboardParts): readonly Route[] {
  return listRows(parts, NOUN)
}
