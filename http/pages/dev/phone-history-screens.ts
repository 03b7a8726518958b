// The history of the simulated phone: statement lines with filters, and one transaction with its receipt.

import { TRANSACTION_TYPES, type Transaction, type TransactionDetail } from '../../../engine/contract/transaction.ts'
import type { Route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { HISTORY_SHOWN_MAX } from './dev-limits.ts'
import { DEV_WORDS } from './dev-words.ts'
import { TEXTS } from './phone-history-screens-messages.ts'
import { bigAmount, LINE_NAMES, lineRow, receipt, ticket, when } from './phone-parts.ts'
import { openProblem, problemPart } from './phone-problem.ts'
import { formRow, type PhoneVisit, screenRow, type VisitParts } from './phone-visit.ts'

export function historyRows(parts: VisitParts): readonly Route[] {
  return [
    screenRow(parts, { path: '/history', operationId: 'showPhoneHistory', summary: 'Statement lines', show: showHistory }),
    formRow(parts, {
      path: '/history/{id}/problem',
      operationId: 'openPhoneProblem',
      summary: 'The form: a problem with a payment',
      fields: ['reason', 'text'],
      act: openProblem,
    }),
    screenRow(parts, { path: '/history/{id}', operationId: 'showPhoneReceipt', summary: 'A transaction', show: showReceipt }),
  ]
}

interface Page {
  readonly data: readonly Transaction[]
  readonly next_cursor: string | null
}

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/
const DAY_MS = 86_400_000

async function showHistory(visit: PhoneVisit): Promise<void> {
  const { query } = visit
  const typed = (name: string): string => (query.get(name) ?? '').trim()
  const answer = await visit.ask<Page>('listMyTransactions', { query: apiQuery(typed) })
  if (!answer.ok && answer.error.code === 'unauthorized') return visit.goTo('')
  const { data, next_cursor } = answer.ok ? answer.body : { data: [], next_cursor: null }
  const isFiltered = ['type', 'q', 'from', 'to'].some((name) => typed(name) !== '')
  const empty = isFiltered ? TEXTS.noMovementMatches : DEV_WORDS.noMovementsYet
  const body = html`<section class="card" aria-labelledby="titre">
<h1 id="titre">${DEV_WORDS.history}</h1>
${filters(typed)}
${!answer.ok && html`<p class="error" role="alert">${answer.error.message}</p>`}
${data.length === 0 ? html`<p class="hint">${empty}</p>` : html`<ol class="lines">${data.map((line) => lineRow('history', line))}</ol>`}
${next_cursor !== null && html`<p class="back"><a class="alone" href="history?${nextQuery(query, next_cursor)}">${TEXTS.olderMovements}</a></p>`}
</section>`
  visit.show({ title: DEV_WORDS.history, here: 'history', body })
}

/** Days are those of UTC, which are the local days of Abidjan and Dakar. The last day is included. */
function apiQuery(typed: (name: string) => string): Record<string, string> {
  const [from, to] = [typed('from'), typed('to')]
  const asked = {
    type: typed('type'),
    q: typed('q'),
    cursor: typed('cursor'),
    created_from: DAY.test(from) ? `${from}T00:00:00.000Z` : from,
    created_to: DAY.test(to) && !Number.isNaN(Date.parse(to)) ? new Date(Date.parse(to) + DAY_MS).toISOString() : to,
  }
  return { limit: String(HISTORY_SHOWN_MAX), ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== '')) }
}

function nextQuery(query: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(query)
  next.set('cursor', cursor)
  return next.toString()
}

function filters(typed: (name: string) => string): Html {
  const day = (name: string, label: Text | string): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${typed(name)}"></div>`
  return html`<details class="filters"${['type', 'q', 'from', 'to'].some((name) => typed(name) !== '') && html` open`}><summary>${WORDS.filter}</summary>
<form class="form" method="get" action="history">
<div class="field"><label for="type">${WORDS.type}</label><select id="type" name="type"><option value="">${WORDS.all}</option>${TRANSACTION_TYPES.map(
    (type) => html`<option value="${type}"${typed('type') === type && html` selected`}>${LINE_NAMES[type]}</option>`,
  )}</select></div>
${formField({ name: 'q', label: TEXTS.referenceTagOrIdentifier, value: typed('q'), maxLength: 100, isRequired: false })}
<div class="pair">${day('from', WORDS.from)}${day('to', TEXTS.to)}</div>
<button type="submit">${WORDS.filter}</button>
</form></details>`
}

/** Texts above the receipt after a form that moved money. */
const DONE: Readonly<Record<string, Text | string>> = { sent: TEXTS.moneySent, paid: WORDS.paidBill }

async function showReceipt(visit: PhoneVisit): Promise<void> {
  const answer = await visit.ask<TransactionDetail>('getMyTransaction', { params: [visit.param(0)] })
  if (!answer.ok) return visit.refuse(answer.error, 'history')
  const { type, amount, fee, currency, counterparty, reference, balance_after, created_at, id } = answer.body
  const done = DONE[visit.query.get('ok') ?? '']
  const body = html`${ticket(titleOf(answer.body), bigAmount(amount, currency), done !== undefined && html`<p class="words" role="status">${done}</p>`)}
<section class="card narrow" aria-labelledby="recu"><h2 id="recu">${WORDS.receipt}</h2>
${receipt([
  [WORDS.type, LINE_NAMES[type]],
  [amount < 0 ? TEXTS.to2 : WORDS.from2, counterparty !== null && html`<bdi>${counterparty}</bdi>`],
  [WORDS.date, when(created_at)],
  [WORDS.reference, reference !== '' && html`<bdi>${reference}</bdi>`],
  [WORDS.fee, fee > 0 && amountText(fee, currency)],
  [WORDS.balanceAfter, amountText(balance_after - fee, currency)],
  [WORDS.identifier, html`<span class="long">${id}</span>`],
])}
<p class="back"><a class="alone" href="../history">${TEXTS.wholeHistory}</a></p>
</section>
${await problemPart(visit, answer.body)}`
  visit.show({ title: WORDS.receipt, here: 'history', body })
}

function titleOf({ amount, type, counterparty }: TransactionDetail): Fragment {
  if (counterparty === null) return LINE_NAMES[type]
  return amount < 0 ? html`${TEXTS.to3(LINE_NAMES[type], counterparty)}` : html`${TEXTS.from(LINE_NAMES[type], counterparty)}`
}
