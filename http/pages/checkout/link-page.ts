// The page of a payment link in French: merchant, description, and the amount where the link has none. It works without a
// script.

import type { PaymentLink, ShownMerchant } from '../../../engine/api.ts'
import type { Text } from '../../text/text.ts'
import { amountKeyboard, amountText, currencySymbol } from '../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import type { Page } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { CROSS, named, shopPart } from './checkout-parts.ts'
import { CHECKOUT_WORDS } from './checkout-words.ts'

const TEXTS = texts({
  fr: {
    linkClosed: 'Lien fermé',
    paymentLinkClosed: 'Ce lien de paiement est fermé',
    askHowPay: (merchantName: Fragment) => html`Demandez à ${merchantName} comment payer.`,
  },
  en: {
    linkClosed: 'Link closed',
    paymentLinkClosed: 'This payment link is closed',
    askHowPay: (merchantName) => html`Ask ${merchantName} how to pay.`,
  },
})

export interface LinkView extends ShownMerchant {
  readonly link: PaymentLink
  readonly code: string
  /** What the customer typed before, and what is wrong with it; empty at first. */
  readonly typed: string
  readonly error: Text | string
}

/** Relative path from `/l/{code}` to the root. */
const ROOT = '../'

export function linkPage(view: LinkView): Page {
  const { link, merchantName, error } = view
  const isTest = link.environment === 'test'
  if (link.state === 'closed') return { title: TEXTS.linkClosed, root: ROOT, isTest, body: closedView(merchantName) }
  const paying = WORDS.pay(merchantName)
  const title = error === '' ? paying : WORDS.error(paying)
  return { title, root: ROOT, isTest, body: openView(view) }
}

function openView(view: LinkView): Html {
  const { link, merchantName, code, error } = view
  const { amount, currency, description } = link
  return html`<div class="checkout">
<section class="ticket" aria-labelledby="titre">
${shopPart(ROOT, view)}
<h1 id="titre"><span class="to">${WORDS.pay(named(merchantName))}</span>${amount !== null && html` <span class="amount">${amountText(amount, currency)}</span>`}</h1>
<p class="words"><bdi>${description}</bdi></p>
</section>
<section class="card way" aria-label="${WORDS.payment}">
<form class="form" method="post" action="${code}" novalidate>
${amount === null ? amountField(view) : error !== '' && html`<p class="error" role="alert">${error}</p>`}
<button class="button" type="submit">${WORDS.continue}</button>
</form>
</section>
</div>
<p class="hush">${CHECKOUT_WORDS.cauriWillNeverAskFor}</p>`
}

function amountField({ link, typed, error }: LinkView): Html {
  return html`<div class="field">
<label for="amount">${WORDS.amountIn(currencySymbol(link.currency))}</label>
<input id="amount" name="amount" class="digits" value="${typed}" required maxlength="24" inputmode="${amountKeyboard(link.currency)}" autocomplete="off"${error !== '' && html` aria-describedby="amount-error" aria-invalid="true" autofocus`}>
${error !== '' && html`<p class="error" id="amount-error">${error}</p>`}
</div>`
}

function closedView(merchantName: string): Html {
  return html`<section class="card ending is-neutral">
${CROSS}
<h1>${TEXTS.paymentLinkClosed}</h1>
<p>${TEXTS.askHowPay(named(merchantName))}</p>
</section>`
}
