// Bill payments of the merchant's products: the list, and one payment with its fulfillment, redelivery and refund.

import type { BillPayment } from '../../../../engine/contract/bill.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import {
  actionButton,
  badge,
  type Column,
  confirmedAction,
  dateText,
  facts,
  failure,
  heading,
  money,
  type Tone,
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { feeOfPayment } from '../shared/fee-facts.ts'
import { receiptLink } from '../shared/receipt.ts'
import { moveRow } from '../shared/record-moves.ts'
import { transactionLink } from '../shared/record-parts.ts'
import { REFUND_CSV_WORDS, refundAction, refundFacts, refundRow, statusOf } from '../shared/refund-form.ts'
import { TEXTS } from './bill-pages-messages.ts'
import { failedBillNotice } from './failed-deliveries.ts'
import { type ProductNames, readProductNames } from './product-names.ts'

const FULFILLMENTS: Readonly<Record<BillPayment['fulfillment']['state'], readonly [words: Text | string, tone: Tone]>> = {
  none: [TEXTS.nothingDeliver, 'calm'],
  pending: [DASHBOARD_WORDS.inProgress, 'wait'],
  succeeded: [TEXTS.delivered, 'good'],
  failed: [DASHBOARD_WORDS.failed, 'bad'],
}

const STATES: Readonly<Record<BillPayment['state'], readonly [words: Text | string, tone: Tone]>> = {
  paid: [DASHBOARD_WORDS.paid3, 'good'],
  refunded: [DASHBOARD_WORDS.refunded, 'calm'],
}

export const BILLS: ListNoun<BillPayment> = {
  place: 'bills',
  title: DASHBOARD_WORDS.paidBills,
  path: 'bills',
  operationId: 'listBillPayments',
  filters: [
    SEARCH,
    { name: 'product', label: DASHBOARD_WORDS.product, kind: 'slug', ownChoices: async (visit) => (await readProductNames(visit)).choices },
    { name: 'biller_ref', label: DASHBOARD_WORDS.billReference },
  ],
  columns: async (visit) => billColumns(visit, await readProductNames(visit)),
  csvFields: {
    transaction_id: true,
    charge_id: true,
    biller: true,
    product: true,
    amount: true,
    currency: true,
    biller_ref: true,
    form_values: true,
    state: true,
    paid_at: true,
    refunded_at: true,
    refund_reason: true,
    refund_text: true,
    fulfillment: true,
    fee: true,
    merchant_id: false,
    environment: false,
    refund_transaction_id: false,
  },
  csvTexts: async (visit) => {
    const names = await readProductNames(visit)
    const typedText = (payment: BillPayment): string =>
      names
        .typedIn(payment)
        .map(([label, value]) => `${label} : ${value}`)
        .join(', ')
    return { product: (payment) => names.titleOf(payment), form_values: typedText }
  },
  csvWords: {
    ...REFUND_CSV_WORDS,
    state: ({ state }) => STATES[state][0],
    fulfillment: ({ fulfillment }) => FULFILLMENTS[fulfillment.state][0],
  },
  counted: [TEXTS.bill, WORDS.bills],
  total: ({ state, amount }) => ({ group: STATES[state][0], amount }),
  empty: TEXTS.noPaidBillsYet,
  live: ['bill.'],
  intro: failedBillNotice,
  parts: ({ transaction_id, biller_ref }) => ({ key: transaction_id, texts: [biller_ref] }),
}

function billColumns(visit: Visit, names: ProductNames): readonly Column<BillPayment>[] {
  return [
    {
      name: WORDS.date,
      card: 'about',
      cell: ({ transaction_id, paid_at }) => html`<a href="${visit.to(`bills/${transaction_id}`)}">${dateText(paid_at)}</a>`,
    },
    { name: DASHBOARD_WORDS.product, card: 'title', cell: (payment) => theirs(names.titleOf(payment)) },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: ({ amount, currency }) => money(amount, currency) },
    { name: WORDS.reference, card: 'about', cell: ({ biller_ref }) => theirs(biller_ref) },
    { name: DASHBOARD_WORDS.formValues, isProse: true, cell: (payment) => typed(names, payment) },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: DASHBOARD_WORDS.delivery, cell: delivery },
  ]
}

function delivery({ fulfillment }: BillPayment): Html {
  return html`${badge(...FULFILLMENTS[fulfillment.state])} ${fulfillment.error !== null && theirs(fulfillment.error)}`
}

function billFacts(visit: Visit, payment: BillPayment, names: ProductNames, fee: Parameters<typeof facts>[0]): Html {
  const { fulfillment, refunded_at, refund_transaction_id, transaction_id } = payment
  return facts([
    [DASHBOARD_WORDS.product, productPart(visit, payment, names)],
    [WORDS.reference, theirs(payment.biller_ref)],
    ...names.typedIn(payment).map(([label, value]) => [label, theirs(value)] as const),
    ...fee,
    [DASHBOARD_WORDS.paid3, dateText(payment.paid_at)],
    [DASHBOARD_WORDS.refunded, refunded_at !== null && dateText(refunded_at)],
    ...refundFacts(payment),
    [DASHBOARD_WORDS.delivery, delivery(payment)],
    [DASHBOARD_WORDS.duration, fulfillment.duration_ms !== null && html`${WORDS.ms(fulfillment.duration_ms)}`],
    [TEXTS.codeRuns, String(fulfillment.attempts)],
    [WORDS.transaction, transactionLink(visit, transaction_id)],
    [WORDS.refund, transactionLink(visit, refund_transaction_id)],
  ])
}

/** Leads those who may change it to the product. */
function productPart(visit: Visit, payment: BillPayment, names: ProductNames): Html {
  const title = theirs(names.titleOf(payment))
  return visit.may('replaceProduct') ? html`<a href="${visit.to(`products/${payment.product}`)}">${title}</a>` : title
}

async function showBill(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<BillPayment>('getBillPayment', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const payment = answer.body
  const body = html`${heading(html`${TEXTS.bill2(money(payment.amount, payment.currency))}`, badge(...STATES[payment.state]))}
${failure(error)}
${payment.state === 'paid' && payment.fulfillment.state === 'failed' && UNDELIVERED}
${billFacts(visit, payment, await readProductNames(visit), await feeOfPayment(visit, payment))}
<div class="actions">${receiptLink(visit, `bills/${payment.transaction_id}`)}${payment.state === 'paid' && html`${redeliverAction(visit, payment)}${refundAction(visit, visit.to(`bills/${payment.transaction_id}/refund`), payment.amount, error)}`}</div>`
  visit.show({ title: WORDS.paidBill, place: 'bills', body }, statusOf(error))
}

const UNDELIVERED = html`<p class="error">${TEXTS.deliveryFailedReasonBelowMend}</p>`

/** Returns the redelivery button. Pending and running code needs none; code that succeeded needs a confirmation. */
function redeliverAction(visit: Visit, { transaction_id, fulfillment }: BillPayment): Fragment {
  const action = visit.to(`bills/${transaction_id}/redeliver`)
  if (fulfillment.state === 'pending') return null
  if (fulfillment.state !== 'succeeded') return actionButton(visit, action, TEXTS.startDeliveryAgain)
  const warn = TEXTS.codeHasAlreadySucceededFor
  return confirmedAction(visit, `${action}-again`, { ask: TEXTS.startDeliveryAgain, warn, go: TEXTS.runCodeAgain })
}

/** Renders what the customer typed. Labels and values are untrusted text. */
function typed(names: ProductNames, payment: BillPayment): Fragment {
  return names.typedIn(payment).map(([label, value]) => html`<div>${theirs(label)}\u00a0: ${theirs(value)}</div>`)
}

export function billRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, BILLS),
    pageRow(parts, {
      path: BILL,
      operationId: 'showBill',
      summary: 'A paid bill',
      show: (visit) => showBill(visit, null),
    }),
    moveRow(parts, { path: `${BILL}/redeliver`, operationId: 'redeliverBillPayment', body: {}, note: 'bill_redelivered', ...MOVED }),
    moveRow(parts, {
      ...{ path: `${BILL}/redeliver-again`, operationId: 'redeliverBillPayment', note: 'bill_redelivered' },
      body: { force: true },
      ...MOVED,
    }),
    refundRow(parts, { path: `${BILL}/refund`, operationId: 'refundBillPayment', note: 'bill_refunded', ...MOVED }),
  ]
}

const BILL = '/bills/{transaction_id}'
const MOVED = {
  done: (visit: Visit) => `bills/${visit.params[0]}`,
  again: (visit: Visit, error: ApiError) => showBill(visit, error),
}
