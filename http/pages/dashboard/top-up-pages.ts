// Top-ups in the dashboard: announce money, see how to send it, cancel; in test, confirm it as an operator would.
import type { TopUp } from '../../../engine/contract/top-up.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Html, html, titleOf } from '../html.ts'
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
  type Tone,
  theirs,
} from './dashboard-parts.ts'
import { SEARCH } from './list-filters.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { receiptLink } from './receipt.ts'
import { moveRow } from './record-moves.ts'
import { copyable } from './share.ts'
import { amountOf, filled } from './typed.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

const STATES: Readonly<Record<TopUp['state'], readonly [words: string, tone: Tone]>> = {
  requested: ['En attente du virement', 'wait'],
  confirmed: ['Crédité', 'good'],
  refused: ['Refusé', 'bad'],
  cancelled: ['Annulé', 'calm'],
}

const LIVE = ['top_up.'] as const

export const TOP_UPS: ListNoun<TopUp> = {
  place: 'top-ups',
  title: titleOf('Approvisionnements'),
  path: 'top-ups',
  operationId: 'listTopUps',
  filters: [
    SEARCH,
    { name: 'state', label: 'État', choices: Object.entries(STATES).map(([value, [words]]) => ({ value, words })) },
    { name: 'reference', label: 'Votre référence' },
  ],
  columns: (visit) => [
    { name: 'Date', cell: ({ id, created_at }) => html`<a href="${visit.to(`top-ups/${id}`)}">${dateText(created_at)}</a>` },
    { name: 'Montant', card: 'amount', isFigure: true, cell: ({ amount, confirmed_amount }) => money(confirmed_amount ?? amount) },
    { name: 'État', card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: 'Référence de paiement', cell: ({ payment_reference }) => payment_reference },
    { name: 'Votre référence', card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: [
    'id',
    'created_at',
    'state',
    'amount',
    'confirmed_amount',
    'currency',
    'payment_reference',
    'reference',
    'reason',
    'finished_at',
  ],
  counted: ['approvisionnement', 'approvisionnements'],
  total: ({ state, amount, confirmed_amount }) => ({ group: STATES[state][0], amount: confirmed_amount ?? amount }),
  empty: 'Aucun approvisionnement pour le moment.',
  live: LIVE,
  actions: (visit) => visit.button('createTopUp', 'top-ups/new', 'Approvisionner'),
}

const FIELDS = ['amount', 'reference'] as const

type TopUpForm = Sent<(typeof FIELDS)[number]>

export function topUpRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, TOP_UPS),
    pageRow(parts, {
      path: '/top-ups/new',
      operationId: 'showTopUpForm',
      needs: 'createTopUp',
      summary: 'Announce money',
      show: (visit) => showForm(visit, { amount: '', reference: '' }, null),
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

async function createTopUp(visit: Visit, { amount, reference, key }: TopUpForm & Sent<'key'>): Promise<void> {
  const body = filled({ amount: amountOf(amount), reference })
  const answer = await visit.ask<TopUp>('createTopUp', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo(`top-ups/${answer.body.id}`, answer.replayed ? undefined : 'top_up_created')
  else showForm(visit, { amount, reference }, answer.error)
}

const AMOUNT = 'Saisissez un montant entier, en F CFA, supérieur à zéro.'

function showForm(visit: Visit, form: TopUpForm, error: ApiError | null): void {
  const isElsewhere = error !== null && error.param !== 'amount' && error.param !== 'reference'
  const about = (name: string): string | null => (error?.param === name ? (name === 'amount' ? AMOUNT : error.message) : null)
  const body = html`${heading('Approvisionner le compte')}
<p>Annoncez le montant, puis envoyez l’argent avec la référence de paiement que vous recevez. Il est crédité quand il est arrivé.</p>
<form class="form card" method="post" action="${visit.to('top-ups/new')}" novalidate>${formStart(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'amount', label: 'Montant (F CFA)', value: form.amount, maxLength: 20, inputMode: 'numeric', error: about('amount') })}
${formField({ name: 'reference', label: 'Votre référence', value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
<button type="submit">Continuer</button>
</form>`
  visit.show({ title: 'Approvisionner', place: 'top-ups', body }, error === null ? 200 : 400)
}

async function showTopUp(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<TopUp>('getTopUp', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const topUp = answer.body
  const { state, reason, confirmed_amount, finished_at, settlement_reference } = topUp
  const body = html`${live('title', heading(html`Approvisionnement de ${money(topUp.amount)}`, badge(...STATES[state])))}
${failure(error)}
${live(
  'outcome',
  html`${state === 'requested' && waitingPart(visit, topUp)}
${reason !== null && html`<p class="error">Refusé : <bdi>${reason}</bdi> Corrigez puis annoncez un nouvel approvisionnement.</p>`}`,
)}
${live(
  'facts',
  facts([
    ['Montant annoncé', money(topUp.amount)],
    ['Montant crédité', confirmed_amount !== null && money(confirmed_amount)],
    ['Référence de paiement', topUp.payment_reference],
    ['Votre référence', theirs(topUp.reference)],
    ['Référence du virement reçu', settlement_reference !== null && theirs(settlement_reference)],
    ['Demandé le', dateText(topUp.created_at)],
    ['Terminé le', finished_at !== null && dateText(finished_at)],
    ['Identifiant', copyable('id', topUp.id)],
  ]),
)}
${live('actions', state === 'confirmed' && html`<div class="actions">${receiptLink(visit, `top-ups/${topUp.id}`)}</div>`)}`
  visit.show({ title: 'Approvisionnement', place: 'top-ups', live: LIVE, body }, error === null ? 200 : 409)
}

function waitingPart(visit: Visit, { id, payment_reference, instructions }: TopUp): Html {
  const here = visit.to(`top-ups/${id}`)
  return html`<section class="card"><h2>Envoyer l’argent</h2>
${instructions.split('\n').map((line) => html`<p><bdi>${line}</bdi></p>`)}
<p>Référence à écrire dans le motif : <strong>${copyable('payment-reference', payment_reference)}</strong></p></section>
<div class="actions">${visit.environment === 'test' && actionButton(visit, `${here}/confirm`, 'Confirmer la réception (test)', 'strong')}
${confirmedAction(visit, `${here}/cancel`, { ask: 'Annuler', warn: 'L’argent que vous auriez déjà envoyé ne serait plus attendu.', go: 'Annuler la demande' })}</div>`
}
