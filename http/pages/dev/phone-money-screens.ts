// Play money for a test wallet, and payment links: a scanned link asks for the amount and makes a charge, as its page does.

import { AUDIT_ACCOUNT, type EngineApi, type Outcome } from '../../../engine/api.ts'
import type { ErrorValue } from '../../../engine/contract/errors.ts'
import type { Route } from '../../server/route.ts'
import { errorMessage } from '../../text/error-text.ts'
import { type FoundLink, LinkCharges } from '../checkout/link-charges.ts'
import { formField } from '../form-field.ts'
import { html, titled, Verbatim } from '../html.ts'
import { typedAmount } from '../typed-amount.ts'
import { PLAY_MONEY_MAX } from './dev-limits.ts'
import { bigAmount, errorOf, formError, formStart, ticket } from './phone-parts.ts'
import { formRow, type PhoneVisit, screenRow, type VisitParts } from './phone-visit.ts'

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
  const again = (message: string): void => visit.again(FUND_PATH, { key, values: { amount: typed }, error: { field: 'amount', message } })
  const amount = typedAmount(typed)
  if (amount === null || amount < 1 || amount > PLAY_MONEY_MAX) return again('Saisissez un montant de 1 à 1 000 000 F CFA.')
  if (environment !== 'test') return again('Seul un portefeuille de test reçoit de l’argent de test.')
  const command = { type: 'Deposit', target: { tag }, environment: 'test', amount, reference: 'TEST', by: 'test_helper' } as const
  visit.call.ask(command, AUDIT_ACCOUNT, (outcome) => (outcome.kind === 'created' ? visit.goTo('') : again(messageOf(outcome))))
}

function messageOf({ body }: Outcome): string {
  return body === '' ? 'Réessayez dans un instant.' : errorMessage(JSON.parse(body) as ErrorValue, 'fr')
}

/** Returns the link of the page's code. Otherwise it answers with an error. */
function linkOf({ engine }: MoneyParts, visit: PhoneVisit): FoundLink | null {
  const found = engine.query('paymentLinks.byCode', { code: visit.param(0) })
  if (found?.link.environment === visit.session.environment && found.link.state === 'active') return found
  if (found?.link.state === 'closed') visit.refuse({ code: 'payment_link_closed', message: 'Ce lien de paiement est fermé.' }, 'home')
  else visit.refuse({ code: 'not_found', message: 'Ce lien n’existe pas, ou pas dans l’environnement de ce portefeuille.' }, 'home')
  return null
}

async function showLink(parts: MoneyParts, visit: PhoneVisit): Promise<void> {
  const found = linkOf(parts, visit)
  if (found === null) return
  const { link, merchantName } = found
  const code = visit.param(0)
  const tried = visit.tried(`/link/${code}`)
  const body = html`${ticket(
    html`Payer <b><bdi>${merchantName}</bdi></b>`,
    link.amount !== null && bigAmount(link.amount),
    html`<p class="words"><bdi>${link.description}</bdi></p>`,
  )}
<section class="card narrow" aria-label="Paiement">
<form class="form" method="post" action="${code}" novalidate>${formStart(tried.key)}
${formError(tried)}
${link.amount === null && formField({ name: 'amount', label: 'Montant en F CFA', value: tried.values.amount ?? '', maxLength: 24, inputMode: 'numeric', error: errorOf(tried, 'amount') })}
<button type="submit">Continuer</button>
</form>
</section>`
  visit.show({ title: titled`Payer ${new Verbatim(merchantName)}`, here: 'home', body })
}

async function charge(parts: MoneyParts, charges: LinkCharges, visit: PhoneVisit, typed: string): Promise<void> {
  const found = linkOf(parts, visit)
  if (found === null) return
  const path = `/link/${visit.param(0)}`
  const field = found.link.amount === null ? 'amount' : 'form'
  charges.make(visit.call, found, typed, {
    made: (token) => visit.goTo(`/charge?c=${token}`),
    rejected: (message) => visit.again(path, { key: '', values: { amount: typed }, error: { field, message: String(message) } }),
  })
}
