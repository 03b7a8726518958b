// Play money for a test wallet, and payment links: a scanned link asks for the amount and makes a charge, as its page does.
import { AUDIT_ACCOUNT, type EngineApi, type Outcome } from '../../../engine/api.ts'
import type { Balance } from '../../../engine/contract/balance.ts'
import type { ErrorValue } from '../../../engine/contract/errors.ts'
import type { Route } from '../../server/route.ts'
import { errorText } from '../../text/error-text.ts'
import { Text } from '../../text/text.ts'
import { amountInput, amountLabel, amountText, typedAmount } from '../shared/amount-text.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, html } from '../shared/html.ts'
import { type FoundLink, LinkCharges } from '../shared/link-charges.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { PLAY_MONEY_MAX } from './dev-limits.ts'
import { bigAmount, errorOf, formError, formStart, ticket } from './phone-parts.ts'
import { formRow, type PhoneVisit, screenRow, type VisitParts } from './phone-visit.ts'

const TEXTS = texts({
  fr: {
    typeAmountUpTo: (least: string, most: string) => `Saisissez un montant de ${least} à ${most}.`,
    testWalletsAloneReceiveTest: 'Seul un portefeuille de test reçoit de l’argent de test.',
    tryAgainInMoment: 'Réessayez dans un instant.',
    paymentLinkClosed: 'Ce lien de paiement est fermé.',
    linkDoesNotExistOr: 'Ce lien n’existe pas, ou pas dans l’environnement de ce portefeuille.',
    pay: (merchantName: Fragment) => html`Payer <b><bdi>${merchantName}</bdi></b>`,
  },
  en: {
    typeAmountUpTo: (least, most) => `Type an amount from ${least} to ${most}.`,
    testWalletsAloneReceiveTest: 'Test wallets alone receive test money.',
    tryAgainInMoment: 'Try again in a moment.',
    paymentLinkClosed: 'This payment link is closed.',
    linkDoesNotExistOr: 'This link does not exist, or not in the environment of this wallet.',
    pay: (merchantName) => html`Pay <b><bdi>${merchantName}</bdi></b>`,
  },
})

export interface MoneyParts extends VisitParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly checkoutBase: string
}

export function moneyRows(parts: MoneyParts): readonly Route[] {
  const charges = new LinkCharges(parts)
  return [
    formRow(parts, {
      path: '/fund',
      operationId: 'sendPhonePlayMoney',
      summary: 'Put play money on a test wallet',
      fields: ['amount'],
      act: fund,
    }),
    screenRow(parts, {
      path: '/link/{code}',
      operationId: 'showPhoneLink',
      summary: 'A scanned payment link',
      show: (visit) => showLink(parts, visit),
    }),
    formRow(parts, {
      path: '/link/{code}',
      operationId: 'sendPhoneLink',
      summary: 'Make the charge of a payment link',
      fields: ['amount'],
      act: (visit, { amount }) => charge(parts, charges, visit, amount),
    }),
  ]
}

/** The path of the first screen, whose form for play money is shown again after an error. */
export const FUND_PATH = ''

async function fund(visit: PhoneVisit, { amount: typed, key }: Readonly<Record<'amount' | 'key', string>>): Promise<void> {
  const { tag, environment } = visit.session
  const again = (message: Text): void => visit.again(FUND_PATH, { key, values: { amount: typed }, error: { field: 'amount', message } })
  const balance = await visit.ask<Balance>('getMyBalance')
  if (!balance.ok) return visit.refuse(balance.error, 'home')
  const { currency } = balance.body
  const amount = typedAmount(typed, currency)
  if (amount === null || amount < 1 || amount > PLAY_MONEY_MAX)
    return again(TEXTS.typeAmountUpTo(amountInput(1, currency), withPlainBlanks(amountText(PLAY_MONEY_MAX, currency))))
  if (environment !== 'test') return again(TEXTS.testWalletsAloneReceiveTest)
  const command = { type: 'Deposit', target: { tag }, environment: 'test', amount, reference: 'TEST', by: 'test_helper' } as const
  visit.call.ask(command, AUDIT_ACCOUNT, (outcome) => (outcome.kind === 'created' ? visit.goTo('') : again(messageOf(outcome))))
}

function withPlainBlanks(text: Text): Text {
  return new Text((language) => text.in(language).replaceAll(/[\u00a0\u202f]/g, ' '))
}

function messageOf({ body }: Outcome): Text {
  return body === '' ? TEXTS.tryAgainInMoment : errorText(JSON.parse(body) as ErrorValue)
}

/** Returns the link of the page's code. Otherwise it answers with an error. */
function linkOf({ engine }: MoneyParts, visit: PhoneVisit): FoundLink | null {
  const found = engine.query('paymentLinks.byCode', { code: visit.param(0) })
  if (found?.link.environment === visit.session.environment && found.link.state === 'active') return found
  if (found?.link.state === 'closed') visit.refuse({ code: 'payment_link_closed', message: TEXTS.paymentLinkClosed }, 'home')
  else visit.refuse({ code: 'not_found', message: TEXTS.linkDoesNotExistOr }, 'home')
  return null
}

async function showLink(parts: MoneyParts, visit: PhoneVisit): Promise<void> {
  const found = linkOf(parts, visit)
  if (found === null) return
  const { link, merchantName } = found
  const code = visit.param(0)
  const tried = visit.tried(`/link/${code}`)
  const body = html`${ticket(
    html`${TEXTS.pay(merchantName)}`,
    link.amount !== null && bigAmount(link.amount, link.currency),
    html`<p class="words"><bdi>${link.description}</bdi></p>`,
  )}
<section class="card narrow" aria-label="${WORDS.payment}">
<form class="form" method="post" action="${code}" novalidate>${formStart(tried.key)}
${formError(tried)}
${link.amount === null && formField({ name: 'amount', label: amountLabel(link.currency), value: tried.values.amount ?? '', maxLength: 24, inputMode: 'numeric', error: errorOf(tried, 'amount') })}
<button type="submit">${WORDS.continue}</button>
</form>
</section>`
  visit.show({ title: WORDS.pay(merchantName), here: 'home', body })
}

async function charge(parts: MoneyParts, charges: LinkCharges, visit: PhoneVisit, typed: string): Promise<void> {
  const found = linkOf(parts, visit)
  if (found === null) return
  const path = `/link/${visit.param(0)}`
  const field = found.link.amount === null ? 'amount' : 'form'
  charges.make(visit.call, found, typed, {
    made: (token) => visit.goTo(`/charge?c=${token}`),
    rejected: (message) => visit.again(path, { key: '', values: { amount: typed }, error: { field, message } }),
  })
}
