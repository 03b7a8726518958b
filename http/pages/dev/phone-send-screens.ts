// Transfers on the simulated phone: a form with the PIN, then the receipt. The wallet API takes tags, so the phone finds the
// tag of a number itself.
import type { EngineApi } from '../../../engine/api.ts'
import type { Balance } from '../../../engine/contract/balance.ts'
import type { Fee } from '../../../engine/contract/fees.ts'
import type { MyLimits } from '../../../engine/contract/limits.ts'
import type { Transfer } from '../../../engine/contract/transfer.ts'
import type { Route } from '../../server/route.ts'
import { amountLabel, amountText, amountWanted, typedAmount } from '../shared/amount-text.ts'
import { formField } from '../shared/form-field.ts'
import { html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import {
  bigAmount,
  errorOf,
  formError,
  formStart,
  limitsLeft,
  PAYER_LIMITS,
  pinField,
  priceRows,
  receipt,
  remaining,
  ticket,
} from './phone-parts.ts'
import type { TriedError } from './phone-progress.ts'
import { formRow, type PhoneVisit, screenRow, triedError, type VisitParts } from './phone-visit.ts'
import { tagOfPhone } from './phone-wallets.ts'

const TEXTS = texts({
  fr: {
    sendMoney: 'Envoyer de l’argent',
    balance: (available: string) => `Solde : ${available}`,
    noteForRecipient: 'Note pour le destinataire',
    sendTo: (tag: string) => `Envoyer à ${tag}`,
    errorSend: 'Erreur : envoyer',
    noWalletHasNumber: 'Aucun portefeuille ne porte ce numéro.',
  },
  en: {
    sendMoney: 'Send money',
    balance: (available) => `Balance: ${available}`,
    noteForRecipient: 'Note for the recipient',
    sendTo: (tag) => `Send to ${tag}`,
    errorSend: 'Error: send',
    noWalletHasNumber: 'No wallet has this number.',
  },
})

const PATH = '/send'
const CONFIRM = '/send/confirm'

export interface SendParts extends VisitParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function sendRows(parts: SendParts): readonly Route[] {
  return [
    screenRow(parts, { path: PATH, operationId: 'showPhoneTransfer', summary: 'Send money', show: showForm }),
    formRow(parts, {
      path: PATH,
      operationId: 'orderPhoneTransfer',
      summary: 'To whom, and how much',
      fields: ['recipient', 'amount', 'note'],
      act: (visit, sent) => order(parts, visit, sent),
    }),
    screenRow(parts, { path: CONFIRM, operationId: 'showPhoneTransferPrice', summary: 'The transfer, before the PIN', show: showPrice }),
    formRow(parts, {
      path: CONFIRM,
      operationId: 'sendPhoneTransfer',
      summary: 'Send money with the PIN',
      fields: ['order', 'pin'],
      act: transfer,
    }),
  ]
}

async function showForm(visit: PhoneVisit): Promise<void> {
  const balance = await visit.ask<Balance>('getMyBalance')
  if (!balance.ok) return visit.refuse(balance.error, 'send')
  const { available, currency } = balance.body
  const tried = visit.tried(PATH)
  const { values } = tried
  const body = html`<section class="card narrow" aria-labelledby="titre">
<h1 id="titre">${TEXTS.sendMoney}</h1>
<p class="hint">${TEXTS.balance(amountText(available, currency))}</p>
<form class="form" method="post" action="send" novalidate>
${formStart(tried.key)}
${formError(tried)}
${formField({ name: 'recipient', label: WORDS.tagOrNumber, value: values.recipient ?? '', maxLength: 64, error: errorOf(tried, 'recipient') })}
${formField({ name: 'amount', label: amountLabel(currency), value: values.amount ?? '', maxLength: 24, inputMode: 'numeric', error: errorOf(tried, 'amount') })}
${formField({ name: 'note', label: TEXTS.noteForRecipient, value: values.note ?? '', maxLength: 100, isRequired: false, error: errorOf(tried, 'note') })}
<button type="submit">${WORDS.continue}</button>
</form>
</section>`
  visit.show({ title: tried.error === null ? WORDS.send : TEXTS.errorSend, here: 'send', body })
}

/** What is sent. It travels sealed in the address of the page that asks for the PIN. */
interface Order {
  /** Tag of the recipient. */
  readonly recipient: string
  readonly amount: number
  /** As they were typed. */
  readonly typed: Readonly<Record<'recipient' | 'amount' | 'note', string>>
}

async function order(parts: SendParts, visit: PhoneVisit, sent: Readonly<Record<string, string>>): Promise<void> {
  const { recipient = '', amount: typed = '', note = '', key = '' } = sent
  const values = { recipient, amount: typed, note }
  const again = (error: TriedError): void => visit.again(PATH, { key, values, error })
  const balance = await visit.ask<Balance>('getMyBalance')
  if (!balance.ok) return visit.refuse(balance.error, 'send')
  const amount = typedAmount(typed, balance.body.currency)
  if (amount === null || amount < 1) return again({ field: 'amount', message: amountWanted(balance.body.currency) })
  const tag = tagOfPhone(parts.engine, visit.session.environment, recipient)
  if (tag === null) return again({ field: 'recipient', message: TEXTS.noWalletHasNumber })
  const ordered: Order = { recipient: tag, amount, typed: values }
  visit.goTo(`${CONFIRM}?o=${visit.sealed(CONFIRM, ordered)}`)
}

async function showPrice(visit: PhoneVisit): Promise<void> {
  const sealed = visit.query.get('o') ?? ''
  const ordered = visit.unsealed<Order>(CONFIRM, 'o')
  if (ordered === null) return visit.goTo(PATH)
  const { recipient, amount, typed } = ordered
  const [balance, limits, cost] = await Promise.all([
    visit.ask<Balance>('getMyBalance'),
    visit.ask<MyLimits>('getMyLimits'),
    visit.ask<Fee>('getMyFee', { query: { on: 'transfer', amount: String(amount) } }),
  ])
  if (!balance.ok) return visit.refuse(balance.error, 'send')
  if (!limits.ok) return visit.refuse(limits.error, 'send')
  // An amount that no transfer may have: the form says why.
  if (!cost.ok) return visit.again(PATH, { ...visit.fresh(), values: typed, error: triedError(cost.error, FIELDS) })
  const { available, currency } = balance.body
  const price = { amount, fee: cost.body.fee, currency }
  const tried = visit.tried(CONFIRM)
  const body = html`${ticket(TEXTS.sendTo(`@${recipient.replace(/^@/, '')}`), bigAmount(amount, currency))}
<section class="card narrow" aria-labelledby="confirmer"><h2 id="confirmer">${WORDS.confirm}</h2>
${price.fee > 0 && receipt(priceRows(price))}
<p class="hint">${remaining(available, price)}</p>
${limitsLeft(limits.body, PAYER_LIMITS, currency)}
<form class="form" method="post" action="confirm" novalidate>
${formStart(tried.key)}<input type="hidden" name="order" value="${sealed}">
${formError(tried)}
${pinField(tried)}
<button type="submit">${WORDS.send}</button>
</form>
<p class="back"><a class="alone" href="../send">${WORDS.edit}</a></p>
</section>`
  visit.show({ title: tried.error === null ? WORDS.send : TEXTS.errorSend, here: 'send', body })
}

const FIELDS = { recipient: 'recipient', amount: 'amount', note: 'note' }

async function transfer(visit: PhoneVisit, { order: sealed, pin, key }: Readonly<Record<'order' | 'pin' | 'key', string>>): Promise<void> {
  const ordered = visit.opened<Order>(CONFIRM, sealed)
  if (ordered === null) return visit.goTo(PATH)
  const { recipient, amount, typed } = ordered
  const body = { recipient, amount, note: typed.note, pin }
  const answer = await visit.ask<Transfer>('createTransfer', { body, idempotencyKey: key })
  if (answer.ok) return visit.goTo(`/history/${answer.body.transaction_id}?ok=sent`)
  const error = triedError(answer.error, FIELDS)
  const isRecipient = answer.error.code === 'recipient_not_found'
  if (isRecipient || error.field in FIELDS) {
    return visit.again(PATH, { ...visit.fresh(), values: typed, error: isRecipient ? { ...error, field: 'recipient' } : error })
  }
  visit.goTo(`${CONFIRM}?o=${encodeURIComponent(sealed)}&s=${visit.sealed(CONFIRM, { key, values: {}, error })}`)
}
