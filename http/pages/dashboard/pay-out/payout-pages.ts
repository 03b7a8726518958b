// Payouts to one wallet: the list, one payout, and the form, which shows the recipient before it pays.
import type { Balance } from '../../../../engine/contract/balance.ts'
import type { Payout, RecipientCheck } from '../../../../engine/contract/payout.ts'
import { cleanRecipient } from '../../../client/src/payment-file/file-recipient.ts'
import type { Route } from '../../../server/route.ts'
import { errorText } from '../../../text/error-text.ts'
import { payoutFailureText } from '../../../text/payout-failure-messages.ts'
import type { Text } from '../../../text/text.ts'
import { amountInput, amountKeyboard, currencySymbol, wantedAmount } from '../../shared/amount-text.ts'
import { type ApiError, newFormKey } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import { areaField, badge, type Column, dateText, facts, failure, heading, money, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { feeChecked, feeNow } from '../shared/fee-facts.ts'
import { receiptLink } from '../shared/receipt.ts'
import { recordLink, transactionLink } from '../shared/record-parts.ts'
import { copyable } from '../shared/share-links.ts'
import { tokenField } from '../shared/shell.ts'
import { amountOf, filled, recipientText } from '../shared/typed-text.ts'
import { failureText, payoutOutcome } from './outcomes.ts'
import { TEXTS } from './payout-pages-messages.ts'

export function payoutBadge({ state }: Pick<Payout, 'state'>): Html {
  return state === 'paid' ? badge(DASHBOARD_WORDS.paid, 'good') : badge(TEXTS.failed, 'bad')
}

export function payoutColumns(visit: Visit): readonly Column<Payout>[] {
  return [
    {
      name: WORDS.date,
      card: 'about',
      cell: ({ id, created_at }) => html`<a href="${visit.to(`payouts/${id}`)}">${dateText(created_at)}</a>`,
    },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: ({ amount, currency }) => money(amount, currency) },
    { name: DASHBOARD_WORDS.recipient, card: 'title', cell: ({ recipient }) => theirs(recipientText(recipient)) },
    { name: WORDS.state, card: 'state', cell: payoutBadge },
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
  ]
}

export const PAYOUTS: ListNoun<Payout> = {
  place: 'payouts',
  title: DASHBOARD_WORDS.payouts,
  path: 'payouts',
  operationId: 'listPayouts',
  filters: [
    SEARCH,
    {
      name: 'state',
      label: WORDS.state,
      choices: [
        { value: 'paid', words: DASHBOARD_WORDS.paid },
        { value: 'failed', words: TEXTS.failed },
      ],
    },
    { name: 'recipient', label: TEXTS.recipientTagOrPhone, kind: 'recipient' },
    { name: 'reference', label: WORDS.reference },
    { name: 'batch_id', label: TEXTS.batch },
    { name: 'disbursement_id', label: DASHBOARD_WORDS.bulkPayout },
    { name: 'schedule_id', label: DASHBOARD_WORDS.scheduledPayout },
  ],
  columns: payoutColumns,
  csvFields: {
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
    disbursement_id: true,
    schedule_id: true,
    transaction_id: true,
    created_at: true,
    environment: false,
  },
  csvWords: {
    failure_code: ({ failure_code }) => (failure_code === undefined ? '' : payoutFailureText(failure_code)),
  },
  csvTexts: () => ({ recipient: ({ recipient }) => recipientText(recipient) }),
  counted: [DASHBOARD_WORDS.payout, WORDS.payouts],
  total: ({ state, amount }) => ({ group: state === 'paid' ? DASHBOARD_WORDS.paid : TEXTS.failed, amount }),
  empty: DASHBOARD_WORDS.noPayoutsYet,
  live: ['payout.'],
  parts: ({ id, reference, note }) => ({ key: id, texts: [reference, note] }),
  actions: (visit) => [
    visit.button('createPayout', 'payouts/new', DASHBOARD_WORDS.pay),
    visit.button('createDisbursement', 'disbursements/new', DASHBOARD_WORDS.bulkPayout, 'quiet'),
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

const SPELLING: Readonly<Record<string, Text | string>> = {
  recipient: TEXTS.typeTagRecipient320,
}

function showForm(visit: Visit, form: PayoutForm, error: Pick<ApiError, 'message' | 'param'> | null): void {
  const spelling: typeof SPELLING = { ...SPELLING, amount: DASHBOARD_WORDS.typeAmount(wantedAmount(visit.currency)) }
  const about = (name: string): Text | string | null => (error?.param === name ? (spelling[name] ?? error.message) : null)
  const isElsewhere = error !== null && !(FIELDS as readonly string[]).includes(error.param ?? '')
  const body = html`${heading(TEXTS.payWallet)}
<form class="form card" method="post" action="${visit.to('payouts/new')}" novalidate>${tokenField(visit)}
${failure(isElsewhere ? error : null)}
${formField({ name: 'recipient', label: TEXTS.recipientTagOrPhone, hint: TEXTS.phoneBeginsWithAndCountry, value: form.recipient, maxLength: 40, error: about('recipient') })}
${formField({ name: 'amount', label: DASHBOARD_WORDS.amountIn(currencySymbol(visit.currency)), value: form.amount, maxLength: 20, inputMode: amountKeyboard(visit.currency), error: about('amount') })}
${formField({ name: 'reference', label: DASHBOARD_WORDS.reference, value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
${areaField({ name: 'note', label: DASHBOARD_WORDS.note, value: form.note, rows: 2, error: about('note') })}
<button type="submit">${WORDS.check}</button>
</form>`
  visit.show({ title: DASHBOARD_WORDS.pay, place: 'payouts', body }, error === null ? 200 : 400)
}

/** Shows the confirmation. Its idempotency key is created here, so that a confirmation sent twice pays once. */
async function checkPayout(visit: Visit, form: PayoutForm): Promise<void> {
  const amount = amountOf(form.amount, visit.currency)
  if (typeof amount !== 'number' || amount < 1)
    return showForm(visit, form, { message: errorText({ code: 'invalid_request' }), param: 'amount' })
  const answer = await visit.ask<RecipientCheck>('checkRecipient', { body: { recipient: cleanRecipient(form.recipient) } })
  if (!answer.ok) return showForm(visit, form, answer.error)
  const { exists, display_name } = answer.body
  if (!exists) return showForm(visit, form, { message: TEXTS.noWalletHasTagOr })
  const balance = await visit.ask<Balance>('getBalance')
  const fee = feeNow(visit, 'payout', amount)
  const total = amount + fee
  const hidden = FIELDS.map((name) => html`<input type="hidden" name="${name}" value="${form[name]}">`)
  const body = html`${heading(TEXTS.confirmPayout)}
${facts([
  [DASHBOARD_WORDS.recipient, html`${theirs(form.recipient)} ${theirs(display_name)}`],
  [WORDS.amount, money(amount, visit.currency)],
  ...feeChecked(amount, fee, visit.currency),
  [DASHBOARD_WORDS.availableBalance, balance.ok && money(balance.body.available, balance.body.currency)],
  [WORDS.balanceAfter, balance.ok && balance.body.available >= total && money(balance.body.available - total, balance.body.currency)],
  [WORDS.reference, theirs(form.reference)],
  [DASHBOARD_WORDS.note, theirs(form.note)],
])}
${balance.ok && balance.body.available < total && html`<p class="error" role="alert">${TEXTS.availableBalanceNotEnoughPayout}</p>`}
<div class="actions"><form class="form" method="post" action="${visit.to('payouts')}">${tokenField(visit)}<input type="hidden" name="key" value="${newFormKey()}">${hidden}
<button type="submit">${TEXTS.pay(money(amount, visit.currency))}</button></form>
<form class="form" method="post" action="${visit.to('payouts/edit')}">${tokenField(visit)}${hidden}<button class="quiet" type="submit">${WORDS.startAgain}</button></form></div>`
  visit.show({ title: TEXTS.confirmPayout, place: 'payouts', body })
}

async function createPayout(visit: Visit, sent: PayoutForm & Sent<'key'>): Promise<void> {
  const texts = Object.fromEntries(FIELDS.map((name) => [name, sent[name]]))
  const body = filled({ ...texts, recipient: cleanRecipient(sent.recipient), amount: amountOf(sent.amount, visit.currency) })
  const answer = await visit.ask<Payout>('createPayout', { body, idempotencyKey: sent.key })
  if (answer.ok) visit.goTo(`payouts/${answer.body.id}`, 'payout_done')
  else showForm(visit, sent, answer.error)
}

async function showPayout(visit: Visit): Promise<void> {
  const answer = await visit.ask<Payout>('getPayout', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const payout = answer.body
  const { failure_code } = payout
  const body = html`${heading(html`${TEXTS.payout(money(payout.amount, payout.currency))}`, payoutBadge(payout))}
${failure_code !== undefined && html`<p class="error">${failureText(failure_code)}</p>`}
${facts(Object.values(factsOf(visit, payout)))}
${failure_code !== undefined && visit.may('createPayout') && payAgain(visit, payout)}
${payout.state === 'paid' && html`<div class="actions">${receiptLink(visit, `payouts/${payout.id}`)}</div>`}`
  visit.show({ title: WORDS.payout, place: 'payouts', outcome: payoutOutcome(payout), body })
}

/** Renders the button that puts a failed payout into the form again. */
function payAgain(visit: Visit, { recipient, amount, currency, reference, note }: Payout): Html {
  const sent: PayoutForm = { recipient: recipientText(recipient), amount: amountInput(amount, currency), reference, note }
  const hidden = FIELDS.map((name) => html`<input type="hidden" name="${name}" value="${sent[name]}">`)
  return html`<form class="form" method="post" action="${visit.to('payouts/edit')}">${tokenField(visit)}${hidden}<button type="submit">${TEXTS.payAgain}</button></form>`
}

/** Shown above the facts, or the same on the whole page. */
type InHeading = 'amount' | 'currency' | 'state' | 'failure_code' | 'environment'

/** In the order of the page. A new field of the schema does not compile until it is here. */
function factsOf(visit: Visit, payout: Payout): Readonly<Record<Exclude<keyof Payout, InHeading>, readonly [Text | string, Fragment]>> {
  const { batch_id, disbursement_id, schedule_id } = payout
  return {
    recipient: [DASHBOARD_WORDS.recipient, theirs(recipientText(payout.recipient))],
    fee: [WORDS.fee, money(payout.fee, payout.currency)],
    reference: [WORDS.reference, theirs(payout.reference)],
    note: [DASHBOARD_WORDS.note, theirs(payout.note)],
    created_at: [WORDS.date, dateText(payout.created_at)],
    batch_id: [TEXTS.batch, recordLink(visit, 'batches', batch_id)],
    disbursement_id: [DASHBOARD_WORDS.bulkPayout, recordLink(visit, 'disbursements', disbursement_id)],
    schedule_id: [DASHBOARD_WORDS.scheduledPayout, recordLink(visit, 'schedules', schedule_id)],
    transaction_id: [WORDS.transaction, transactionLink(visit, payout.transaction_id ?? null)],
    id: [WORDS.identifier, copyable('id', payout.id)],
  }
}
