// Charges: the list, one charge with its QR code and its actions, and the form for a new one.

import type { Charge } from '../../../../engine/contract/charge.ts'
import { qrSvg } from '../../../api/checkout/qr.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { amountKeyboard, amountText, currencySymbol, wantedAmount } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { html } from '../../shared/html.ts'
import { PAGE_HEADERS } from '../../shared/layout.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH, stateFilter } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import {
  areaField,
  badge,
  type Column,
  confirmedAction,
  dateText,
  facts,
  failure,
  formStart,
  heading,
  live,
  money,
  type Tone,
  theirs,
  untilText,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { feeOfPayment } from '../shared/fee-facts.ts'
import { receiptLink } from '../shared/receipt.ts'
import { moveRow } from '../shared/record-moves.ts'
import { makerName, transactionLink } from '../shared/record-parts.ts'
import { REFUND_CSV_WORDS, refundAction, refundFacts, refundRow, statusOf } from '../shared/refund-form.ts'
import { addressField, copyable, copyButton, shareLinks } from '../shared/share-links.ts'
import { amountOf, filled } from '../shared/typed-text.ts'
import { TEXTS } from './charge-pages-messages.ts'
import { memberChoices } from './till-pages.ts'

type ChargeState = Charge['state']

export const CHARGE_STATES: Readonly<Record<ChargeState, readonly [words: Text | string, tone: Tone]>> = {
  pending: [DASHBOARD_WORDS.pending, 'wait'],
  paid: [DASHBOARD_WORDS.paid4, 'good'],
  expired: [WORDS.expired, 'calm'],
  cancelled: [WORDS.cancelled, 'calm'],
  refunded: [DASHBOARD_WORDS.refunded2, 'calm'],
}

export function chargeColumns(visit: Visit): readonly Column<Charge>[] {
  return [
    { name: WORDS.date, cell: ({ token, created_at }) => html`<a href="${visit.to(`charges/${token}`)}">${dateText(created_at)}</a>` },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: ({ amount, currency }) => money(amount, currency) },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...CHARGE_STATES[state]) },
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
    { name: WORDS.customer, card: 'about', cell: ({ payer_tag, customer_tag }) => theirs(tagText(payer_tag ?? customer_tag)) },
  ]
}

function tagText(tag: string): string {
  return tag === '' ? '' : `@${tag}`
}

const LIVE = ['charge.'] as const

export const CHARGES: ListNoun<Charge> = {
  place: 'charges',
  title: DASHBOARD_WORDS.charges,
  path: 'charges',
  operationId: 'listCharges',
  filters: [
    SEARCH,
    stateFilter(CHARGE_STATES),
    { name: 'reference', label: WORDS.reference },
    { name: 'customer_tag', label: TEXTS.reservedForTag },
    { name: 'created_by', label: TEXTS.takenBy, ownChoices: memberChoices },
  ],
  columns: (visit) => [...chargeColumns(visit), { name: TEXTS.takenBy, card: 'about', cell: ({ created_by }) => makerName(created_by) }],
  csvFields: {
    id: true,
    token: true,
    amount: true,
    currency: true,
    state: true,
    reference: true,
    description: true,
    customer_tag: true,
    payer_tag: true,
    created_at: true,
    paid_at: true,
    cancelled_at: true,
    refunded_at: true,
    transaction_id: true,
    refund_transaction_id: true,
    fee: true,
    refund_reason: true,
    refund_text: true,
    checkout_url: false,
    redirect_url: false,
    webhook_url: false,
    expires_at: false,
    environment: false,
    metadata: false,
    created_by: false,
    payment_link_id: false,
    payment_link_created_by: false,
  },
  csvWords: REFUND_CSV_WORDS,
  counted: [TEXTS.charge, TEXTS.charges],
  total: ({ state, amount }) => ({ group: CHARGE_STATES[state][0], amount }),
  empty: DASHBOARD_WORDS.noChargesYet,
  live: LIVE,
  parts: ({ id, reference, description }) => ({ key: id, texts: [reference, description] }),
  actions: (visit) => visit.button('createCharge', 'charges/new', DASHBOARD_WORDS.requestPayment),
}

const FIELDS = ['amount', 'reference', 'description', 'customer_tag', 'redirect_url'] as const

type ChargeForm = Sent<(typeof FIELDS)[number]>

const NOTHING: ChargeForm = { amount: '', reference: '', description: '', customer_tag: '', redirect_url: '' }

export function chargeRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, CHARGES),
    pageRow(parts, {
      path: '/charges/new',
      operationId: 'showChargeForm',
      needs: 'createCharge',
      summary: 'Ask for a payment',
      show: (visit) => showForm(visit, NOTHING, null),
    }),
    formRow(parts, {
      path: '/charges/new',
      operationId: 'sendCharge',
      needs: 'createCharge',
      summary: 'Ask for a payment',
      fields: FIELDS,
      act: createCharge,
    }),
    pageRow(parts, {
      path: '/charges/{token}',
      operationId: 'showCharge',
      needs: 'getCharge',
      summary: 'A charge',
      show: (visit) => showCharge(visit, null),
    }),
    pageRow(parts, {
      path: '/charges/{token}/qr.svg',
      operationId: 'showChargeQr',
      needs: 'getCharge',
      summary: 'The code of its address',
      show: showQr,
    }),
    moveRow(parts, { path: '/charges/{token}/cancel', operationId: 'cancelCharge', note: 'charge_cancelled', ...MOVED }),
    refundRow(parts, { path: '/charges/{token}/refund', operationId: 'refundCharge', note: 'charge_refunded', ...MOVED }),
  ]
}

const MOVED = {
  done: (visit: Visit) => `charges/${visit.params[0]}`,
  again: (visit: Visit, error: ApiError) => showCharge(visit, error),
}

async function createCharge(visit: Visit, sent: ChargeForm & Sent<'key'>): Promise<void> {
  const { amount, key, ...texts } = sent
  const { reference, description, customer_tag, redirect_url } = texts
  const body = filled({
    amount: amountOf(amount, visit.currency),
    reference,
    description,
    customer_tag: customer_tag.trim(),
    redirect_url: redirect_url.trim(),
  })
  const answer = await visit.ask<Charge>('createCharge', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo(`charges/${answer.body.token}`, answer.replayed ? undefined : 'charge_created')
  else showForm(visit, sent, answer.error)
}

function showForm(visit: Visit, form: ChargeForm, error: ApiError | null): void {
  const about = (name: string): Text | string | null =>
    error?.param === name ? (name === 'amount' ? DASHBOARD_WORDS.typeAmount(wantedAmount(visit.currency)) : error.message) : null
  const isElsewhere = error !== null && !(FIELDS as readonly string[]).includes(error.param ?? '')
  const body = html`${heading(DASHBOARD_WORDS.requestPayment)}
<form class="form card" method="post" action="${visit.to('charges/new')}" novalidate>${formStart(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'amount', label: DASHBOARD_WORDS.amountIn(currencySymbol(visit.currency)), value: form.amount, maxLength: 20, inputMode: amountKeyboard(visit.currency), error: about('amount') })}
${formField({ name: 'reference', label: DASHBOARD_WORDS.reference, hint: TEXTS.numberOrderOrInvoice, value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
${areaField({ name: 'description', label: WORDS.description, hint: DASHBOARD_WORDS.customerReadsItWhenPaying, value: form.description, rows: 3, error: about('description') })}
${formField({ name: 'customer_tag', label: TEXTS.reserveForCustomerTag, value: form.customer_tag, maxLength: 21, isRequired: false, error: about('customer_tag') })}
${formField({ name: 'redirect_url', label: TEXTS.returnAddressHttps, value: form.redirect_url, maxLength: 2048, isRequired: false, error: about('redirect_url') })}
<button type="submit">${TEXTS.createRequest}</button>
</form>`
  visit.show({ title: DASHBOARD_WORDS.requestPayment, place: 'charges', body }, error === null ? 200 : 400)
}

async function showCharge(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Charge>('getCharge', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const charge = answer.body
  const { token, state, checkout_url } = charge
  const here = visit.to(`charges/${token}`)
  const fee = await feeOfPayment(visit, charge)
  const body = html`${live('title', heading(html`${TEXTS.charge2(money(charge.amount, charge.currency))}`, badge(...CHARGE_STATES[state])))}
${failure(error)}
${live(
  'code',
  state === 'pending' &&
    html`<section class="card code-card"><img class="code" src="${here}/qr.svg" width="216" height="216" alt="${DASHBOARD_WORDS.qrCodePaymentAddress}">
<div class="beside"><p>${TEXTS.showOrSendCustomerValid(untilText(charge.expires_at))}</p>
${addressField('address', DASHBOARD_WORDS.paymentAddress, checkout_url)}
<div class="actions">${copyButton('address', DASHBOARD_WORDS.copyAddress)}
${shareLinks(messageText(visit, charge))}
<a class="button quiet" href="${checkout_url}" rel="noreferrer">${TEXTS.open}</a></div></div></section>`,
)}
${live(
  'facts',
  facts([
    [WORDS.reference, theirs(charge.reference)],
    [WORDS.description, theirs(charge.description)],
    [TEXTS.reservedFor, charge.customer_tag !== '' && theirs(tagText(charge.customer_tag))],
    [DASHBOARD_WORDS.paidBy, charge.payer_tag !== null && theirs(tagText(charge.payer_tag))],
    [TEXTS.takenBy, makerName(charge.created_by)],
    [DASHBOARD_WORDS.created, dateText(charge.created_at)],
    [DASHBOARD_WORDS.paid4, charge.paid_at !== null && dateText(charge.paid_at)],
    [WORDS.cancelled, charge.cancelled_at !== null && dateText(charge.cancelled_at)],
    [DASHBOARD_WORDS.refunded2, charge.refunded_at !== null && dateText(charge.refunded_at)],
    ...refundFacts(charge),
    ...fee,
    [WORDS.transaction, transactionLink(visit, charge.transaction_id)],
    [WORDS.refund, transactionLink(visit, charge.refund_transaction_id)],
    [WORDS.identifier, copyable('id', charge.id)],
  ]),
)}
${live(
  'actions',
  html`<div class="actions">
${state === 'pending' && confirmedAction(visit, `${here}/cancel`, { ask: DASHBOARD_WORDS.cancelRequest, warn: TEXTS.customerCanNoLongerPay, go: DASHBOARD_WORDS.cancelRequest })}
${charge.paid_at !== null && receiptLink(visit, `charges/${token}`)}
${state === 'paid' && refundAction(visit, `${here}/refund`, charge.amount, error)}
</div>`,
)}`
  visit.show({ title: DASHBOARD_WORDS.charge2, place: 'charges', live: LIVE, body }, statusOf(error))
}

function messageText({ principal, call }: Visit, { amount, currency, reference, checkout_url }: Charge): string {
  const about = reference === '' ? '' : ` (${reference})`
  return TEXTS.pay(amountText(amount, currency), principal.merchant.name, about, checkout_url).in(languageOf(call).language)
}

async function showQr(visit: Visit): Promise<void> {
  const answer = await visit.ask<Charge>('getCharge', { params: visit.params })
  if (!answer.ok) return visit.missing()
  visit.call.answerAs(200, qrSvg(answer.body.checkout_url), [...PAGE_HEADERS, ['Content-Type', 'image/svg+xml']])
}
