// Withdrawals in the dashboard: ask, confirm with the balance before and after, see what became of it, cancel.

import type { Balance } from '../../../../engine/contract/balance.ts'
import type { Withdrawal } from '../../../../engine/contract/withdrawal.ts'
import { DESTINATION_KINDS, type WithdrawalAccount } from '../../../../engine/contract/withdrawal-account.ts'
import type { Route } from '../../../server/route.ts'
import { errorText } from '../../../text/error-text.ts'
import type { Text } from '../../../text/text.ts'
import { amountKeyboard, amountText, currencySymbol, wantedAmount } from '../../shared/amount-text.ts'
import { type ApiError, newFormKey } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { listRows } from '../lists/list-page.ts'
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
  table,
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { feeChecked, feeNow } from '../shared/fee-facts.ts'
import { receiptLink } from '../shared/receipt.ts'
import { moveRow } from '../shared/record-moves.ts'
import type { RowPage } from '../shared/row-reader.ts'
import { copyable } from '../shared/share-links.ts'
import { tokenField } from '../shared/shell.ts'
import { amountOf, filled } from '../shared/typed-text.ts'
import { DESTINATION_NAMES, groupedAccount, isUsable, kindOf } from './withdrawal-account-pages.ts'
import { LIVE, STATES, WITHDRAWALS } from './withdrawal-list.ts'
import { TEXTS } from './withdrawal-pages-messages.ts'

/** `to` is a saved account; without one the other fields name the destination. */
const FIELDS = ['to', 'amount', 'kind', 'name', 'account', 'reference'] as const

type WithdrawalForm = Sent<(typeof FIELDS)[number]>

const NOTHING: WithdrawalForm = { to: '', amount: '', kind: 'bank', name: '', account: '', reference: '' }

export function withdrawalRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, WITHDRAWALS),
    pageRow(parts, {
      path: '/withdrawals/new',
      operationId: 'showWithdrawalForm',
      needs: 'requestWithdrawal',
      summary: 'Take money out',
      show: async (visit) => {
        const to = visit.query.get('to') ?? (await savedAccounts(visit))[0]?.id ?? ''
        await showForm(visit, { ...NOTHING, to }, null)
      },
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

const SPELLING: Readonly<Record<string, Text | string>> = {
  'destination.name': TEXTS.typeHolderAccount,
  'destination.account': TEXTS.typeNumberAccount,
}

/** The saved accounts that are usable now. */
async function savedAccounts(visit: Visit): Promise<readonly WithdrawalAccount[]> {
  const answer = await visit.ask<RowPage<WithdrawalAccount>>('listWithdrawalAccounts', { query: { limit: ACCOUNTS_READ } })
  return answer.ok ? answer.body.data.filter((account) => isUsable(visit, account)) : []
}

const ACCOUNTS_READ = '100'

/** One line for a choice and for the page that asks for the confirmation. */
function accountText({ name, account }: Pick<WithdrawalAccount, 'name' | 'account'>): string {
  return `${name}, ${groupedAccount(account)}`
}

async function showForm(visit: Visit, form: WithdrawalForm, error: Pick<ApiError, 'message' | 'param'> | null): Promise<void> {
  const saved = await savedAccounts(visit)
  const spelling: typeof SPELLING = { ...SPELLING, amount: DASHBOARD_WORDS.typeAmount(wantedAmount(visit.currency)) }
  const about = (name: string): Text | string | null => (error?.param === name ? (spelling[name] ?? error.message) : null)
  const isHere = error !== null && (Object.hasOwn(spelling, error.param ?? '') || error.param === 'reference')
  const choices = [
    ...saved.map((account) => ({ value: account.id, words: accountText(account) })),
    { value: '', words: TEXTS.anotherAccount },
  ]
  const body = html`${heading(TEXTS.withdrawMoney)}
<form class="form card" method="post" action="${visit.to('withdrawals/new')}" novalidate>${tokenField(visit)}
${failure(isHere ? null : error)}
${formField({ name: 'amount', label: DASHBOARD_WORDS.amountIn(currencySymbol(visit.currency)), value: form.amount, maxLength: 20, inputMode: amountKeyboard(visit.currency), error: about('amount') })}
${saved.length > 0 && selectField('to', TEXTS.to, choices, form.to)}
${saved.length === 0 ? otherAccount(form, about) : html`<details class="other"${(form.to === '' || form.name !== '' || form.account !== '') && html` open`}><summary>${TEXTS.anotherAccount}</summary>${otherAccount(form, about)}</details>`}
<p class="hint">${TEXTS.saveAccounts(visit.to('withdrawal-accounts'))}</p>
${formField({ name: 'reference', label: DASHBOARD_WORDS.reference, value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
<button type="submit">${WORDS.check}</button>
</form>
${await historyPart(visit)}`
  visit.show({ title: TEXTS.withdrawMoney, place: 'withdrawals', body }, error === null ? 200 : 400)
}

function otherAccount(form: WithdrawalForm, about: (name: string) => Text | string | null): Html {
  const kinds = DESTINATION_KINDS.map((value) => ({ value, words: DESTINATION_NAMES[value] }))
  return html`${selectField('kind', TEXTS.kindAccount, kinds, form.kind)}
${formField({ name: 'name', label: TEXTS.holderAccount, value: form.name, maxLength: 140, isRequired: false, error: about('destination.name') })}
${formField({ name: 'account', label: TEXTS.numberAccount, hint: TEXTS.ibanOrPhoneNumberWith, value: form.account, maxLength: 64, isRequired: false, error: about('destination.account') })}`
}

const HISTORY_READ = '20'
const HISTORY_SHOWN = 3
const HOUR_MS = 3_600_000

/** The newest withdrawals, and how long the paid ones among them took: the median. */
async function historyPart(visit: Visit): Promise<Fragment> {
  const answer = await visit.ask<RowPage<Withdrawal>>('listWithdrawals', { query: { limit: HISTORY_READ } })
  if (!answer.ok || answer.body.data.length === 0) return null
  const { data } = answer.body
  const paid = data.filter(({ state, finished_at }) => state === 'paid' && finished_at !== null)
  const took = paid
    .map(({ created_at, finished_at }) => Date.parse(finished_at ?? created_at) - Date.parse(created_at))
    .sort((a, b) => a - b)
  const median = took[Math.floor(took.length / 2)]
  return html`<section><h2>${TEXTS.latestWithdrawals}</h2>${median !== undefined && html`<p>${TEXTS.usualDelay(delayText(median), took.length)}</p>`}
${table(TEXTS.latestWithdrawals, await WITHDRAWALS.columns(visit), data.slice(0, HISTORY_SHOWN), '')}</section>`
}

function delayText(ms: number): Text {
  if (ms < HOUR_MS) return TEXTS.minutes(Math.max(1, Math.round(ms / 60_000)))
  return ms < 48 * HOUR_MS ? TEXTS.hours(Math.round(ms / HOUR_MS)) : TEXTS.days(Math.round(ms / (24 * HOUR_MS)))
}

/** Shows the balance before and after. Its idempotency key is created here, so that a confirmation sent twice holds once. */
async function confirm(visit: Visit, form: WithdrawalForm): Promise<void> {
  const amount = amountOf(form.amount, visit.currency)
  if (typeof amount !== 'number' || amount < 1)
    return showForm(visit, form, { message: errorText({ code: 'invalid_request' }), param: 'amount' })
  const saved = form.to === '' ? undefined : (await savedAccounts(visit)).find(({ id }) => id === form.to)
  if (form.to !== '' && saved === undefined) return showForm(visit, { ...form, to: '' }, { message: TEXTS.accountNotUsable })
  const typed = typedAccount(form)
  if (saved !== undefined && (typed.name !== '' || typed.account !== '')) return showForm(visit, form, { message: TEXTS.chooseOneAccount })
  const destination = saved ?? {
    kind: form.kind === 'mobile_money' ? ('mobile_money' as const) : ('bank' as const),
    provider: null,
    ...typed,
  }
  if (destination.name === '') return showForm(visit, form, { message: errorText({ code: 'invalid_request' }), param: 'destination.name' })
  if (destination.account === '')
    return showForm(visit, form, { message: errorText({ code: 'invalid_request' }), param: 'destination.account' })
  const answer = visit.app.engine.query('accounts.balance', { account: visit.principal.account })
  const { available }: Pick<Balance, 'available'> = answer
  const fee = feeNow(visit, 'withdrawal', amount)
  if (available < amount + fee)
    return showForm(visit, form, { message: TEXTS.availableBalanceLessThanAmount(amountText(available, visit.currency)) })
  const hidden = FIELDS.map((name) => html`<input type="hidden" name="${name}" value="${form[name]}">`)
  const body = html`${heading(TEXTS.confirmWithdrawal)}
${facts([
  [WORDS.amount, money(amount, visit.currency)],
  ...feeChecked(amount, fee, visit.currency),
  [TEXTS.to, html`${kindOf(destination)}, ${theirs(accountText(destination))}`],
  [DASHBOARD_WORDS.reference, theirs(form.reference)],
  [TEXTS.availableBefore, money(available, visit.currency)],
  [TEXTS.availableAfter, money(available - amount - fee, visit.currency)],
])}
<p>${TEXTS.amountReservedFromNowOn}</p>
<div class="actions"><form class="form" method="post" action="${visit.to('withdrawals')}">${tokenField(visit)}<input type="hidden" name="key" value="${newFormKey()}">${hidden}
<button type="submit">${TEXTS.withdraw(money(amount, visit.currency))}</button></form>
<form class="form" method="post" action="${visit.to('withdrawals/edit')}">${tokenField(visit)}${hidden}<button class="quiet" type="submit">${WORDS.startAgain}</button></form></div>`
  visit.show({ title: TEXTS.confirmWithdrawal, place: 'withdrawals', body })
}

async function create(visit: Visit, sent: WithdrawalForm & Sent<'key'>): Promise<void> {
  const { to, amount, kind, reference, key } = sent
  const destination = to === '' ? { destination: { kind, ...typedAccount(sent) } } : { withdrawal_account_id: to }
  const body = filled({ amount: amountOf(amount, visit.currency), ...destination, reference })
  const answer = await visit.ask<Withdrawal>('requestWithdrawal', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo(`withdrawals/${answer.body.id}`, answer.replayed ? undefined : 'withdrawal_created')
  else await showForm(visit, sent, answer.error)
}

function typedAccount({ name, account }: Pick<WithdrawalForm, 'name' | 'account'>) {
  return { name: name.trim(), account: account.trim() }
}

async function showWithdrawal(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Withdrawal>('getWithdrawal', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const { id, amount, currency, fee, state, destination, reason, reference, settlement_reference, created_at, finished_at } = answer.body
  const body = html`${live('title', heading(html`${TEXTS.withdrawal2(money(amount, currency))}`, badge(...STATES[state])))}
${failure(error)}
${live(
  'outcome',
  html`${state === 'requested' && openPart(visit, id)}
${reason !== null && html`<p class="error">${TEXTS.refusedAmountAvailableAgain(reason)}</p>`}`,
)}
${live(
  'facts',
  facts([
    [WORDS.amount, money(amount, currency)],
    [WORDS.fee, fee > 0 && money(fee, currency)],
    [TEXTS.to, html`${kindOf({ provider: null, ...destination })}, ${theirs(accountText(destination))}`],
    [DASHBOARD_WORDS.reference, theirs(reference)],
    [DASHBOARD_WORDS.referenceTransfer, settlement_reference !== null && theirs(settlement_reference)],
    [DASHBOARD_WORDS.requestedOn, dateText(created_at)],
    [DASHBOARD_WORDS.endedOn, finished_at !== null && dateText(finished_at)],
    [WORDS.identifier, copyable('id', id)],
  ]),
)}
${live('actions', state === 'paid' && html`<div class="actions">${receiptLink(visit, `withdrawals/${id}`)}</div>`)}`
  visit.show({ title: WORDS.withdrawal, place: 'withdrawals', live: LIVE, body }, error === null ? 200 : 409)
}

function openPart(visit: Visit, id: string): Html {
  const here = visit.to(`withdrawals/${id}`)
  return html`<p>${TEXTS.amountReservedServiceSendsIt}</p>
<div class="actions">${visit.environment === 'test' && actionButton(visit, `${here}/pay`, TEXTS.payAsServiceTest, 'strong')}
${confirmedAction(visit, `${here}/cancel`, { ask: DASHBOARD_WORDS.cancel, warn: TEXTS.amountBecomesAvailableAgain, go: TEXTS.cancelWithdrawal })}</div>`
}
