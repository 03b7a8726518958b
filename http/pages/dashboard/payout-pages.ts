// Payouts to one wallet: the list, one payout, and the form, which shows the recipient before it pays.

import type { Balance } from '../../../engine/contract/balance.ts'
import type { Payout, RecipientCheck } from '../../../engine/contract/payout.ts'
import { cleanRecipient } from '../../client/src/payment-file/file-recipient.ts'
import type { Route } from '../../server/route.ts'
import { PAYOUT_FAILURE_MESSAGES } from '../../text/payout-failure-messages.ts'
import { type ApiError, newFormKey } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html, titleOf } from '../html.ts'
import { areaField, badge, type Column, dateText, facts, failure, heading, money, theirs } from './dashboard-parts.ts'
import { SEARCH } from './list-filters.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { failureText, payoutOutcome } from './outcomes.ts'
import { receiptLink } from './receipt.ts'
import { recipientText } from './recipient-text.ts'
import { copyable } from './share.ts'
import { tokenField } from './shell.ts'
import { amountOf, filled } from './typed.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

export function payoutBadge({ state }: Pick<Payout, 'state'>): Html {
  return state === 'paid' ? badge('Versé', 'good') : badge('Échoué', 'bad')
}

export function payoutColumns(visit: Visit): readonly Column<Payout>[] {
  return [
    { name: 'Date', card: 'about', cell: ({ id, created_at }) => html`<a href="${visit.to(`payouts/${id}`)}">${dateText(created_at)}</a>` },
    { name: 'Montant', card: 'amount', isFigure: true, cell: ({ amount }) => money(amount) },
    { name: 'Destinataire', card: 'title', cell: ({ recipient }) => theirs(recipientText(recipient)) },
    { name: 'État', card: 'state', cell: payoutBadge },
    { name: 'Référence', card: 'about', cell: ({ reference }) => theirs(reference) },
  ]
}

/** In the order of the file. A new field of the schema does not compile until it is here. */
const CSV_FIELDS = {
  id: true,
  recipient: true,
  amount: true,
  currency: true,
  fee: true,
  state: true,
  failure_code: true,
  reference: true,
  note: true,
  batch_id: true,
  schedule_id: true,
  transaction_id: true,
  created_at: true,
} satisfies Record<Exclude<keyof Payout, 'environment' | 'disbursement_id'>, true>

export const PAYOUTS: ListNoun<Payout> = {
  place: 'payouts',
  title: titleOf('Versements'),
  path: 'payouts',
  operationId: 'listPayouts',
  filters: [
    SEARCH,
    {
      name: 'state',
      label: 'État',
      choices: [
        { value: 'paid', words: 'Versé' },
        { value: 'failed', words: 'Échoué' },
      ],
    },
    { name: 'recipient', label: 'Destinataire (@tag ou téléphone)', kind: 'recipient' },
    { name: 'reference', label: 'Référence' },
    { name: 'batch_id', label: 'Versement groupé' },
    { name: 'schedule_id', label: 'Versement programmé' },
  ],
  columns: payoutColumns,
  csvFields: Object.keys(CSV_FIELDS) as (keyof typeof CSV_FIELDS)[],
  csvWords: {
    failure_code: ({ failure_code }) => (failure_code === undefined ? '' : PAYOUT_FAILURE_MESSAGES.fr[failure_code]),
  },
  csvTexts: () => ({ recipient: ({ recipient }) => recipientText(recipient) }),
  counted: ['versement', 'versements'],
  total: ({ state, amount }) => ({ group: state === 'paid' ? 'Versé' : 'Échoué', amount }),
  empty: 'Aucun versement pour le moment.',
  live: ['payout.'],
  parts: ({ id, reference, note }) => ({ key: id, texts: [reference, note] }),
  actions: (visit) => [
    visit.button('createPayout', 'payouts/new', 'Verser'),
    visit.button('createBatch', 'batches/new', 'Versement groupé', 'quiet'),
  ],
}

const NOTHING = { recipient: '', amount: '', reference: '', note: '' }

type PayoutForm = Sent<keyof typeof NOTHING>

const FIELDS = Object.keys(NOTHING) as readonly (keyof typeof NOTHING)[]

export function payoutRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, PAYOUTS),
    pageRow(parts, {
      path: '/payouts/new',
      operationId: 'showPayoutForm',
      needs: 'createPayout',
      summary: 'Pay a wallet',
      show: (visit) => showForm(visit, NOTHING, null),
    }),
    formRow(parts, {
      path: '/payouts/new',
      operationId: 'sendPayoutCheck',
      needs: 'createPayout',
      summary: 'Whom it would pay',
      fields: FIELDS,
      act: checkPayout,
    }),
    formRow(parts, {
      path: '/payouts/edit',
      operationId: 'sendPayoutEdit',
      needs: 'createPayout',
      summary: 'The same payout in the form',
      fields: FIELDS,
      act: (visit, sent) => showForm(visit, sent, null),
    }),
    formRow(parts, {
      path: '/payouts',
      operationId: 'sendPayout',
      needs: 'createPayout',
      summary: 'Pay a wallet',
      fields: FIELDS,
      act: createPayout,
    }),
    pageRow(parts, { path: '/payouts/{id}', operationId: 'showPayout', summary: 'A payout', show: showPayout }),
  ]
}

const SPELLING: Readonly<Record<string, string>> = {
  amount: 'Saisissez un montant entier, en F CFA, supérieur à zéro.',
  recipient:
    'Saisissez le @tag du destinataire (de 3 à 20 lettres, chiffres ou tirets bas) ou son téléphone avec + et l’indicatif du pays.',
}

function showForm(visit: Visit, form: PayoutForm, error: Pick<ApiError, 'message' | 'param'> | null): void {
  const about = (name: string): string | null => (error?.param === name ? (SPELLING[name] ?? error.message) : null)
  const isElsewhere = error !== null && !(FIELDS as readonly string[]).includes(error.param ?? '')
  const body = html`${heading('Verser à un portefeuille')}
<form class="form card" method="post" action="${visit.to('payouts/new')}" novalidate>${tokenField(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'recipient', label: 'Destinataire (@tag ou téléphone)', hint: 'Un téléphone commence par + et l’indicatif du pays : +221 77 123 45 67.', value: form.recipient, maxLength: 40, error: about('recipient') })}
${formField({ name: 'amount', label: 'Montant (F CFA)', value: form.amount, maxLength: 20, inputMode: 'numeric', error: about('amount') })}
${formField({ name: 'reference', label: 'Votre référence', value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
${areaField({ name: 'note', label: 'Note', value: form.note, rows: 2, error: about('note') })}
<button type="submit">Vérifier</button>
</form>`
  visit.show({ title: 'Verser', place: 'payouts', body }, error === null ? 200 : 400)
}

/** Shows the confirmation. Its idempotency key is created here, so that a confirmation sent twice pays once. */
async function checkPayout(visit: Visit, form: PayoutForm): Promise<void> {
  const amount = amountOf(form.amount)
  if (typeof amount !== 'number' || amount < 1) return showForm(visit, form, { message: '', param: 'amount' })
  const answer = await visit.ask<RecipientCheck>('checkRecipient', { body: { recipient: cleanRecipient(form.recipient) } })
  if (!answer.ok) return showForm(visit, form, answer.error)
  const { exists, display_name } = answer.body
  if (!exists) return showForm(visit, form, { message: 'Aucun portefeuille n’a ce @tag ou ce téléphone dans cet environnement.' })
  const balance = await visit.ask<Balance>('getBalance')
  const hidden = FIELDS.map((name) => html`<input type="hidden" name="${name}" value="${form[name]}">`)
  const body = html`${heading('Confirmer le versement')}
${facts([
  ['Destinataire', html`${theirs(form.recipient)} ${theirs(display_name)}`],
  ['Montant', money(amount)],
  ['Solde disponible', balance.ok && money(balance.body.available)],
  ['Solde après', balance.ok && balance.body.available >= amount && money(balance.body.available - amount)],
  ['Référence', theirs(form.reference)],
  ['Note', theirs(form.note)],
])}
${balance.ok && balance.body.available < amount && html`<p class="error" role="alert">Le solde disponible ne suffit pas : ce versement échouerait.</p>`}
<div class="actions"><form class="form" method="post" action="${visit.to('payouts')}">${tokenField(visit)}<input type="hidden" name="key" value="${newFormKey()}">${hidden}
<button type="submit">Verser ${money(amount)}</button></form>
<form class="form" method="post" action="${visit.to('payouts/edit')}">${tokenField(visit)}${hidden}<button class="quiet" type="submit">Recommencer</button></form></div>`
  visit.show({ title: 'Confirmer le versement', place: 'payouts', body })
}

async function createPayout(visit: Visit, sent: PayoutForm & Sent<'key'>): Promise<void> {
  const texts = Object.fromEntries(FIELDS.map((name) => [name, sent[name]]))
  const body = filled({ ...texts, recipient: cleanRecipient(sent.recipient), amount: amountOf(sent.amount) })
  const answer = await visit.ask<Payout>('createPayout', { body, idempotencyKey: sent.key })
  if (answer.ok) visit.goTo(`payouts/${answer.body.id}`, 'payout_done')
  else showForm(visit, sent, answer.error)
}

async function showPayout(visit: Visit): Promise<void> {
  const answer = await visit.ask<Payout>('getPayout', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const payout = answer.body
  const { failure_code } = payout
  const body = html`${heading(html`Versement de ${money(payout.amount)}`, payoutBadge(payout))}
${failure_code !== undefined && html`<p class="error">${failureText(failure_code)}</p>`}
${facts(Object.values(factsOf(visit, payout)))}
${failure_code !== undefined && visit.may('createPayout') && payAgain(visit, payout)}
${payout.state === 'paid' && html`<div class="actions">${receiptLink(visit, `payouts/${payout.id}`)}</div>`}`
  visit.show({ title: 'Versement', place: 'payouts', outcome: payoutOutcome(payout), body })
}

/** Renders the button that puts a failed payout into the form again. */
function payAgain(visit: Visit, { recipient, amount, reference, note }: Payout): Html {
  const sent: PayoutForm = { recipient: recipientText(recipient), amount: String(amount), reference, note }
  const hidden = FIELDS.map((name) => html`<input type="hidden" name="${name}" value="${sent[name]}">`)
  return html`<form class="form" method="post" action="${visit.to('payouts/edit')}">${tokenField(visit)}${hidden}<button type="submit">Verser de nouveau</button></form>`
}

/** Shown above the facts, or the same on the whole page. */
type InHeading = 'amount' | 'currency' | 'state' | 'failure_code' | 'environment' | 'disbursement_id'

/** In the order of the page. A new field of the schema does not compile until it is here. */
function factsOf(visit: Visit, payout: Payout): Readonly<Record<Exclude<keyof Payout, InHeading>, readonly [string, Fragment]>> {
  const { batch_id, schedule_id } = payout
  return {
    recipient: ['Destinataire', theirs(recipientText(payout.recipient))],
    fee: ['Frais', money(payout.fee)],
    reference: ['Référence', theirs(payout.reference)],
    note: ['Note', theirs(payout.note)],
    created_at: ['Date', dateText(payout.created_at)],
    batch_id: ['Versement groupé', batch_id === null ? theirs(null) : html`<a href="${visit.to(`batches/${batch_id}`)}">${batch_id}</a>`],
    schedule_id: [
      'Versement programmé',
      schedule_id === null ? theirs(null) : html`<a href="${visit.to(`schedules/${schedule_id}`)}">${schedule_id}</a>`,
    ],
    transaction_id: ['Transaction', theirs(payout.transaction_id ?? null)],
    id: ['Identifiant', copyable('id', payout.id)],
  }
}
