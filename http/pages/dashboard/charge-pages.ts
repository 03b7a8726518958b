// Charges: the list, one charge with its QR code and its actions, and the form for a new one.
import type { Charge } from '../../../engine/contract/charge.ts'
import { qrSvg } from '../../api/checkout/qr.ts'
import type { Route } from '../../server/route.ts'
import { amountText } from '../amount-text.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { html, phrase, titleOf } from '../html.ts'
import { PAGE_HEADERS } from '../layout.ts'
import { languageOf } from '../page-language.ts'
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
} from './dashboard-parts.ts'
import { SEARCH } from './list-filters.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { receiptLink } from './receipt.ts'
import { moveRow } from './record-moves.ts'
import { addressField, copyable, copyButton, shareLinks } from './share.ts'
import { amountOf, filled } from './typed.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

type ChargeState = Charge['state']

const STATES: Readonly<Record<ChargeState, readonly [words: string, tone: Tone]>> = {
  pending: ['En attente', 'wait'],
  paid: ['Payé', 'good'],
  expired: ['Expiré', 'calm'],
  cancelled: ['Annulé', 'calm'],
  refunded: ['Remboursé', 'calm'],
}

export function chargeColumns(visit: Visit): readonly Column<Charge>[] {
  return [
    { name: 'Date', cell: ({ token, created_at }) => html`<a href="${visit.to(`charges/${token}`)}">${dateText(created_at)}</a>` },
    { name: 'Montant', card: 'amount', isFigure: true, cell: ({ amount }) => money(amount) },
    { name: 'État', card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: 'Référence', card: 'about', cell: ({ reference }) => theirs(reference) },
    { name: 'Client', card: 'about', cell: ({ payer_tag, customer_tag }) => theirs(tagText(payer_tag ?? customer_tag)) },
  ]
}

function tagText(tag: string): string {
  return tag === '' ? '' : `@${tag}`
}

const LIVE = ['charge.'] as const

export const CHARGES: ListNoun<Charge> = {
  place: 'charges',
  title: titleOf('Encaissements'),
  path: 'charges',
  operationId: 'listCharges',
  filters: [
    SEARCH,
    { name: 'state', label: 'État', choices: Object.entries(STATES).map(([value, [words]]) => ({ value, words })) },
    { name: 'reference', label: 'Référence' },
    { name: 'customer_tag', label: 'Réservé à (@tag)' },
  ],
  columns: chargeColumns,
  csvFields: [
    'id',
    'token',
    'amount',
    'currency',
    'state',
    'reference',
    'description',
    'customer_tag',
    'payer_tag',
    'created_at',
    'paid_at',
    'cancelled_at',
    'refunded_at',
    'transaction_id',
    'refund_transaction_id',
  ],
  counted: ['encaissement', 'encaissements'],
  total: ({ state, amount }) => ({ group: STATES[state][0], amount }),
  empty: 'Aucun encaissement pour le moment.',
  live: LIVE,
  parts: ({ id, reference, description }) => ({ key: id, texts: [reference, description] }),
  actions: (visit) => visit.button('createCharge', 'charges/new', 'Demander un paiement'),
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
    pageRow(parts, { path: '/charges/{token}', operationId: 'showCharge', summary: 'A charge', show: (visit) => showCharge(visit, null) }),
    pageRow(parts, { path: '/charges/{token}/qr.svg', operationId: 'showChargeQr', summary: 'The code of its address', show: showQr }),
    moveRow(parts, { path: '/charges/{token}/cancel', operationId: 'cancelCharge', note: 'charge_cancelled', ...MOVED }),
    moveRow(parts, { path: '/charges/{token}/refund', operationId: 'refundCharge', note: 'charge_refunded', ...MOVED }),
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
    amount: amountOf(amount),
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
  const about = (name: string): string | null => (error?.param === name ? (SPELLING[name] ?? error.message) : null)
  const isElsewhere = error !== null && !(FIELDS as readonly string[]).includes(error.param ?? '')
  const body = html`${heading('Demander un paiement')}
<form class="form card" method="post" action="${visit.to('charges/new')}" novalidate>${formStart(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'amount', label: 'Montant (F CFA)', value: form.amount, maxLength: 20, inputMode: 'numeric', error: about('amount') })}
${formField({ name: 'reference', label: 'Votre référence', hint: 'Numéro de commande ou de facture.', value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
${areaField({ name: 'description', label: 'Description', hint: 'Le client la lit au moment de payer.', value: form.description, rows: 3, error: about('description') })}
${formField({ name: 'customer_tag', label: 'Réserver à un client (@tag)', value: form.customer_tag, maxLength: 21, isRequired: false, error: about('customer_tag') })}
${formField({ name: 'redirect_url', label: 'Adresse de retour (https)', value: form.redirect_url, maxLength: 2048, isRequired: false, error: about('redirect_url') })}
<button type="submit">Créer la demande</button>
</form>`
  visit.show({ title: 'Demander un paiement', place: 'charges', body }, error === null ? 200 : 400)
}

const SPELLING: Readonly<Record<string, string>> = { amount: 'Saisissez un montant entier, en F CFA, supérieur à zéro.' }

async function showCharge(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Charge>('getCharge', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const charge = answer.body
  const { token, state, checkout_url } = charge
  const here = visit.to(`charges/${token}`)
  const body = html`${live('title', heading(html`Encaissement de ${money(charge.amount)}`, badge(...STATES[state])))}
${failure(error)}
${live(
  'code',
  state === 'pending' &&
    html`<section class="card code-card"><img class="code" src="${here}/qr.svg" width="216" height="216" alt="Code QR de l’adresse de paiement">
<div class="beside"><p>À montrer ou à envoyer au client ; valable jusqu’au ${untilText(charge.expires_at)}.</p>
${addressField('address', 'Adresse de paiement', checkout_url)}
<div class="actions">${copyButton('address', 'Copier l’adresse')}
${shareLinks(messageText(visit, charge))}
<a class="button quiet" href="${checkout_url}" rel="noreferrer">Ouvrir</a></div></div></section>`,
)}
${live(
  'facts',
  facts([
    ['Référence', theirs(charge.reference)],
    ['Description', theirs(charge.description)],
    ['Réservé à', charge.customer_tag !== '' && theirs(tagText(charge.customer_tag))],
    ['Payé par', charge.payer_tag !== null && theirs(tagText(charge.payer_tag))],
    ['Créé', dateText(charge.created_at)],
    ['Payé', charge.paid_at !== null && dateText(charge.paid_at)],
    ['Annulé', charge.cancelled_at !== null && dateText(charge.cancelled_at)],
    ['Remboursé', charge.refunded_at !== null && dateText(charge.refunded_at)],
    ['Transaction', charge.transaction_id !== null && charge.transaction_id],
    ['Remboursement', charge.refund_transaction_id !== null && charge.refund_transaction_id],
    ['Identifiant', copyable('id', charge.id)],
  ]),
)}
${live(
  'actions',
  html`<div class="actions">
${state === 'pending' && confirmedAction(visit, `${here}/cancel`, { ask: 'Annuler la demande', warn: 'Le client ne pourra plus payer par ce lien.', go: 'Annuler la demande' })}
${charge.paid_at !== null && receiptLink(visit, `charges/${token}`)}
${state === 'paid' && confirmedAction(visit, `${here}/refund`, { ask: 'Rembourser', warn: html`Le montant entier, ${money(charge.amount)}, retourne au client, tout de suite.`, go: 'Rembourser le client' })}
</div>`,
)}`
  visit.show({ title: 'Encaissement', place: 'charges', live: LIVE, body }, error === null ? 200 : 409)
}

function messageText({ principal, call }: Visit, { amount, currency, reference, checkout_url }: Charge): string {
  const about = reference === '' ? '' : ` (${reference})`
  return phrase`Payer ${amountText(amount, currency)} à ${principal.merchant.name}${about} : ${checkout_url}`.in(languageOf(call).language)
}

async function showQr(visit: Visit): Promise<void> {
  const answer = await visit.ask<Charge>('getCharge', { params: visit.params })
  if (!answer.ok) return visit.missing()
  visit.call.answerAs(200, qrSvg(answer.body.checkout_url), [...PAGE_HEADERS, ['Content-Type', 'image/svg+xml']])
}
