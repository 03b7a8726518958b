// The counter: one amount, one code, and one word that a customer reads three metres away. For a phone or tablet at the till. Its script
// adds the pad, the sound and the payment without a reload; a keyboard and a link do without it.

import type { Charge } from '../../../../engine/contract/charge.ts'
import { decimalsOf } from '../../../../engine/kernel/currency.ts'
import type { Route } from '../../../server/route.ts'
import { amountKeyboard, amountText, currencySymbol, wantedAmount } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Html, html } from '../../shared/html.ts'
import { actionButton, failure, formStart, live, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { moveRow } from '../shared/record-moves.ts'
import { amountOf } from '../shared/typed-text.ts'
import { CHARGE_STATES } from './charge-pages.ts'
import { TEXTS } from './counter-pages-messages.ts'

const PAD = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '000', '0'] as const
const DECIMAL_PAD = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ',', '0'] as const

export function counterRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/counter',
      operationId: 'showCounter',
      needs: 'createCharge',
      summary: 'The counter',
      show: (visit) => showPad(visit, '', null),
    }),
    formRow(parts, {
      path: '/counter',
      operationId: 'sendCounterCharge',
      needs: 'createCharge',
      summary: 'Collect at the counter',
      fields: ['amount'],
      act: collect,
    }),
    pageRow(parts, {
      path: '/counter/{token}',
      operationId: 'showCounterCharge',
      needs: 'getCharge',
      summary: 'A payment at the counter',
      show: (visit) => showCharge(visit, null),
    }),
    moveRow(parts, {
      path: '/counter/{token}/cancel',
      operationId: 'cancelCharge',
      note: 'charge_cancelled',
      done: () => 'counter',
      again: showCharge,
    }),
  ]
}

async function collect(visit: Visit, { amount, key }: Sent<'amount' | 'key'>): Promise<void> {
  const answer = await visit.ask<Charge>('createCharge', { body: { amount: amountOf(amount, visit.currency) }, idempotencyKey: key })
  if (answer.ok) visit.goTo(`counter/${answer.body.token}`)
  else showPad(visit, amount, answer.error)
}

function showPad(visit: Visit, amount: string, error: ApiError | null): void {
  const { currency } = visit
  const isAmount = error?.param === 'amount'
  const keys = decimalsOf(currency) === 0 ? PAD : DECIMAL_PAD
  const body = html`<div class="counter"><h1 class="unseen">${TEXTS.counter}</h1>
<form class="form" method="post" action="${visit.to('counter')}" novalidate>${formStart(visit)}
${failure(isAmount ? null : error)}
${formField({ name: 'amount', label: TEXTS.amountToCollect(currencySymbol(currency)), value: amount, maxLength: 15, inputMode: amountKeyboard(currency), hasFocus: true, error: isAmount ? DASHBOARD_WORDS.typeAmount(wantedAmount(currency)) : null })}
<div class="pad" data-pad="amount" hidden>${keys.map((digit) => html`<button class="quiet" type="button" data-digit="${digit}">${digit}</button>`)}<button class="quiet" type="button" data-digit="" aria-label="${TEXTS.erase}">⌫</button></div>
<button type="submit">${TEXTS.collect}</button></form>
${soundButton()}</div>`
  visit.show({ title: TEXTS.counter, place: 'counter', body }, error === null ? 200 : 400)
}

/** The button plays the sound, and so lets the browser play it again when the payment comes. */
function soundButton(): Html {
  return html`<button class="quiet" type="button" data-sound hidden>${TEXTS.trySound}</button>`
}

async function showCharge(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Charge>('getCharge', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const body = html`<div class="counter" data-awaits-payment>${failure(error)}${live('title', stateOf(visit, answer.body))}${soundButton()}</div>`
  visit.show({ title: TEXTS.counter, place: 'counter', live: ['charge.'], body }, error === null ? 200 : 409)
}

function stateOf(visit: Visit, charge: Charge): Html {
  const { token, amount, currency, state, payer_tag } = charge
  const next = html`<a class="button" href="${visit.to('counter')}">${TEXTS.nextCustomer}</a>`
  if (state === 'pending') {
    return html`<h1 class="counter-sum">${amountText(amount, currency)}</h1><p>${TEXTS.customerScansCode}</p>
<img class="code" src="${visit.to(`charges/${token}`)}/qr.svg" width="320" height="320" alt="${DASHBOARD_WORDS.qrCodePaymentAddress}">
<noscript><p><a href="${visit.to(`counter/${token}`)}">${TEXTS.reload}</a></p></noscript>
<div class="actions">${actionButton(visit, visit.to(`counter/${token}/cancel`), TEXTS.cancel)}</div>`
  }
  if (state !== 'paid')
    return html`<h1 class="counter-sum">${amountText(amount, currency)}</h1><p class="error">${TEXTS.notPaid(CHARGE_STATES[state][0])}</p>${next}`
  return html`<div class="paid-screen" role="status"><h1>${TEXTS.paid}</h1><p class="counter-sum">${amountText(amount, currency)}</p>
${payer_tag !== null && html`<p>${TEXTS.by(theirs(`@${payer_tag}`))}</p>`}${next}</div>`
}
