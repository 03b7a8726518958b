// The checkout page in French: the amount, payment by the app or on the web, and the result. Every view works without a
// script. The script adds the clock, the changing QR code and live updates.
import { type FoundCharge, redirectAddress } from '../../../engine/api.ts'
import { parseRfc3339, type TimeMs } from '../../../engine/kernel/time.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { amountText } from '../amount-text.ts'
import { remaining } from '../dev/phone-parts.ts'
import { type Fragment, type Html, html, type Title, titled, titleOf, Verbatim } from '../html.ts'
import type { Page } from '../layout.ts'
import { CHECK, CLOCK, CROSS, codeFields, formError, identifierField, LONG_AMOUNT, longDate, named } from './checkout-parts.ts'
import type { Progress } from './checkout-progress.ts'

/** A wallet that is signed in on the device of the page. */
export interface Payer {
  readonly tag: string
  readonly available: number
}

export interface CheckoutView {
  readonly found: FoundCharge
  readonly merchantName: string
  readonly nowMs: TimeMs
  /** Seconds until the QR code changes. */
  readonly codeExpiresInS: number
  readonly progress: Progress
  /** The encrypted progress, for the hidden field of the second form. */
  readonly sealed: string
  /** True in development, where a simulated phone can pay. */
  readonly hasSimulatedPhone: boolean
  /** Null where no wallet is signed in: then nothing is asked. */
  readonly payer: Payer | null
}

/** Relative path from `/pay/{token}` to the root. */
const ROOT = '../'

export function checkoutPage(view: CheckoutView): Page {
  const { found, merchantName, progress } = view
  const isTest = found.charge.environment === 'test'
  if (found.state !== 'pending') {
    const ending = ENDINGS[found.state]
    return { title: ending.title, script: 'checkout.js', root: ROOT, isTest, body: endedView(view, ending) }
  }
  const paying = titled`Payer ${amountText(found.charge.amount, found.charge.currency)} à ${new Verbatim(merchantName)}`
  const title = progress.error === null ? paying : titled`Erreur : ${paying}`
  return { title, script: 'checkout.js', root: ROOT, isTest, body: pendingView(view) }
}

export function missingPage(root: string): Page {
  const body = html`<section class="card ending is-neutral">
<h1>Page introuvable</h1>
<p>Ce lien n’existe pas ou n’est pas complet. Demandez-en un nouveau à votre marchand.</p>
</section>`
  return { title: titleOf('Page introuvable'), root, body }
}

function pendingView(view: CheckoutView): Html {
  const { token } = view.found.charge
  return html`<div class="checkout" data-checkout="${token}">
${summary(view)}
${appLink(view)}
<div class="ways">
${view.progress.challengeId === null ? identifierForm(view) : codeForm(view)}
${appWay(view)}
</div>
</div>
<p class="hush">Cauri ne vous demandera jamais votre code PIN par téléphone ou par message.</p>`
}

/**
 * For a phone, which cannot scan its own screen: opens the app by its URI scheme, with the token of the charge. In development the
 * simulated phone takes the place of the app. The stylesheet shows it on small screens alone.
 */
function appLink({ found, hasSimulatedPhone }: CheckoutView): Html {
  const { token } = found.charge
  const address = hasSimulatedPhone ? `../dev/phone/charge?c=${token}` : `cauri://pay/${token}`
  return html`<section class="card on-phone" aria-labelledby="ici">
<h2 id="ici">L’application est sur ce téléphone ?</h2>
<a class="button" href="${address}">Ouvrir l’application Cauri</a>
<p class="hint">Sans l’application, payez sur cette page.</p>
</section>`
}

function summary({ found, merchantName, nowMs, payer }: CheckoutView): Html {
  const { amount, currency, description, customer_tag, expires_at } = found.charge
  const leftS = Math.max(0, Math.ceil((parseRfc3339(expires_at) - nowMs) / 1000))
  return html`<section class="ticket" aria-labelledby="titre">
<h1 id="titre"><span class="to">Payer à ${named(merchantName)}</span> <span class="amount${amount >= LONG_AMOUNT && ' is-long'}">${prettyAmount(amount, currency)}</span></h1>
${description !== '' && html`<p class="words"><bdi>${description}</bdi></p>`}
${customer_tag !== '' && html`<p class="reserved">Ce paiement est réservé au client désigné par le marchand.</p>`}
${payer !== null && html`<p class="words">Votre portefeuille <bdi>@${payer.tag}</bdi>. ${remaining(payer.available, amount)}</p>`}
<p class="clock">Valable encore <span role="timer" data-left="${leftS}">${clockText(leftS)}</span></p>
<p class="unseen" aria-live="polite" data-news data-five-text="Il reste cinq minutes pour payer." data-one-text="Il reste une minute pour payer."></p>
</section>`
}

/** Returns `27 min`, for browsers without scripts: their page does not count down. */
function clockText(leftS: number): string {
  return leftS < 60 ? 'moins d’une minute' : `${Math.floor(leftS / 60)} min`
}

function identifierForm({ found, progress }: CheckoutView): Html {
  const { token } = found.charge
  return html`<section class="card way" aria-labelledby="web">
<h2 id="web">Payer sur cette page</h2>
<form class="form" method="post" action="${token}/otp" novalidate>
${formError(progress)}
${identifierField(progress)}
<button type="submit">Recevoir mon code par SMS</button>
</form>
<p class="hint">Vous confirmerez ensuite le paiement avec ce code et le code PIN de votre portefeuille.</p>
</section>`
}

function codeForm({ found, progress, sealed }: CheckoutView): Html {
  const { token, amount, currency } = found.charge
  return html`<section class="card way" aria-labelledby="web">
<h2 id="web">Confirmer le paiement</h2>
<p class="sent" role="status">Si <b>${progress.identifier}</b> a un portefeuille Cauri, un code à 6 chiffres vient de lui être envoyé par SMS.</p>
<form class="form" method="post" action="${token}/pay" novalidate>
<input type="hidden" name="s" value="${sealed}">
${formError(progress)}
${codeFields(progress)}
<button type="submit">Payer ${prettyAmount(amount, currency)}</button>
</form>
<p class="back"><a href="${token}">Changer d’identifiant ou demander un nouveau code</a></p>
</section>`
}

function appWay({ found, codeExpiresInS, hasSimulatedPhone }: CheckoutView): Html {
  const { token } = found.charge
  return html`<section class="card way app" aria-labelledby="app">
<h2 id="app">Payer avec l’application</h2>
<p>Ouvrez Cauri sur un téléphone et scannez ce code.</p>
<img class="code" src="${token}/qr.svg" width="216" height="216" alt="Code QR de ce paiement, à scanner avec l’application Cauri" data-code-left="${codeExpiresInS}">
<noscript><p class="hint">Ce code change toutes les 15 secondes. <a href="${token}">Actualiser la page</a> pour le renouveler.</p></noscript>
${hasSimulatedPhone && html`<p class="hint"><a class="alone" href="../dev/phone/charge?c=${token}">Payer avec le téléphone simulé</a></p>`}
</section>`
}

interface Ending {
  readonly title: Title
  readonly tone: 'good' | 'neutral'
  readonly mark: Fragment
  readonly text: (view: CheckoutView) => Fragment
}

const paidText = ({ found, merchantName }: CheckoutView): Fragment =>
  html`Vous avez payé <b>${prettyAmount(found.charge.amount, found.charge.currency)}</b> à ${named(merchantName)}.`

const ENDINGS: Readonly<Record<Exclude<FoundCharge['state'], 'pending'>, Ending>> = {
  paid: { title: titleOf('Paiement effectué'), tone: 'good', mark: CHECK, text: paidText },
  refunded: {
    title: titleOf('Paiement remboursé'),
    tone: 'neutral',
    mark: CHECK,
    text: ({ found, merchantName }) =>
      html`${named(merchantName)} a remboursé ce paiement de <b>${prettyAmount(found.charge.amount, found.charge.currency)}</b>. L’argent est de retour dans le portefeuille.`,
  },
  expired: {
    title: titleOf('Paiement expiré'),
    tone: 'neutral',
    mark: CLOCK,
    text: ({ merchantName }) => html`Ce lien n’est plus valable et rien n’a été débité. Demandez-en un nouveau à ${named(merchantName)}.`,
  },
  cancelled: {
    title: titleOf('Paiement annulé'),
    tone: 'neutral',
    mark: CROSS,
    text: ({ merchantName }) => html`${named(merchantName)} a annulé cette demande de paiement. Rien n’a été débité.`,
  },
}

function endedView(view: CheckoutView, { title, tone, mark, text }: Ending): Html {
  const { charge, state } = view.found
  const address = redirectAddress({ ...charge, state })
  return html`<section class="card ending is-${tone}">
${mark}
<h1>${title}</h1>
<p>${text(view)}</p>
${state === 'paid' && receipt(view)}
${
  address !== '' &&
  html`<p class="onward"><a class="button" href="${address}" rel="noreferrer" data-onward>Retourner chez <bdi>${view.merchantName}</bdi></a></p>
<p class="hint" role="status" data-onward-news data-soon-text="Vous y serez redirigé dans quelques secondes."></p>`
}
</section>`
}

function receipt({ found: { charge } }: CheckoutView): Html {
  const rows: readonly (readonly [name: string, value: Fragment, look: string])[] = [
    ['Référence', charge.reference, ''],
    ['Objet', charge.description, ''],
    ['Date', charge.paid_at === null ? '' : longDate(charge.paid_at), ''],
    ['Transaction', charge.transaction_id ?? '', 'long'],
  ]
  const shown = rows.filter(([, value]) => value !== '')
  return html`<dl class="receipt">${shown.map(([name, value, look]) => html`<div><dt>${name}</dt><dd class="${look}"><bdi>${value}</bdi></dd></div>`)}</dl>`
}
