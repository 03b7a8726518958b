// Messages of customers about their payments: the list, and one of them with the form of its answer. A refund is on the page of the payment.
import type { Problem } from '../../../../engine/contract/problem.ts'
import type { Route } from '../../../server/route.ts'
import { PAYMENT_REASON_WORDS } from '../../../text/payment-reason-words.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH, stateFilter } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import {
  areaField,
  badge,
  dateText,
  facts,
  failure,
  formStart,
  heading,
  live,
  money,
  type Tone,
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './problem-pages-messages.ts'

const STATES: Readonly<Record<Problem['state'], readonly [words: Text | string, tone: Tone]>> = {
  open: [TEXTS.waitsForAnswer, 'wait'],
  answered: [TEXTS.answered, 'good'],
  refunded: [DASHBOARD_WORDS.refunded2, 'calm'],
}

const LIVE = ['problem.', 'charge.refunded'] as const

export const PROBLEMS: ListNoun<Problem> = {
  place: 'problems',
  title: TEXTS.messages,
  path: 'problems',
  operationId: 'listProblems',
  filters: [SEARCH, stateFilter(STATES)],
  columns: (visit) => [
    { name: WORDS.date, cell: ({ id, created_at }) => html`<a href="${visit.to(`problems/${id}`)}">${dateText(created_at)}</a>` },
    { name: WORDS.reason, card: 'about', cell: ({ reason }) => PAYMENT_REASON_WORDS[reason] },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: ({ amount, currency }) => money(amount, currency) },
    { name: WORDS.customer, card: 'about', cell: ({ customer_tag }) => theirs(`@${customer_tag}`) },
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: {
    id: true,
    state: true,
    transaction_id: true,
    reference: true,
    amount: true,
    currency: true,
    customer_tag: true,
    reason: true,
    text: true,
    answer: true,
    created_at: true,
    answered_at: true,
    payment: false,
    charge_token: false,
    mandate_id: false,
    environment: false,
    merchant_name: false,
  },
  csvWords: { reason: ({ reason }) => PAYMENT_REASON_WORDS[reason] },
  counted: [TEXTS.message, TEXTS.messagesCounted],
  empty: TEXTS.noMessages,
  live: LIVE,
}

export function problemRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, PROBLEMS),
    pageRow(parts, {
      path: '/problems/{id}',
      operationId: 'showProblem',
      needs: 'getProblem',
      summary: 'A message of a customer',
      show: (visit) => showProblem(visit, '', null),
    }),
    formRow(parts, {
      path: '/problems/{id}/answer',
      operationId: 'sendProblemAnswer',
      needs: 'answerProblem',
      summary: 'Answer a customer',
      fields: ['text'],
      act: async (visit, { text, key }) => {
        const answer = await visit.ask('answerProblem', { params: visit.params, idempotencyKey: key, body: { text } })
        if (answer.ok) visit.goTo(`problems/${visit.params[0]}`, 'problem_answered')
        else await showProblem(visit, text, answer.error)
      },
    }),
  ]
}

async function showProblem(visit: Visit, typed: string, error: ApiError | null): Promise<void> {
  const found = await visit.ask<Problem>('getProblem', { params: visit.params })
  if (!found.ok) return visit.missing()
  const problem = found.body
  const { customer_tag, reason, text, answer, state } = problem
  const body = html`${live('title', heading(PAYMENT_REASON_WORDS[reason], badge(...STATES[state])))}
${failure(error?.param === 'text' ? null : error)}
<section class="card"><h2>${TEXTS.fromCustomer(html`<bdi>@${customer_tag}</bdi>`)}</h2><p class="words">${text === '' ? TEXTS.noText : theirs(text)}</p></section>
${live('answer', answer !== null && html`<section class="card"><h2>${TEXTS.yourAnswer}</h2><p class="words">${theirs(answer)}</p></section>`)}
${live(
  'facts',
  facts([
    [WORDS.payment, html`<a href="${visit.to(paymentPath(problem))}">${money(problem.amount, problem.currency)}</a>`],
    [WORDS.reference, theirs(problem.reference)],
    [TEXTS.written, dateText(problem.created_at)],
    [TEXTS.answered, problem.answered_at !== null && dateText(problem.answered_at)],
  ]),
)}
${state === 'open' && answerForm(visit, problem, typed, error)}`
  visit.show({ title: TEXTS.message, place: 'problems', live: LIVE, body }, error === null ? 200 : error.param === 'text' ? 400 : 409)
}

function answerForm(visit: Visit, problem: Problem, typed: string, error: ApiError | null): Fragment {
  const action = visit.to(`problems/${problem.id}/answer`)
  if (!visit.maySend(action)) return null
  const fault = error?.param === 'text' ? error.message : null
  return html`<form class="form card" method="post" action="${action}" novalidate>${formStart(visit)}
${areaField({ name: 'text', label: TEXTS.yourAnswer, hint: TEXTS.customerReadsIt, value: typed, rows: 4, error: fault })}
<div class="actions"><button type="submit">${TEXTS.sendAnswer}</button>${refundLink(visit, problem)}</div>
</form>`
}

/** A refund answers too: it ends the message. A payment of a direct debit cannot be refunded. */
function refundLink(visit: Visit, problem: Problem): Html | null {
  if (problem.payment === 'mandate') return null
  return html`<a class="button quiet" href="${visit.to(paymentPath(problem))}">${TEXTS.seePaymentToRefund}</a>`
}

function paymentPath({ payment, charge_token, mandate_id, transaction_id }: Problem): string {
  if (payment === 'charge') return `charges/${charge_token}`
  return payment === 'bill' ? `bills/${transaction_id}` : `mandates/${mandate_id}`
}
