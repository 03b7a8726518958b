// A problem with a payment on the simulated phone: the form, what was sent, and the answer. The wallet API decides.
import { PAYMENT_REASONS, REASON_TEXT_LENGTH_MAX } from '../../../engine/contract/payment-reason.ts'
import type { Problem } from '../../../engine/contract/problem.ts'
import type { TransactionDetail } from '../../../engine/contract/transaction.ts'
import { PAYMENT_REASON_WORDS } from '../../text/payment-reason-words.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { errorOf, formError, formStart, receipt, when } from './phone-parts.ts'
import type { Tried } from './phone-progress.ts'
import { type PhoneVisit, triedError } from './phone-visit.ts'

const TEXTS = texts({
  fr: {
    problemWithPayment: 'Un problème avec ce paiement ?',
    noMoneyMoves: 'Votre message va au marchand. Aucun argent ne bouge de lui-même : le marchand répond ou rembourse.',
    message: 'Message (facultatif)',
    said: 'Message',
    send: 'Envoyer au marchand',
    writeAgain: 'Écrire de nouveau',
    yourMessage: 'Votre message au marchand',
    sentOn: 'Envoyé',
    answer: 'Réponse',
    waits: 'Le marchand n’a pas encore répondu.',
    refunded: 'Le paiement est remboursé.',
  },
  en: {
    problemWithPayment: 'A problem with this payment?',
    noMoneyMoves: 'Your message goes to the merchant. No money moves by itself: the merchant answers or refunds.',
    message: 'Message (optional)',
    said: 'Message',
    send: 'Send to the merchant',
    writeAgain: 'Write again',
    yourMessage: 'Your message to the merchant',
    sentOn: 'Sent',
    answer: 'Answer',
    waits: 'The merchant has not answered yet.',
    refunded: 'The payment was refunded.',
  },
})

const PAYMENTS: ReadonlySet<TransactionDetail['type']> = new Set(['charge', 'bill', 'mandate'])

/** Renders the problem of a payment and its form; nothing for another transaction. */
export async function problemPart(visit: PhoneVisit, { id, type, amount }: TransactionDetail): Promise<Fragment> {
  if (!PAYMENTS.has(type) || amount > 0) return null
  const answer = await visit.ask<Problem>('getMyProblem', { params: [id] })
  const problem = answer.ok ? answer.body : null
  const tried = visit.tried(`/history/${id}`)
  const mayWrite = problem === null || problem.state === 'answered'
  return html`${problem !== null && sentMessage(problem)}${mayWrite && form(id, problem === null, tried)}`
}

function sentMessage({ state, reason, text, answer, created_at }: Problem): Html {
  return html`<section class="card narrow" aria-labelledby="message-titre"><h2 id="message-titre">${TEXTS.yourMessage}</h2>
${receipt([
  [WORDS.reason, PAYMENT_REASON_WORDS[reason]],
  [TEXTS.said, text !== '' && html`<bdi>${text}</bdi>`],
  [TEXTS.sentOn, when(created_at)],
  [TEXTS.answer, answer !== null && html`<bdi>${answer}</bdi>`],
])}
${state !== 'answered' && html`<p role="status">${state === 'open' ? TEXTS.waits : TEXTS.refunded}</p>`}
</section>`
}

function form(id: string, isFirst: boolean, tried: Tried): Html {
  const reason = tried.values.reason ?? ''
  return html`<section class="card narrow"><details${tried.error !== null && html` open`}><summary>${isFirst ? TEXTS.problemWithPayment : TEXTS.writeAgain}</summary>
<form class="form" method="post" action="${id}/problem">${formStart(tried.key)}
<p class="hint">${TEXTS.noMoneyMoves}</p>
${formError(tried)}
<div class="field"><label for="reason">${WORDS.reason}</label><select id="reason" name="reason">${PAYMENT_REASONS.map(
    (one) => html`<option value="${one}"${one === reason && html` selected`}>${PAYMENT_REASON_WORDS[one]}</option>`,
  )}</select></div>
${formField({ name: 'text', label: TEXTS.message, value: tried.values.text ?? '', maxLength: REASON_TEXT_LENGTH_MAX, isRequired: false, error: errorOf(tried, 'text') })}
<button type="submit">${TEXTS.send}</button></form></details></section>`
}

export async function openProblem(visit: PhoneVisit, sent: Readonly<Record<'reason' | 'text' | 'key', string>>): Promise<void> {
  const id = visit.param(0)
  const path = `/history/${id}`
  const { reason, text, key } = sent
  const answer = await visit.ask('openMyProblem', { params: [id], idempotencyKey: key, body: { reason, text } })
  if (answer.ok) return visit.goTo(path)
  visit.again(path, { key, values: { reason, text }, error: triedError(answer.error, { text: 'text' }) })
}
