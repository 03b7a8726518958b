// The page of a payment link in French: merchant, description, and the amount where the link has none. It works without a
// script.
import type { PaymentLink } from '../../../engine/api.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { type Html, html, titled, titleOf, Verbatim } from '../html.ts'
import type { Page } from '../layout.ts'
import { CROSS, named } from './checkout-parts.ts'

export interface LinkView {
  readonly link: PaymentLink
  readonly merchantName: string
  readonly code: string
  /** What the customer typed before, and what is wrong with it; empty at first. */
  readonly typed: string
  readonly error: string
}

/** Relative path from `/l/{code}` to the root. */
const ROOT = '../'

export function linkPage(view: LinkView): Page {
  const { link, merchantName, error } = view
  const isTest = link.environment === 'test'
  if (link.state === 'closed') return { title: titleOf('Lien fermé'), root: ROOT, isTest, body: closedView(merchantName) }
  const paying = titled`Payer ${new Verbatim(merchantName)}`
  const title = error === '' ? paying : titled`Erreur : ${paying}`
  return { title, root: ROOT, isTest, body: openView(view) }
}

function openView({ link, merchantName, code, typed, error }: LinkView): Html {
  const { amount, currency, description } = link
  return html`<div class="checkout">
<section class="ticket" aria-labelledby="titre">
<h1 id="titre"><span class="to">Payer ${named(merchantName)}</span>${amount !== null && html` <span class="amount">${prettyAmount(amount, currency)}</span>`}</h1>
<p class="words"><bdi>${description}</bdi></p>
</section>
<section class="card way" aria-label="Paiement">
<form class="form" method="post" action="${code}" novalidate>
${amount === null ? amountField(typed, error) : error !== '' && html`<p class="error" role="alert">${error}</p>`}
<button class="button" type="submit">Continuer</button>
</form>
</section>
</div>
<p class="hush">Cauri ne vous demandera jamais votre code PIN par téléphone ou par message.</p>`
}

function amountField(typed: string, error: string): Html {
  return html`<div class="field">
<label for="amount">Montant en F CFA</label>
<input id="amount" name="amount" class="digits" value="${typed}" required maxlength="24" inputmode="numeric" autocomplete="off"${error !== '' && html` aria-describedby="amount-error" aria-invalid="true" autofocus`}>
${error !== '' && html`<p class="error" id="amount-error">${error}</p>`}
</div>`
}

function closedView(merchantName: string): Html {
  return html`<section class="card ending is-neutral">
${CROSS}
<h1>Ce lien de paiement est fermé</h1>
<p>Demandez à ${named(merchantName)} comment payer.</p>
</section>`
}
