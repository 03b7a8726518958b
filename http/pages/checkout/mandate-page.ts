// The approval page of a mandate in French: merchant, amount and interval, the two ways to approve, and the result. It works
// without a script.

import { addToQuery, type Mandate } from '../../../engine/api.ts'
import { termsText } from '../../workers/gateways/mandate-text.ts'
import { type Fragment, type Html, html, type Title, titled, titleOf, Verbatim } from '../html.ts'
import type { Page } from '../layout.ts'
import { CHECK, CLOCK, CROSS, codeFields, formError, identifierField, longDate, named } from './checkout-parts.ts'
import type { Progress } from './checkout-progress.ts'

export interface MandateView {
  readonly mandate: Mandate
  readonly merchantName: string
  readonly progress: Progress
  /** The encrypted progress, for the hidden field of the second form. */
  readonly sealed: string
}

/** Relative path from `/mandates/{token}` to the root. */
const ROOT = '../'

export function mandatePage(view: MandateView): Page {
  const { mandate, merchantName, progress } = view
  const { state } = mandate
  const isTest = mandate.environment === 'test'
  if (state !== 'pending' && state !== 'paused') {
    const ending = ENDINGS[state]
    return { title: ending.title, script: 'checkout.js', root: ROOT, isTest, body: endedView(view, ending) }
  }
  const approving = titled`Autoriser les prélèvements de ${new Verbatim(merchantName)}`
  const title = progress.error === null ? approving : titled`Erreur : ${approving}`
  return { title, root: ROOT, isTest, body: openView(view) }
}

function openView(view: MandateView): Html {
  return html`<div class="checkout">
${summary(view)}
<div class="ways">
${view.progress.challengeId === null ? identifierForm(view) : codeForm(view)}
${appWay(view)}
</div>
</div>
<p class="hush">Cauri ne vous demandera jamais votre code PIN par téléphone ou par message.</p>`
}

function summary({ mandate, merchantName }: MandateView): Html {
  const { description, state } = mandate
  return html`<section class="ticket" aria-labelledby="titre">
<h1 id="titre"><span class="to">Autoriser les prélèvements de ${named(merchantName)}</span> <span class="amount is-terms">${termsText(mandate)}</span></h1>
${description !== '' && html`<p class="words"><bdi>${description}</bdi></p>`}
${state === 'paused' && html`<p class="reserved">Ces prélèvements sont suspendus : le solde était insuffisant quatre fois de suite. Vous pouvez les autoriser de nouveau.</p>`}
${promises(mandate).map((promise) => html`<p class="reserved">${promise}</p>`)}
</section>`
}

/** Returns the terms of the mandate as sentences. */
function promises({ amount, interval, max_payments, start_at, end_at }: Mandate): readonly Html[] {
  const collects = amount !== null && interval !== 'on_demand'
  const first = start_at !== null && longDate(start_at)
  const asSoonAs = collects ? html`Premier prélèvement dès votre accord.` : html`Paiements possibles dès votre accord.`
  const from = collects ? html`Premier prélèvement le ${first} au plus tôt.` : html`Paiements possibles le ${first} au plus tôt.`
  const number = max_payments === null ? null : max_payments === 1 ? html` Un seul paiement.` : html` ${max_payments} paiements au plus.`
  const asked =
    interval === 'on_demand'
      ? html`Le marchand demande chaque paiement, sans jamais dépasser ce montant.`
      : html`Le marchand demande chaque paiement, un seul par période, sans jamais dépasser ce montant.`
  return [
    html`${first === false ? asSoonAs : from}${number}${end_at !== null && html` Fin le ${longDate(end_at)}.`}`,
    ...(collects ? [] : [asked]),
    html`Vous pouvez y mettre fin à tout moment dans l’application.`,
  ]
}

function identifierForm({ mandate, progress }: MandateView): Html {
  return html`<section class="card way" aria-labelledby="web">
<h2 id="web">Accepter sur cette page</h2>
<form class="form" method="post" action="${mandate.token}/otp" novalidate>
${formError(progress)}
${identifierField(progress)}
<button type="submit">Recevoir mon code par SMS</button>
</form>
<p class="hint">Vous confirmerez ensuite avec ce code et le code PIN de votre portefeuille.</p>
</section>`
}

function codeForm({ mandate, progress, sealed }: MandateView): Html {
  const { token } = mandate
  return html`<section class="card way" aria-labelledby="web">
<h2 id="web">Confirmer votre accord</h2>
<p class="sent" role="status">Si <b>${progress.identifier}</b> est le portefeuille à qui cette demande s’adresse, un code à 6 chiffres vient de lui être envoyé par SMS.</p>
<form class="form" method="post" action="${token}/approve" novalidate>
<input type="hidden" name="s" value="${sealed}">
${formError(progress)}
${codeFields(progress)}
<button type="submit">Autoriser les prélèvements</button>
</form>
<p class="back"><a href="${token}">Changer d’identifiant ou demander un nouveau code</a></p>
</section>`
}

function appWay({ merchantName }: MandateView): Html {
  return html`<section class="card way" aria-labelledby="app">
<h2 id="app">Répondre dans l’application</h2>
<p>Ouvrez Cauri sur votre téléphone : la demande de ${named(merchantName)} vous y attend parmi vos prélèvements. Acceptez-la avec votre code PIN, ou refusez-la.</p>
<p class="hint">Si vous ne répondez pas, rien ne sera prélevé.</p>
</section>`
}

interface Ending {
  readonly title: Title
  readonly tone: 'good' | 'neutral'
  readonly mark: Fragment
  readonly text: (view: MandateView) => Fragment
}

const ENDINGS: Readonly<Record<Exclude<Mandate['state'], 'pending' | 'paused'>, Ending>> = {
  active: {
    title: titleOf('Prélèvements autorisés'),
    tone: 'good',
    mark: CHECK,
    text: ({ mandate, merchantName }) =>
      html`Vous avez autorisé ${named(merchantName)} à prélever <b>${termsText(mandate)}</b>. Vous pouvez y mettre fin à tout moment dans l’application.`,
  },
  rejected: {
    title: titleOf('Demande refusée'),
    tone: 'neutral',
    mark: CROSS,
    text: ({ merchantName }) => html`Vous avez refusé la demande de ${named(merchantName)}. Rien ne sera prélevé.`,
  },
  cancelled: {
    title: titleOf('Prélèvements annulés'),
    tone: 'neutral',
    mark: CROSS,
    text: ({ merchantName }) => html`${named(merchantName)} ne prélèvera plus rien : cette autorisation a pris fin.`,
  },
  expired: {
    title: titleOf('Demande expirée'),
    tone: 'neutral',
    mark: CLOCK,
    text: ({ merchantName }) => html`Cette demande de ${named(merchantName)} n’est plus valable. Rien de plus ne sera prélevé.`,
  },
}

function endedView({ mandate, merchantName, ...rest }: MandateView, { title, tone, mark, text }: Ending): Html {
  const { redirect_url, token, state } = mandate
  return html`<section class="card ending is-${tone}">
${mark}
<h1>${title}</h1>
<p>${text({ mandate, merchantName, ...rest })}</p>
${
  redirect_url !== '' &&
  html`<p class="onward"><a class="button" href="${addToQuery(redirect_url, { token, state })}" rel="noreferrer" data-onward>Retourner chez <bdi>${merchantName}</bdi></a></p>
<p class="hint" role="status" data-onward-news data-soon-text="Vous y serez redirigé dans quelques secondes."></p>`
}
</section>`
}
