// Mandates: the list, one mandate with its payments and actions, and the form that asks a customer for one.
import { MANDATE_INTERVALS, type Mandate, type MandateFailure, type MandatePayment } from '../../../engine/contract/mandate.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html, phrase, titleOf } from '../html.ts'
import { languageOf } from '../page-language.ts'
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
} from './dashboard-parts.ts'
import { SEARCH } from './list-filters.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { moveRow } from './record-moves.ts'
import { addressField, copyButton, shareLinks } from './share.ts'
import { amountOf, filled } from './typed.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

const STATES: Readonly<Record<Mandate['state'], readonly [words: string, tone: Tone]>> = {
  pending: ['En attente du client', 'wait'],
  active: ['Active', 'good'],
  paused: ['Suspendue', 'bad'],
  cancelled: ['Annulée', 'calm'],
  rejected: ['Refusée par le client', 'calm'],
  expired: ['Terminée', 'calm'],
}
const INTERVALS: Readonly<Record<Mandate['interval'], string>> = {
  weekly: 'Chaque semaine',
  monthly: 'Chaque mois',
  yearly: 'Chaque année',
  on_demand: 'À votre demande',
}

/** Says what a state means for the merchant, and what to do. */
const ADVICE: Readonly<Partial<Record<Mandate['state'], string>>> = {
  pending: 'Rien n’est prélevé avant l’accord du client. La demande expire après 7 jours : rappelez-la-lui par le lien ci-dessous.',
  paused:
    'Le solde du client était insuffisant quatre fois de suite. Plus rien n’est prélevé avant un nouvel accord : envoyez-lui le lien ci-dessous.',
}

const FAILURES: Readonly<Record<MandateFailure, string>> = {
  insufficient_balance: 'Solde du client insuffisant',
  wallet_blocked: 'Portefeuille du client bloqué',
  ...{ limit_exceeded: 'Limite de paiement du client atteinte', recipient_limit_exceeded: 'Plafond de votre compte atteint' },
  ...{ merchant_suspended: 'Votre compte était suspendu', live_not_activated: 'Votre compte n’était pas activé' },
}

const LIVE = ['mandate.'] as const

function columns(visit: Visit): readonly Column<Mandate>[] {
  return [
    { name: 'Client', cell: ({ id, customer_tag }) => html`<a href="${visit.to(`mandates/${id}`)}">${theirs(`@${customer_tag}`)}</a>` },
    { name: 'État', card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: 'Montant', isFigure: true, card: 'amount', cell: amountPart },
    { name: 'Fréquence', card: 'about', cell: ({ interval }) => INTERVALS[interval] },
    { name: 'Prochaine fois', cell: ({ next_charge_at }) => dateText(next_charge_at) },
    { name: 'Paiements', isFigure: true, cell: paymentsText },
    { name: 'Référence', cell: ({ reference }) => theirs(reference) },
  ]
}

function amountPart({ amount, max_amount }: Mandate): Fragment {
  if (amount !== null) return money(amount)
  return max_amount === null ? '—' : html`${money(max_amount)} au plus`
}

function paymentsText({ payments_count, max_payments }: Mandate): Fragment {
  return max_payments === null ? payments_count : html`${payments_count} sur ${max_payments}`
}

export const MANDATES: ListNoun<Mandate> = {
  place: 'mandates',
  title: titleOf('Prélèvements'),
  path: 'mandates',
  operationId: 'listMandates',
  filters: [
    SEARCH,
    { name: 'state', label: 'État', choices: Object.entries(STATES).map(([value, [words]]) => ({ value, words })) },
    { name: 'customer_tag', label: 'Client (@tag)' },
    { name: 'reference', label: 'Référence' },
  ],
  columns,
  csvFields: [
    'id',
    'customer_tag',
    'state',
    'amount',
    'max_amount',
    'currency',
    'interval',
    'next_charge_at',
    'payments_count',
    'max_payments',
    'failed_attempts',
    'reference',
    'description',
    'created_at',
    'approved_at',
    'cancelled_at',
  ],
  csvWords: { interval: ({ interval }) => INTERVALS[interval] },
  counted: ['autorisation', 'autorisations'],
  empty: 'Aucune autorisation de prélèvement pour le moment.',
  live: LIVE,
  actions: (visit) => visit.button('createMandate', 'mandates/new', 'Demander une autorisation'),
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
  const [amount, max_amount, max_payments] = [amountOf(sent.amount), amountOf(sent.max_amount), amountOf(sent.max_payments)]
  const body = filled({ customer_tag: customer_tag.trim(), interval, amount, max_amount, max_payments, reference, description })
  const answer = await visit.ask<Mandate>('createMandate', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo(`mandates/${answer.body.id}`, 'mandate_created')
  else showForm(visit, sent, answer.error)
}

async function charge(visit: Visit, sent: Sent<'amount' | 'reference' | 'key'>): Promise<void> {
  const body = filled({ amount: amountOf(sent.amount), reference: sent.reference })
  const answer = await visit.ask<MandatePayment>('chargeMandate', { params: visit.params, body, idempotencyKey: sent.key })
  if (answer.ok) visit.goTo(`mandates/${answer.body.mandate_id}`, 'mandate_charged')
  else await showMandate(visit, answer.error)
}

const SPELLING: Readonly<Record<string, string>> = {
  amount: 'Saisissez un montant entier, en F CFA, supérieur à zéro, ou laissez vide.',
  max_amount: 'Saisissez un montant entier, en F CFA, au moins égal au montant de chaque paiement, ou laissez vide.',
  max_payments: 'Saisissez un nombre entier, de 1 à 1 000 000, ou laissez vide.',
  customer_tag: 'Aucun portefeuille ne porte cet identifiant.',
}

function showForm(visit: Visit, form: MandateForm, error: ApiError | null): void {
  const param = error?.code === 'amount_required' ? 'amount' : error?.code === 'customer_not_found' ? 'customer_tag' : error?.param
  const about = (name: string): string | null =>
    error === null || param !== name ? null : error.code === 'invalid_request' ? (SPELLING[name] ?? error.message) : error.message
  const isElsewhere = error !== null && !(FIELDS as readonly string[]).includes(param ?? '')
  const body = html`${heading('Demander une autorisation de prélèvement')}
<p>Le client donne son accord une fois, avec son code PIN. Vous prélevez ensuite sans lui demander à chaque fois : abonnement, cotisation, loyer.</p>
<form class="form card" method="post" action="${visit.to('mandates/new')}" novalidate>${formStart(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'customer_tag', label: 'Client (@tag)', hint: 'Le @tag de son portefeuille, par exemple @awa_diallo.', value: form.customer_tag, maxLength: 21, error: about('customer_tag') })}
${selectField(
  'interval',
  'Fréquence',
  MANDATE_INTERVALS.map((value) => ({ value, words: INTERVALS[value] })),
  form.interval,
)}
${formField({ name: 'amount', label: 'Montant de chaque paiement (F CFA)', hint: 'Avec une fréquence, il est prélevé tout seul. Laissez vide pour demander vous-même chaque paiement.', value: form.amount, maxLength: 20, isRequired: false, inputMode: 'numeric', error: about('amount') })}
${formField({ name: 'max_amount', label: 'Plafond d’une période (F CFA)', hint: 'Obligatoire quand le montant est vide.', value: form.max_amount, maxLength: 20, isRequired: false, inputMode: 'numeric', error: about('max_amount') })}
${formField({ name: 'max_payments', label: 'Nombre de paiements au plus', hint: 'Laissez vide pour ne pas limiter.', value: form.max_payments, maxLength: 10, isRequired: false, inputMode: 'numeric', error: about('max_payments') })}
${formField({ name: 'reference', label: 'Votre référence', hint: 'Numéro de contrat. Chaque paiement la reprend.', value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
${areaField({ name: 'description', label: 'Description', hint: 'Le client la lit avant de donner son accord.', value: form.description, rows: 2, error: about('description') })}
<button type="submit">Envoyer la demande</button>
</form>`
  visit.show({ title: 'Demander une autorisation', place: 'mandates', body }, error === null ? 200 : 400)
}

async function showMandate(visit: Visit, error: ApiError | null): Promise<void> {
  const { params } = visit
  const [answer, paid] = await Promise.all([
    visit.ask<Mandate>('getMandate', { params }),
    visit.ask<{ readonly data: readonly MandatePayment[] }>('listMandateCharges', { params, query: { limit: '50' } }),
  ])
  if (!answer.ok) return visit.missing()
  const mandate = answer.body
  const body = html`${live('title', heading(html`Prélèvements de ${theirs(`@${mandate.customer_tag}`)}`, badge(...STATES[mandate.state])))}
${failure(error)}
${live('advice', advicePart(visit, mandate))}
${live('facts', factList(mandate))}
${live('actions', actions(visit, mandate))}
<section><h2>Paiements</h2>${live('payments', table('Paiements', paymentColumns(visit), paid.ok ? paid.body.data : [], 'Aucun paiement pour le moment.'))}</section>`
  visit.show({ title: 'Prélèvements', place: 'mandates', live: LIVE, body }, error === null ? 200 : 409)
}

function advicePart(visit: Visit, { state, approval_url }: Mandate): Fragment {
  const advice = ADVICE[state]
  const { principal, call } = visit
  const said = phrase`${principal.merchant.name} demande votre accord pour des prélèvements : ${approval_url}`
  return (
    advice !== undefined &&
    html`<section class="card"><p>${advice}</p>${addressField('approval', 'Lien d’accord à envoyer au client', approval_url)}
<div class="actions">${copyButton('approval', 'Copier l’adresse')}
${shareLinks(said.in(languageOf(call).language))}</div></section>`
  )
}

function factList(mandate: Mandate): Html {
  return facts([
    ['Montant', amountPart(mandate)],
    ['Plafond', mandate.amount !== null && mandate.max_amount !== null && money(mandate.max_amount)],
    ['Fréquence', INTERVALS[mandate.interval]],
    ['Prochaine fois', mandate.next_charge_at !== null && dateText(mandate.next_charge_at)],
    ['Paiements', paymentsText(mandate)],
    ['Échecs de suite', mandate.failed_attempts > 0 && mandate.failed_attempts],
    ['Description', theirs(mandate.description)],
    ['Référence', theirs(mandate.reference)],
    ['Début', mandate.start_at !== null && dateText(mandate.start_at)],
    ['Fin', mandate.end_at !== null && dateText(mandate.end_at)],
    ['Demandée', dateText(mandate.created_at)],
    ['Accord du client', mandate.approved_at !== null && dateText(mandate.approved_at)],
    ['Annulée', mandate.cancelled_at !== null && dateText(mandate.cancelled_at)],
    ['Identifiant', mandate.id],
  ])
}

function actions(visit: Visit, mandate: Mandate): Fragment {
  const { id, state, amount, interval } = mandate
  if (state !== 'pending' && state !== 'active' && state !== 'paused') return null
  const here = visit.to(`mandates/${id}`)
  const collectsItself = amount !== null && interval !== 'on_demand'
  return html`${state === 'active' && !collectsItself && chargeForm(visit, here, mandate)}
<div class="actions">
${state === 'active' && collectsItself && visit.environment === 'test' && actionButton(visit, `${here}/collect`, 'Prélever maintenant (test)')}
${confirmedAction(visit, `${here}/cancel`, { ask: 'Annuler l’autorisation', warn: 'Définitif : plus rien ne sera prélevé. Il faudra demander une nouvelle autorisation.', go: 'Annuler l’autorisation' })}
</div>`
}

function chargeForm(visit: Visit, here: string, { amount, max_amount }: Mandate): Html {
  if (!visit.maySend(`${here}/charge`)) return html``
  const most = max_amount ?? amount
  return html`<form class="form card" method="post" action="${here}/charge" novalidate>${formStart(visit)}
<h2>Prélever</h2>
${formField({ name: 'amount', label: 'Montant (F CFA)', hint: most !== null && html`${money(most)} au plus. Le client est débité tout de suite.`, value: amount === null ? '' : String(amount), maxLength: 20, inputMode: 'numeric' })}
${formField({ name: 'reference', label: 'Référence de ce paiement', maxLength: 255, isRequired: false })}
<button type="submit">Prélever</button></form>`
}

const PAYMENT_STATES: Readonly<Record<MandatePayment['state'], readonly [words: string, tone: Tone]>> = {
  paid: ['Payé', 'good'],
  failed: ['Échec', 'bad'],
}
function paymentColumns(visit: Visit): readonly Column<MandatePayment>[] {
  const date = ({ transaction_id, created_at }: MandatePayment): Fragment =>
    transaction_id === undefined
      ? dateText(created_at)
      : html`<a href="${visit.to('transactions')}?q=${transaction_id}">${dateText(created_at)}</a>`
  return [
    { name: 'Date', cell: date },
    { name: 'Montant', isFigure: true, card: 'amount', cell: ({ amount }) => money(amount) },
    { name: 'État', card: 'state', cell: ({ state }) => badge(...PAYMENT_STATES[state]) },
    { name: 'Raison', cell: ({ failure_code }) => (failure_code === undefined ? theirs(null) : FAILURES[failure_code]) },
    { name: 'Référence', cell: ({ reference }) => theirs(reference) },
  ]
}
