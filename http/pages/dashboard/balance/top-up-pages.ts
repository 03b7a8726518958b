// Top-ups in the dashboard: announce money, see how to send it, cancel; in test, confirm it as an operator would.

import { TOP_UP_KINDS, type TopUp } from '../../../../engine/contract/top-up.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { amountKeyboard, currencySymbol, wantedAmount } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH, stateFilter } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import {
  actionButton,
  badge,
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
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { receiptLink } from '../shared/receipt.ts'
import { moveRow } from '../shared/record-moves.ts'
import { copyable } from '../shared/share-links.ts'
import { amountOf, filled } from '../shared/typed-text.ts'
import { TEXTS } from './top-up-pages-messages.ts'
import { DESTINATION_NAMES } from './withdrawal-account-pages.ts'

const STATES: Readonly<Record<TopUp['state'], readonly [words: Text | string, tone: Tone]>> = {
  requested: [TEXTS.waitingForTransfer, 'wait'],
  confirmed: [DASHBOARD_WORDS.credited, 'good'],
  refused: [WORDS.refused, 'bad'],
  cancelled: [WORDS.cancelled, 'calm'],
}

const LIVE = ['top_up.'] as const

export const TOP_UPS: ListNoun<TopUp> = {
  place: 'top-ups',
  title: WORDS.topUps,
  path: 'top-ups',
  operationId: 'listTopUps',
  filters: [SEARCH, stateFilter(STATES), { name: 'reference', label: DASHBOARD_WORDS.reference }],
  columns: (visit) => [
    { name: WORDS.date, cell: ({ id, created_at }) => html`<a href="${visit.to(`top-ups/${id}`)}">${dateText(created_at)}</a>` },
    {
      name: WORDS.amount,
      card: 'amount',
      isFigure: true,
      cell: ({ amount, confirmed_amount, currency }) => money(confirmed_amount ?? amount, currency),
    },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: WORDS.paymentReference, cell: ({ payment_reference }) => payment_reference },
    { name: DASHBOARD_WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: {
    id: true,
    created_at: true,
    state: true,
    amount: true,
    confirmed_amount: true,
    currency: true,
    payment_reference: true,
    reference: true,
    reason: true,
    finished_at: true,
    settlement_reference: false,
    transaction_id: false,
    environment: false,
    instructions: false,
  },
  counted: [TEXTS.topUp, TEXTS.topUps],
  total: ({ state, amount, confirmed_amount }) => ({ group: STATES[state][0], amount: confirmed_amount ?? amount }),
  empty: TEXTS.noTopUpsYet,
  live: LIVE,
  actions: (visit) => visit.button('createTopUp', 'top-ups/new', DASHBOARD_WORDS.topUp),
}

const FIELDS = ['amount', 'kind', 'reference'] as const

const KINDS = TOP_UP_KINDS.map((value) => ({ value, words: DESTINATION_NAMES[value] }))

type TopUpForm = Sent<(typeof FIELDS)[number]>

export function topUpRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, TOP_UPS),
    pageRow(parts, {
      path: '/top-ups/new',
      operationId: 'showTopUpForm',
      needs: 'createTopUp',
      summary: 'Announce money',
      show: (visit) => showForm(visit, { amount: '', kind: 'bank', reference: '' }, null),
    }),
    formRow(parts, {
      path: '/top-ups/new',
      operationId: 'sendTopUp',
      needs: 'createTopUp',
      summary: 'Announce money',
      fields: FIELDS,
      act: createTopUp,
    }),
    pageRow(parts, { path: '/top-ups/{id}', operationId: 'showTopUp', summary: 'A top-up', show: (visit) => showTopUp(visit, null) }),
    moveRow(parts, { path: '/top-ups/{id}/cancel', operationId: 'cancelTopUp', note: 'top_up_cancelled', ...MOVED }),
    moveRow(parts, { path: '/top-ups/{id}/confirm', operationId: 'confirmTestTopUp', note: 'top_up_confirmed', body: {}, ...MOVED }),
  ]
}

const MOVED = {
  done: (visit: Visit) => `top-ups/${visit.params[0]}`,
  again: (visit: Visit, error: ApiError) => showTopUp(visit, error),
}

async function createTopUp(visit: Visit, { amount, kind, reference, key }: TopUpForm & Sent<'key'>): Promise<void> {
  const body = filled({ amount: amountOf(amount, visit.currency), kind, reference })
  const answer = await visit.ask<TopUp>('createTopUp', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo(`top-ups/${answer.body.id}`, answer.replayed ? undefined : 'top_up_created')
  else showForm(visit, { amount, kind, reference }, answer.error)
}

function showForm(visit: Visit, form: TopUpForm, error: ApiError | null): void {
  const isElsewhere = error !== null && error.param !== 'amount' && error.param !== 'reference'
  const { bank, mobile_money } = visit.app.topUpInstructions
  const hasKinds = bank !== mobile_money
  const wanted = DASHBOARD_WORDS.typeAmount(wantedAmount(visit.currency))
  const about = (name: string): Text | string | null => (error?.param === name ? (name === 'amount' ? wanted : error.message) : null)
  const body = html`${heading(TEXTS.topUpAccount)}
<p>${TEXTS.announceAmountThenSendMoney}</p>
<form class="form card" method="post" action="${visit.to('top-ups/new')}" novalidate>${formStart(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'amount', label: DASHBOARD_WORDS.amountIn(currencySymbol(visit.currency)), value: form.amount, maxLength: 20, inputMode: amountKeyboard(visit.currency), error: about('amount') })}
${hasKinds && selectField('kind', TEXTS.howSent, KINDS, form.kind)}
${formField({ name: 'reference', label: DASHBOARD_WORDS.reference, value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
<button type="submit">${WORDS.continue}</button>
</form>`
  visit.show({ title: DASHBOARD_WORDS.topUp, place: 'top-ups', body }, error === null ? 200 : 400)
}

async function showTopUp(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<TopUp>('getTopUp', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const topUp = answer.body
  const { state, reason, confirmed_amount, finished_at, settlement_reference } = topUp
  const body = html`${live('title', heading(html`${TEXTS.topUp2(money(topUp.amount, topUp.currency))}`, badge(...STATES[state])))}
${failure(error)}
${live(
  'outcome',
  html`${state === 'requested' && waitingPart(visit, topUp)}
${reason !== null && html`<p class="error">${TEXTS.refusedCorrectItThenAnnounce(reason)}</p>`}`,
)}
${live(
  'facts',
  facts([
    [TEXTS.announcedAmount, money(topUp.amount, topUp.currency)],
    [DASHBOARD_WORDS.creditedAmount, confirmed_amount !== null && money(confirmed_amount, topUp.currency)],
    [WORDS.paymentReference, topUp.payment_reference],
    [DASHBOARD_WORDS.reference, theirs(topUp.reference)],
    [WORDS.referenceReceivedTransfer, settlement_reference !== null && theirs(settlement_reference)],
    [DASHBOARD_WORDS.requestedOn, dateText(topUp.created_at)],
    [DASHBOARD_WORDS.endedOn, finished_at !== null && dateText(finished_at)],
    [WORDS.identifier, copyable('id', topUp.id)],
  ]),
)}
${live('actions', state === 'confirmed' && html`<div class="actions">${receiptLink(visit, `top-ups/${topUp.id}`)}</div>`)}`
  visit.show({ title: DASHBOARD_WORDS.topUp2, place: 'top-ups', live: LIVE, body }, error === null ? 200 : 409)
}

function waitingPart(visit: Visit, { id, payment_reference, instructions }: TopUp): Html {
  const here = visit.to(`top-ups/${id}`)
  return html`<section class="card"><h2>${TEXTS.sendMoney}</h2>
${instructions.split('\n').map((line) => html`<p><bdi>${line}</bdi></p>`)}
<p>${TEXTS.referenceWriteInRemittanceText(copyable('payment-reference', payment_reference))}</p></section>
<div class="actions">${visit.environment === 'test' && actionButton(visit, `${here}/confirm`, TEXTS.confirmReceiptTest, 'strong')}
${confirmedAction(visit, `${here}/cancel`, { ask: DASHBOARD_WORDS.cancel, warn: TEXTS.moneyHaveAlreadySentWould, go: DASHBOARD_WORDS.cancelRequest })}</div>`
}
