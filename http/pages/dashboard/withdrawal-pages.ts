// Withdrawals in the dashboard: ask, confirm with the balance before and after, see what became of it, cancel.
import type { Balance } from '../../../engine/contract/balance.ts'
import type { Withdrawal } from '../../../engine/contract/withdrawal.ts'
import { DESTINATION_KINDS } from '../../../engine/contract/withdrawal-account.ts'
import type { Route } from '../../server/route.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { type ApiError, newFormKey } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Html, html, titleOf } from '../html.ts'
import {
  actionButton,
  badge,
  confirmedAction,
  dateText,
  facts,
  failure,
  heading,
  live,
  money,
  selectField,
  type Tone,
  theirs,
} from './dashboard-parts.ts'
import { SEARCH } from './list-filters.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { receiptLink } from './receipt.ts'
import { moveRow } from './record-moves.ts'
import { copyable } from './share.ts'
import { tokenField } from './shell.ts'
import { amountOf, filled } from './typed.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

const STATES: Readonly<Record<Withdrawal['state'], readonly [words: string, tone: Tone]>> = {
  requested: ['En attente', 'wait'],
  paid: ['Payé', 'good'],
  refused: ['Refusé', 'bad'],
  cancelled: ['Annulé', 'calm'],
}

const KINDS: Readonly<Record<Withdrawal['destination']['kind'], string>> = { bank: 'Compte bancaire', mobile_money: 'Mobile money' }

const LIVE = ['withdrawal.'] as const

export const WITHDRAWALS: ListNoun<Withdrawal> = {
  place: 'withdrawals',
  title: titleOf('Retraits'),
  path: 'withdrawals',
  operationId: 'listWithdrawals',
  filters: [
    SEARCH,
    { name: 'state', label: 'État', choices: Object.entries(STATES).map(([value, [words]]) => ({ value, words })) },
    { name: 'reference', label: 'Votre référence' },
  ],
  columns: (visit) => [
    { name: 'Date', cell: ({ id, created_at }) => html`<a href="${visit.to(`withdrawals/${id}`)}">${dateText(created_at)}</a>` },
    { name: 'Montant', card: 'amount', isFigure: true, cell: ({ amount }) => money(amount) },
    { name: 'État', card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: 'Vers', card: 'about', cell: ({ destination }) => theirs(destination.account) },
    { name: 'Votre référence', card: 'about', cell: ({ reference }) => theirs(reference) },
  ],
  csvFields: ['id', 'created_at', 'state', 'amount', 'currency', 'reference', 'settlement_reference', 'reason', 'finished_at'],
  counted: ['retrait', 'retraits'],
  total: ({ state, amount }) => ({ group: STATES[state][0], amount }),
  empty: 'Aucun retrait pour le moment.',
  live: LIVE,
  actions: (visit) => visit.button('requestWithdrawal', 'withdrawals/new', 'Retirer'),
}

const FIELDS = ['amount', 'kind', 'name', 'account', 'reference'] as const

type WithdrawalForm = Sent<(typeof FIELDS)[number]>

const NOTHING: WithdrawalForm = { amount: '', kind: 'bank', name: '', account: '', reference: '' }

export function withdrawalRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, WITHDRAWALS),
    pageRow(parts, {
      path: '/withdrawals/new',
      operationId: 'showWithdrawalForm',
      needs: 'requestWithdrawal',
      summary: 'Take money out',
      show: (visit) => showForm(visit, NOTHING, null),
    }),
    formRow(parts, {
      path: '/withdrawals/new',
      operationId: 'sendWithdrawalCheck',
      needs: 'requestWithdrawal',
      summary: 'What a withdrawal leaves',
      fields: FIELDS,
      act: confirm,
    }),
    formRow(parts, {
      path: '/withdrawals/edit',
      operationId: 'sendWithdrawalEdit',
      needs: 'requestWithdrawal',
      summary: 'The same withdrawal in the form',
      fields: FIELDS,
      act: (visit, sent) => showForm(visit, sent, null),
    }),
    formRow(parts, {
      path: '/withdrawals',
      operationId: 'sendWithdrawal',
      needs: 'requestWithdrawal',
      summary: 'Take money out',
      fields: FIELDS,
      act: create,
    }),
    pageRow(parts, {
      path: '/withdrawals/{id}',
      operationId: 'showWithdrawal',
      summary: 'A withdrawal',
      show: (visit) => showWithdrawal(visit, null),
    }),
    moveRow(parts, { path: '/withdrawals/{id}/cancel', operationId: 'cancelWithdrawal', note: 'withdrawal_cancelled', ...MOVED }),
    moveRow(parts, { path: '/withdrawals/{id}/pay', operationId: 'payTestWithdrawal', note: 'withdrawal_paid', body: {}, ...MOVED }),
  ]
}

const MOVED = {
  done: (visit: Visit) => `withdrawals/${visit.params[0]}`,
  again: (visit: Visit, error: ApiError) => showWithdrawal(visit, error),
}

const SPELLING: Readonly<Record<string, string>> = {
  amount: 'Saisissez un montant entier, en F CFA, supérieur à zéro.',
  'destination.name': 'Saisissez le titulaire du compte.',
  'destination.account': 'Saisissez le numéro du compte.',
}

function showForm(visit: Visit, form: WithdrawalForm, error: Pick<ApiError, 'message' | 'param'> | null): void {
  const about = (name: string): string | null => (error?.param === name ? (SPELLING[name] ?? error.message) : null)
  const isHere = error !== null && (Object.hasOwn(SPELLING, error.param ?? '') || error.param === 'reference')
  const kinds = DESTINATION_KINDS.map((value) => ({ value, words: KINDS[value] }))
  const body = html`${heading('Retirer de l’argent')}
<form class="form card" method="post" action="${visit.to('withdrawals/new')}" novalidate>${tokenField(visit)}
${failure(isHere ? null : error)}
${formField({ name: 'amount', label: 'Montant (F CFA)', value: form.amount, maxLength: 20, inputMode: 'numeric', error: about('amount') })}
${selectField('kind', 'Vers', kinds, form.kind)}
${formField({ name: 'name', label: 'Titulaire du compte', value: form.name, maxLength: 140, error: about('destination.name') })}
${formField({ name: 'account', label: 'Numéro du compte', hint: 'IBAN, ou numéro de téléphone avec son indicatif.', value: form.account, maxLength: 64, error: about('destination.account') })}
${formField({ name: 'reference', label: 'Votre référence', value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
<button type="submit">Vérifier</button>
</form>`
  visit.show({ title: 'Retirer', place: 'withdrawals', body }, error === null ? 200 : 400)
}

/** Shows the balance before and after. Its idempotency key is created here, so that a confirmation sent twice holds once. */
async function confirm(visit: Visit, form: WithdrawalForm): Promise<void> {
  const amount = amountOf(form.amount)
  if (typeof amount !== 'number' || amount < 1) return showForm(visit, form, { message: '', param: 'amount' })
  if (form.name.trim() === '') return showForm(visit, form, { message: '', param: 'destination.name' })
  if (form.account.trim() === '') return showForm(visit, form, { message: '', param: 'destination.account' })
  const answer = visit.app.engine.query('accounts.balance', { account: visit.principal.account })
  const { available }: Pick<Balance, 'available'> = answer
  if (available < amount)
    return showForm(visit, form, { message: `Le solde disponible est de ${prettyAmount(available)} : c’est moins que ce montant.` })
  const hidden = FIELDS.map((name) => html`<input type="hidden" name="${name}" value="${form[name]}">`)
  const body = html`${heading('Confirmer le retrait')}
${facts([
  ['Montant', money(amount)],
  ['Vers', html`${kindWords(form.kind)}, ${theirs(form.name)}, ${theirs(form.account)}`],
  ['Votre référence', theirs(form.reference)],
  ['Disponible avant', money(available)],
  ['Disponible après', money(available - amount)],
])}
<p>Le montant est réservé dès maintenant. Il quitte votre compte quand le service l’a envoyé.</p>
<div class="actions"><form class="form" method="post" action="${visit.to('withdrawals')}">${tokenField(visit)}<input type="hidden" name="key" value="${newFormKey()}">${hidden}
<button type="submit">Retirer ${money(amount)}</button></form>
<form class="form" method="post" action="${visit.to('withdrawals/edit')}">${tokenField(visit)}${hidden}<button class="quiet" type="submit">Recommencer</button></form></div>`
  visit.show({ title: 'Confirmer le retrait', place: 'withdrawals', body })
}

async function create(visit: Visit, sent: WithdrawalForm & Sent<'key'>): Promise<void> {
  const { amount, kind, name, account, reference, key } = sent
  const body = filled({ amount: amountOf(amount), destination: { kind, name: name.trim(), account: account.trim() }, reference })
  const answer = await visit.ask<Withdrawal>('requestWithdrawal', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo(`withdrawals/${answer.body.id}`, answer.replayed ? undefined : 'withdrawal_created')
  else showForm(visit, sent, answer.error)
}

async function showWithdrawal(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Withdrawal>('getWithdrawal', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const { id, amount, state, destination, reason, reference, settlement_reference, created_at, finished_at } = answer.body
  const body = html`${live('title', heading(html`Retrait de ${money(amount)}`, badge(...STATES[state])))}
${failure(error)}
${live(
  'outcome',
  html`${state === 'requested' && openPart(visit, id)}
${reason !== null && html`<p class="error">Refusé : <bdi>${reason}</bdi> Le montant est de nouveau disponible.</p>`}`,
)}
${live(
  'facts',
  facts([
    ['Montant', money(amount)],
    ['Vers', html`${KINDS[destination.kind]}, ${theirs(destination.name)}, ${theirs(destination.account)}`],
    ['Votre référence', theirs(reference)],
    ['Référence du virement', settlement_reference !== null && theirs(settlement_reference)],
    ['Demandé le', dateText(created_at)],
    ['Terminé le', finished_at !== null && dateText(finished_at)],
    ['Identifiant', copyable('id', id)],
  ]),
)}
${live('actions', state === 'paid' && html`<div class="actions">${receiptLink(visit, `withdrawals/${id}`)}</div>`)}`
  visit.show({ title: 'Retrait', place: 'withdrawals', live: LIVE, body }, error === null ? 200 : 409)
}

function openPart(visit: Visit, id: string): Html {
  const here = visit.to(`withdrawals/${id}`)
  return html`<p>Le montant est réservé : le service l’envoie, ou vous le rend avec une raison.</p>
<div class="actions">${visit.environment === 'test' && actionButton(visit, `${here}/pay`, 'Payer comme le service (test)', 'strong')}
${confirmedAction(visit, `${here}/cancel`, { ask: 'Annuler', warn: 'Le montant redevient disponible.', go: 'Annuler le retrait' })}</div>`
}

function kindWords(kind: string): string {
  return kind === 'mobile_money' ? KINDS.mobile_money : KINDS.bank
}
