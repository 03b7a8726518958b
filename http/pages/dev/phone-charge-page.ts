// A charge on the simulated phone: the scanned charge, the PIN, and the result.

import type { ChargeState } from '../../../engine/api.ts'
import type { Checkout } from '../../../engine/contract/checkout.ts'
import type { MyLimits } from '../../../engine/contract/limits.ts'
import type { Text } from '../../text/text.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import type { Page } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { devPage } from './dev-page.ts'
import { DEV_WORDS } from './dev-words.ts'
import { FORM_TOKEN_FIELD } from './local-guard.ts'
import { bigAmount, limitsLeft, PAYER_LIMITS, priceRows, receipt, remaining, ticket } from './phone-parts.ts'
import type { PhoneSession, TriedError } from './phone-progress.ts'
import { phoneMenu } from './phone-visit.ts'

const TEXTS = texts({
  fr: {
    pays: (tag: Fragment, merchantName: Fragment) => html`@${tag} paie à <b><bdi>${merchantName}</bdi></b>`,
    pay: 'Payer',
    errorPay: 'Erreur : payer',
    paymentNotFound: 'Paiement introuvable',
  },
  en: {
    pays: (tag, merchantName) => html`@${tag} pays to <b><bdi>${merchantName}</bdi></b>`,
    pay: 'Pay',
    errorPay: 'Error: pay',
    paymentNotFound: 'Payment not found',
  },
})

/** Relative path from `/dev/phone/charge` to the root. */
const ROOT = '../../'

export interface ChargeView {
  readonly session: PhoneSession
  readonly token: string
  readonly charge: Checkout
  /** Balance of the wallet. */
  readonly available: number
  readonly limits: MyLimits
  /** Idempotency key of the payment: a form sent twice pays once. */
  readonly formKey: string
  readonly error: TriedError | null
}

export function chargePage(view: ChargeView): Page {
  const { charge, session, error } = view
  const words = html`${TEXTS.pays(session.tag, charge.merchant_name)}`
  const description = charge.description !== '' && html`<p class="words"><bdi>${charge.description}</bdi></p>`
  const body = html`${phoneMenu(`${ROOT}dev/phone`, 'home')}${ticket(words, bigAmount(charge.amount, charge.currency), description)}
${charge.state === 'pending' ? pinForm(view) : ended(charge.state)}
<p class="back"><a class="alone" href="../phone">${DEV_WORDS.backPhone}</a></p>`
  return devPage({ title: error === null ? TEXTS.pay : TEXTS.errorPay, root: ROOT, here: 'phone', body })
}

function pinForm({ token, formKey, error, available, limits, charge }: ChargeView): Html {
  return html`<section class="card narrow" aria-labelledby="confirmer">
<h2 id="confirmer">${WORDS.confirm}</h2>
${priceRows(charge).length > 0 && receipt(priceRows(charge))}
<p class="hint">${remaining(available, charge)}</p>
${limitsLeft(limits, PAYER_LIMITS, charge.currency)}
<form class="form" method="post" action="pay" novalidate>
${FORM_TOKEN_FIELD}<input type="hidden" name="token" value="${token}"><input type="hidden" name="key" value="${formKey}">
${error?.field === 'form' && html`<p class="error" role="alert">${error.message}</p>`}
${formField({
  name: 'pin',
  label: DEV_WORDS.pin,
  type: 'password',
  maxLength: 6,
  isCode: true,
  inputMode: 'numeric',
  error: error?.field === 'pin' ? error.message : null,
})}
<button type="submit">${TEXTS.pay}</button>
</form>
</section>`
}

const ENDINGS: Readonly<Record<Exclude<ChargeState, 'pending'>, Text | string>> = {
  paid: WORDS.paymentComplete,
  refunded: WORDS.paymentRefunded,
  expired: WORDS.paymentExpired,
  cancelled: WORDS.paymentCancelled,
}

function ended(state: Exclude<ChargeState, 'pending'>): Html {
  return html`<section class="card narrow ending is-${state === 'paid' ? 'good' : 'neutral'}"><div role="status"><h2>${ENDINGS[state]}</h2></div></section>`
}

/** Renders the page for a code that cannot be scanned, with the API's message. */
export function scanErrorPage(message: Text | string): Page {
  const body = html`<section class="card narrow ending is-neutral">
<h1>${TEXTS.paymentNotFound}</h1>
<p role="alert">${message}</p>
<p><a href="../phone">${DEV_WORDS.backPhone}</a></p>
</section>`
  return devPage({ title: TEXTS.paymentNotFound, root: ROOT, here: 'phone', body })
}
