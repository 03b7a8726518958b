// Transfers on the simulated phone: a form with the PIN, then the receipt. The wallet API takes tags, so the phone finds the
// tag of a number itself.
import type { EngineApi } from '../../../engine/api.ts'
import type { Balance } from '../../../engine/contract/balance.ts'
import type { Transfer } from '../../../engine/contract/transfer.ts'
import type { Route } from '../../server/route.ts'
import { amountText, typedAmount } from '../shared/amount-text.ts'
import { formField } from '../shared/form-field.ts'
import { html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { errorOf, formError, formStart, pinField } from './phone-parts.ts'
import type { TriedError } from './phone-progress.ts'
import { formRow, type PhoneVisit, screenRow, triedError, type VisitParts } from './phone-visit.ts'
import { tagOfPhone } from './phone-wallets.ts'

const TEXTS = texts({
  fr: {
    sendMoney: 'Envoyer de l’argent',
    balance: (available: string) => `Solde : ${available}`,
    noteForRecipient: 'Note pour le destinataire',
    errorSend: 'Erreur : envoyer',
    noWalletHasNumber: 'Aucun portefeuille ne porte ce numéro.',
  },
  en: {
    sendMoney: 'Send money',
    balance: (available) => `Balance: ${available}`,
    noteForRecipient: 'Note for the recipient',
    errorSend: 'Error: send',
    noWalletHasNumber: 'No wallet has this number.',
  },
})

const PATH = '/send'

export interface SendParts extends VisitParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function sendRows(parts: SendParts): readonly Route[] {
  return [
    screenRow(parts, { path: PATH, operationId: 'showPhoneTransfer', summary: 'Send money', show: showForm }),
    formRow(parts, {
      path: PATH,
      operationId: 'sendPhoneTransfer',
      summary: 'Send money with the PIN',
      fields: ['recipient', 'amount', 'note', 'pin'],
      act: (visit, sent) => transfer(parts, visit, sent),
    }),
  ]
}

async function showForm(visit: PhoneVisit): Promise<void> {
  const balance = await visit.ask<Balance>('getMyBalance')
  if (!balance.ok) return visit.refuse(balance.error, 'send')
  const tried = visit.tried(PATH)
  const { values } = tried
  const body = html`<section class="card narrow" aria-labelledby="titre">
<h1 id="titre">${TEXTS.sendMoney}</h1>
<p class="hint">${TEXTS.balance(amountText(balance.body.available))}</p>
<form class="form" method="post" action="send" novalidate>
${formStart(tried.key)}
${formError(tried)}
${formField({ name: 'recipient', label: WORDS.tagOrNumber, value: values.recipient ?? '', maxLength: 64, error: errorOf(tried, 'recipient') })}
${formField({ name: 'amount', label: WORDS.amountInFCfa, value: values.amount ?? '', maxLength: 24, inputMode: 'numeric', error: errorOf(tried, 'amount') })}
${formField({ name: 'note', label: TEXTS.noteForRecipient, value: values.note ?? '', maxLength: 100, isRequired: false, error: errorOf(tried, 'note') })}
${pinField(tried)}
<button type="submit">${WORDS.send}</button>
</form>
</section>`
  visit.show({ title: tried.error === null ? WORDS.send : TEXTS.errorSend, here: 'send', body })
}

const FIELDS = { recipient: 'recipient', amount: 'amount', note: 'note' }

async function transfer(parts: SendParts, visit: PhoneVisit, sent: Readonly<Record<string, string>>): Promise<void> {
  const { recipient = '', amount: typed = '', note = '', pin = '', key = '' } = sent
  const again = (error: TriedError): void => visit.again(PATH, { key, values: { recipient, amount: typed, note }, error })
  const amount = typedAmount(typed)
  if (amount === null) return again({ field: 'amount', message: WORDS.typeAmountInFrancsWithout })
  const tag = tagOfPhone(parts.engine, visit.session.environment, recipient)
  if (tag === null) return again({ field: 'recipient', message: TEXTS.noWalletHasNumber })
  const answer = await visit.ask<Transfer>('createTransfer', { body: { recipient: tag, amount, note, pin }, idempotencyKey: key })
  if (answer.ok) return visit.goTo(`/history/${answer.body.transaction_id}?ok=sent`)
  const error = triedError(answer.error, FIELDS)
  again(answer.error.code === 'recipient_not_found' ? { ...error, field: 'recipient' } : error)
}
