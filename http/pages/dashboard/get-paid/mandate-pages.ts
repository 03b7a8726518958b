// Mandates: the list, one mandate with its payments and actions, and the form that asks a customer for one.

import { MANDATE_INTERVALS, type Mandate, type MandatePayment } from '../../../../engine/contract/mandate.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { amountInput, amountKeyboard, currencySymbol, wantedAmount } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH, stateFilter } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import {
  actionButton,
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
  selectField,
  type Tone,
  table,
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { moveRow } from '../shared/record-moves.ts'
import { addressField, copyButton, shareLinks } from '../shared/share-links.ts'
import { amountOf, countOf, filled } from '../shared/typed-text.ts'
import { TEXTS } from './mandate-pages-messages.ts'
import { MANDATE_ADVICE, MANDATE_FAILURES } from './mandate-words.ts'

const STATES: Readonly<Record<Mandate['state'], readonly [words: Text | string, tone: Tone]>> = {
  pending: [TEXTS.waitingForCustomer, 'wait'],
  active: [DASHBOARD_WORDS.on, 'good'],
  paused: [TEXTS.suspended, 'bad'],
  cancelled: [TEXTS.cancelled, 'calm'],
  rejected: [TEXTS.refusedByCustomer, 'calm'],
  expired: [TEXTS.ended, 'calm'],
}
const INTERVALS: Readonly<Record<Mandate['interval'], Text | string>> = {
  weekly: DASHBOARD_WORDS.everyWeek,
  monthly: DASHBOARD_WORDS.everyMonth,
  yearly: TEXTS.everyYear,
  on_demand: TEXTS.atRequest,
}

const LIVE = ['mandate.'] as const

function columns(visit: Visit): readonly Column<Mandate>[] {
  return [
    {
      name: WORDS.customer,
      cell: ({ id, customer_tag }) => html`<a href="${visit.to(`mandates/${id}`)}">${theirs(`@${customer_tag}`)}</a>`,
    },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: WORDS.amount, isFigure: true, card: 'amount', cell: amountPart },
    { name: DASHBOARD_WORDS.frequency, card: 'about', cell: ({ interval }) => INTERVALS[interval] },
    { name: DASHBOARD_WORDS.nextTime, cell: ({ next_charge_at }) => dateText(next_charge_at) },
    { name: WORDS.payments, isFigure: true, cell: paymentsText },
    { name: WORDS.reference, cell: ({ reference }) => theirs(reference) },
  ]
}

function amountPart({ amount, max_amount, currency }: Mandate): Fragment {
  if (amount !== null) return money(amount, currency)
  return max_amount === null ? '—' : html`${TEXTS.atMost(money(max_amount, currency))}`
}

function paymentsText({ payments_count, max_payments }: Mandate): Fragment {
  return max_payments === null ? payments_count : html`${WORDS.of(payments_count, max_payments)}`
}

export const MANDATES: ListNoun<Mandate> = {
  place: 'mandates',
  title: WORDS.directDebits,
  path: 'mandates',
  operationId: 'listMandates',
  filters: [SEARCH, stateFilter(STATES), { name: 'customer_tag', label: TEXTS.customerTag }, { name: 'reference', label: WORDS.reference }],
  columns,
  csvFields: {
    id: true,
    customer_tag: true,
    state: true,
    amount: true,
    max_amount: true,
    currency: true,
    interval: true,
    next_charge_at: true,
    payments_count: true,
    max_payments: true,
    failed_attempts: true,
    reference: true,
    description: true,
    created_at: true,
    approved_at: true,
    cancelled_at: true,
    start_at: false,
    end_at: false,
    redirect_url: false,
    environment: false,
    token: false,
    approval_url: false,
  },
  csvWords: { interval: ({ interval }) => INTERVALS[interval] },
  counted: [TEXTS.directDebit, TEXTS.directDebits],
  empty: TEXTS.noDirectDebitsYet,
  live: LIVE,
  actions: (visit) => visit.button('createMandate', 'mandates/new', TEXTS.requestDirectDebit),
}

const FIELDS = ['customer_tag', 'interval', 'amount', 'max_amount', 'max_payments', 'reference', 'description'] as const

type MandateForm = Sent<(typeof FIELDS)[number]>

const NOTHING: MandateForm = {
  ...{ customer_tag: '', interval: 'monthly', amount: '', max_amount: '', max_payments: '', reference: '', description: '' },
}

export function mandateRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, MANDATES),
    pageRow(parts, {
      path: '/mandates/new',
      operationId: 'showMandateForm',
      needs: 'createMandate',
      summary: 'Ask for a mandate',
      show: (visit) => showForm(visit, NOTHING, null),
    }),
    formRow(parts, {
      ...{ path: '/mandates/new', operationId: 'sendMandate', needs: 'createMandate' },
      summary: 'Ask for a mandate',
      fields: FIELDS,
      act: create,
    }),
    pageRow(parts, { path: '/mandates/{id}', operationId: 'showMandate', summary: 'A mandate', show: (visit) => showMandate(visit, null) }),
    formRow(parts, {
      path: '/mandates/{id}/charge',
      operationId: 'sendMandateCharge',
      needs: 'chargeMandate',
      summary: 'Ask for a payment',
      fields: ['amount', 'reference'],
      act: charge,
    }),
    moveRow(parts, { path: '/mandates/{id}/collect', operationId: 'collectTestMandate', note: 'mandate_tried', ...MOVED }),
    moveRow(parts, { path: '/mandates/{id}/cancel', operationId: 'cancelMandate', note: 'mandate_cancelled', ...MOVED }),
  ]
}

const MOVED = {
  done: (visit: Visit) => `mandates/${visit.params[0]}`,
  again: (visit: Visit, error: ApiError) => showMandate(visit, error),
}

async function create(visit: Visit, sent: MandateForm & Sent<'key'>): Promise<void> {
  const { customer_tag, interval, reference, description, key } = sent
  const [amount, max_amount] = [amountOf(sent.amount, visit.currency), amountOf(sent.max_amount, visit.currency)]
  const max_payments = countOf(sent.max_payments)
  const body = filled({ customer_tag: customer_tag.trim(), interval, amount, max_amount, max_payments, reference, description })
  const answer = await visit.ask<Mandate>('createMandate', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo(`mandates/${answer.body.id}`, 'mandate_created')
  else showForm(visit, sent, answer.error)
}

async function charge(visit: Visit, sent: Sent<'amount' | 'reference' | 'key'>): Promise<void> {
  const body = filled({ amount: amountOf(sent.amount, visit.currency), reference: sent.reference })
  const answer = await visit.ask<MandatePayment>('chargeMandate', { params: visit.params, body, idempotencyKey: sent.key })
  if (answer.ok) visit.goTo(`mandates/${answer.body.mandate_id}`, 'mandate_charged')
  else await showMandate(visit, answer.error)
}

const SPELLING: Readonly<Record<string, Text | string>> = {
  max_payments: DASHBOARD_WORDS.typeWholeNumberFrom1,
  customer_tag: TEXTS.noWalletHasIdentifier,
}

function showForm(visit: Visit, form: MandateForm, error: ApiError | null): void {
  const param = error?.code === 'amount_required' ? 'amount' : error?.code === 'customer_not_found' ? 'customer_tag' : error?.param
  const wanted = wantedAmount(visit.currency)
  const amounts = { amount: DASHBOARD_WORDS.typeAmountOrNone(wanted), max_amount: TEXTS.typeAmountAtLeast(wanted) }
  const spelling: typeof SPELLING = { ...SPELLING, ...amounts }
  const about = (name: string): Text | string | null =>
    error === null || param !== name ? null : error.code === 'invalid_request' ? (spelling[name] ?? error.message) : error.message
  const isElsewhere = error !== null && !(FIELDS as readonly string[]).includes(param ?? '')
  const symbol = currencySymbol(visit.currency)
  const body = html`${heading(TEXTS.requestDirectDebitAuthorisation)}
<p>${TEXTS.customerAgreesOnceWithPin}</p>
<form class="form card" method="post" action="${visit.to('mandates/new')}" novalidate>${formStart(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'customer_tag', label: TEXTS.customerTag, hint: TEXTS.tagCustomersWalletForExample, value: form.customer_tag, maxLength: 21, error: about('customer_tag') })}
${selectField(
  'interval',
  DASHBOARD_WORDS.frequency,
  MANDATE_INTERVALS.map((value) => ({ value, words: INTERVALS[value] })),
  form.interval,
)}
${formField({ name: 'amount', label: TEXTS.amountEachPayment(symbol), hint: TEXTS.withFrequencyItDebitedBy, value: form.amount, maxLength: 20, isRequired: false, inputMode: amountKeyboard(visit.currency), error: about('amount') })}
${formField({ name: 'max_amount', label: TEXTS.maximumPeriod(symbol), hint: TEXTS.requiredWhenAmountEmpty, value: form.max_amount, maxLength: 20, isRequired: false, inputMode: amountKeyboard(visit.currency), error: about('max_amount') })}
${formField({ name: 'max_payments', label: DASHBOARD_WORDS.maximumNumberPayments, hint: TEXTS.leaveItEmptyForNo, value: form.max_payments, maxLength: 10, isRequired: false, inputMode: 'numeric', error: about('max_payments') })}
${formField({ name: 'reference', label: DASHBOARD_WORDS.reference, hint: TEXTS.contractNumberEachPaymentRepeats, value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
${areaField({ name: 'description', label: WORDS.description, hint: TEXTS.customerReadsItBeforeAgreeing, value: form.description, rows: 2, error: about('description') })}
<button type="submit">${TEXTS.sendRequest}</button>
</form>`
  visit.show({ title: TEXTS.requestDirectDebit, place: 'mandates', body }, error === null ? 200 : 400)
}

async function showMandate(visit: Visit, error: ApiError | null): Promise<void> {
  const { params } = visit
  const [answer, paid] = await Promise.all([
    visit.ask<Mandate>('getMandate', { params }),
    visit.ask<{ readonly data: readonly MandatePayment[] }>('listMandateCharges', { params, query: { limit: '50' } }),
  ])
  if (!answer.ok) return visit.missing()
  const mandate = answer.body
  const body = html`${live('title', heading(html`${TEXTS.directDebits2(theirs(`@${mandate.customer_tag}`))}`, badge(...STATES[mandate.state])))}
${failure(error)}
${live('advice', advicePart(visit, mandate))}
${live('facts', factList(mandate))}
${live('actions', actions(visit, mandate))}
<section><h2>${WORDS.payments}</h2>${live('payments', table(WORDS.payments, paymentColumns(visit), paid.ok ? paid.body.data : [], TEXTS.noPaymentsYet))}</section>`
  visit.show({ title: WORDS.directDebits, place: 'mandates', live: LIVE, body }, error === null ? 200 : 409)
}

function advicePart(visit: Visit, { state, approval_url }: Mandate): Fragment {
  const advice = MANDATE_ADVICE[state]
  const { principal, call } = visit
  const said = TEXTS.asksForConsentDirectDebits(principal.merchant.name, approval_url)
  return (
    advice !== undefined &&
    html`<section class="card"><p>${advice}</p>${addressField('approval', TEXTS.linkAgreementSendCustomer, approval_url)}
<div class="actions">${copyButton('approval', DASHBOARD_WORDS.copyAddress)}
${shareLinks(said.in(languageOf(call).language))}</div></section>`
  )
}

function factList(mandate: Mandate): Html {
  return facts([
    [WORDS.amount, amountPart(mandate)],
    [TEXTS.maximum, mandate.amount !== null && mandate.max_amount !== null && money(mandate.max_amount, mandate.currency)],
    [DASHBOARD_WORDS.frequency, INTERVALS[mandate.interval]],
    [DASHBOARD_WORDS.nextTime, mandate.next_charge_at !== null && dateText(mandate.next_charge_at)],
    [WORDS.payments, paymentsText(mandate)],
    [TEXTS.failuresInRow, mandate.failed_attempts > 0 && mandate.failed_attempts],
    [WORDS.description, theirs(mandate.description)],
    [WORDS.reference, theirs(mandate.reference)],
    [TEXTS.start, mandate.start_at !== null && dateText(mandate.start_at)],
    [WORDS.end, mandate.end_at !== null && dateText(mandate.end_at)],
    [TEXTS.requested, dateText(mandate.created_at)],
    [TEXTS.agreementCustomer, mandate.approved_at !== null && dateText(mandate.approved_at)],
    [TEXTS.cancelled, mandate.cancelled_at !== null && dateText(mandate.cancelled_at)],
    [WORDS.identifier, mandate.id],
  ])
}

function actions(visit: Visit, mandate: Mandate): Fragment {
  const { id, state, amount, interval } = mandate
  if (state !== 'pending' && state !== 'active' && state !== 'paused') return null
  const here = visit.to(`mandates/${id}`)
  const collectsItself = amount !== null && interval !== 'on_demand'
  return html`${state === 'active' && !collectsItself && chargeForm(visit, here, mandate)}
<div class="actions">
${state === 'active' && collectsItself && visit.environment === 'test' && actionButton(visit, `${here}/collect`, TEXTS.debitNowTest)}
${confirmedAction(visit, `${here}/cancel`, { ask: TEXTS.cancelAuthorisation, warn: TEXTS.finalNothingMoreWillBe, go: TEXTS.cancelAuthorisation })}
</div>`
}

function chargeForm(visit: Visit, here: string, { amount, max_amount, currency }: Mandate): Html {
  if (!visit.maySend(`${here}/charge`)) return html``
  const most = max_amount ?? amount
  return html`<form class="form card" method="post" action="${here}/charge" novalidate>${formStart(visit)}
<h2>${TEXTS.debit}</h2>
${formField({ name: 'amount', label: DASHBOARD_WORDS.amountIn(currencySymbol(currency)), hint: most !== null && html`${TEXTS.atMostCustomerDebitedAt(money(most, currency))}`, value: amount === null ? '' : amountInput(amount, currency), maxLength: 20, inputMode: amountKeyboard(currency) })}
${formField({ name: 'reference', label: TEXTS.referencePayment, maxLength: 255, isRequired: false })}
<button type="submit">${TEXTS.debit}</button></form>`
}

const PAYMENT_STATES: Readonly<Record<MandatePayment['state'], readonly [words: Text | string, tone: Tone]>> = {
  paid: [DASHBOARD_WORDS.paid4, 'good'],
  failed: [DASHBOARD_WORDS.failed, 'bad'],
}
function paymentColumns(visit: Visit): readonly Column<MandatePayment>[] {
  const date = ({ transaction_id, created_at }: MandatePayment): Fragment =>
    transaction_id === undefined
      ? dateText(created_at)
      : html`<a href="${visit.to('transactions')}?q=${transaction_id}">${dateText(created_at)}</a>`
  return [
    { name: WORDS.date, cell: date },
    { name: WORDS.amount, isFigure: true, card: 'amount', cell: ({ amount, currency }) => money(amount, currency) },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...PAYMENT_STATES[state]) },
    { name: WORDS.reason, cell: ({ failure_code }) => (failure_code === undefined ? theirs(null) : MANDATE_FAILURES[failure_code]) },
    { name: WORDS.reference, cell: ({ reference }) => theirs(reference) },
  ]
}
