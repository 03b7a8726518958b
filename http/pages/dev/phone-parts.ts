// Parts that the screens of the simulated phone share: statement lines, amounts, forms with a PIN.

import type { MyLimits, WalletLimit } from '../../../engine/contract/limits.ts'
import type { Transaction as StatementLine } from '../../../engine/contract/transaction.ts'
import { composed, type Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { dayAndTime } from '../shared/date-text.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { DEV_WORDS } from './dev-words.ts'
import { FORM_TOKEN_FIELD } from './local-guard.ts'
import type { Tried } from './phone-progress.ts'

const TEXTS = texts({
  fr: {
    balanceMissing: (available: string, prettyAmount: string) => `Solde : ${available}. Il manque ${prettyAmount}.`,
    leftToday: (left: string) => `Limite du jour : il vous reste ${left}.`,
    leftThisMonth: (left: string) => `Limite du mois : il vous reste ${left}.`,
    mayReceive: (left: string) => `Vous pouvez encore recevoir ${left} ce mois-ci.`,
    mayHold: (left: string) => `Votre solde peut encore augmenter de ${left}.`,
    balanceWillBeLeft: (available: string, left: string) => `Solde : ${available}. Il restera ${left}.`,
  },
  en: {
    balanceMissing: (available, prettyAmount) => `Balance: ${available}. ${prettyAmount} is missing.`,
    leftToday: (left) => `Limit of the day: ${left} are left.`,
    leftThisMonth: (left) => `Limit of the month: ${left} are left.`,
    mayReceive: (left) => `You may still receive ${left} this month.`,
    mayHold: (left) => `Your balance may still grow by ${left}.`,
    balanceWillBeLeft: (available, left) => `Balance: ${available}. ${left} will be left.`,
  },
})

/** From this amount on a smaller font size keeps the amount on one line of a small phone. */
const LONG_AMOUNT = 1_000_000

/** Names of transactions as the owner of a wallet sees them. */
export const LINE_NAMES: Readonly<Record<StatementLine['type'], Text | string>> = {
  deposit: WORDS.deposit,
  withdrawal: WORDS.withdrawal,
  payout: WORDS.payout,
  charge: WORDS.payment,
  refund: WORDS.refund,
  transfer: WORDS.transfer,
  bill: WORDS.bill,
  mandate: WORDS.directDebit,
  fee: WORDS.fee,
  fee_refund: WORDS.feeReturned,
}

/** Renders the amount of a screen, with the text above it. */
export function ticket(words: Fragment, amount: Fragment, more: Fragment = null): Html {
  return html`<section class="ticket phone" aria-labelledby="titre">
<h1 id="titre"><span class="to">${words}</span> ${amount}</h1>
${more}
</section>`
}

export function bigAmount(amount: number, currency: string): Html {
  return html`<span class="amount${(amount < 0 || amount >= LONG_AMOUNT) && ' is-long'}">${amount < 0 ? signedAmount(amount, currency) : amountText(amount, currency)}</span>`
}

export function signedAmount(amount: number, currency: string): Text {
  // A line never ends between the sign and the amount.
  return composed`${amount < 0 ? '−' : '+'}\u00a0${amountText(Math.abs(amount), currency)}`
}

/** Renders a line with a link to its receipt. `base` is the address of the history. */
export function lineRow(base: string, { id, amount, currency, type, counterparty, created_at }: StatementLine): Html {
  const name = counterparty === null ? LINE_NAMES[type] : html`<bdi>${counterparty}</bdi>`
  return html`<li><a href="${base}/${id}">${name}</a> <b>${signedAmount(amount, currency)}</b> <span class="hint">${counterparty !== null && html`${LINE_NAMES[type]}, `}${when(created_at)}</span></li>`
}

/** Renders a time of the API. */
export function when(rfc3339: string): Html {
  return html`<time datetime="${rfc3339}">${dayAndTime(Date.parse(rfc3339))}</time>`
}

/** Renders a receipt's rows. Rows without a value are left out. */
export function receipt(rows: readonly (readonly [name: Text | string, value: Fragment])[]): Html {
  const shown = rows.filter(([, value]) => value !== null && value !== false && value !== '')
  return html`<dl class="receipt">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Renders the hidden fields of a form: the CSRF token and the idempotency key. */
export function formStart(key: string): Html {
  return html`${FORM_TOKEN_FIELD}<input type="hidden" name="key" value="${key}">`
}

export function formError({ error }: Pick<Tried, 'error'>): Fragment {
  return error?.field === 'form' && html`<p class="error" role="alert">${error.message}</p>`
}

export function errorOf({ error }: Pick<Tried, 'error'>, field: string): Text | string | null {
  return error?.field === field ? error.message : null
}

export function pinField(tried: Pick<Tried, 'error'>): Html {
  return formField({
    name: 'pin',
    label: DEV_WORDS.pin,
    type: 'password',
    maxLength: 6,
    isCode: true,
    inputMode: 'numeric',
    error: errorOf(tried, 'pin'),
  })
}

/** What a payment takes: the amount, and the fee that its payer bears. */
export interface Price {
  readonly amount: number
  readonly fee: number
  readonly currency: string
}

/** Renders fee and total, before the PIN; nothing without a fee. */
export function priceRows({ amount, fee, currency }: Price): (readonly [Text, Fragment])[] {
  if (fee === 0) return []
  return [
    [WORDS.fee, amountText(fee, currency)],
    [WORDS.total, html`<b>${amountText(amount + fee, currency)}</b>`],
  ]
}

/** Returns what the balance becomes by a payment with its fee, or that it is too small. */
export function remaining(available: number, { amount, fee, currency }: Price): Text {
  const left = available - amount - fee
  return left < 0
    ? TEXTS.balanceMissing(amountText(available, currency), amountText(-left, currency))
    : TEXTS.balanceWillBeLeft(amountText(available, currency), amountText(left, currency))
}

const LEFT_WORDS: Readonly<Record<WalletLimit, (left: Text) => Text>> = {
  balance_max: TEXTS.mayHold,
  received_month_max: TEXTS.mayReceive,
  sent_day_max: TEXTS.leftToday,
  sent_month_max: TEXTS.leftThisMonth,
}

/** Limits that a payer meets. */
export const PAYER_LIMITS = ['sent_day_max', 'sent_month_max'] as const

/** Renders what the limits still allow; nothing without limits. */
export function limitsLeft({ left }: Pick<MyLimits, 'left'>, names: readonly WalletLimit[], currency: string): Fragment {
  return names.map((name) => {
    const amount = left[name]
    return amount !== null && html`<p class="hint">${LEFT_WORDS[name](amountText(amount, currency))}</p>`
  })
}
