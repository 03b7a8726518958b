// The poster of a payment link, on one sheet of any size: shop name, QR code and short address. Black on white in every colour
// scheme, so that it prints without colours.
import type { PaymentLink } from '../../../engine/contract/payment-link.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { html, titled, Verbatim } from '../html.ts'
import type { Page } from '../layout.ts'

export interface PosterView {
  readonly link: PaymentLink
  readonly merchantName: string
  readonly root: string
  /** Relative address of the link's page. */
  readonly here: string
}

export function linkPoster({ link, merchantName, root, here }: PosterView): Page {
  const { amount, description, url, environment } = link
  const body = html`<p class="poster-tools"><a class="button quiet" href="${here}">Retour au lien</a><button type="button" data-print hidden>Imprimer</button></p>
<article class="poster">
<h1><bdi>${merchantName}</bdi></h1>
<p class="poster-words"><bdi>${description}</bdi></p>
<p class="poster-call">Payez ici avec Cauri${amount !== null && html` : <b>${prettyAmount(amount)}</b>`}</p>
<img src="${here}/qr.svg" width="320" height="320" alt="Code QR de l’adresse de paiement">
<ol><li>Scannez le code avec votre téléphone.</li><li>${amount === null ? 'Saisissez le montant.' : 'Vérifiez le montant.'}</li><li>Confirmez le paiement.</li></ol>
<p class="poster-address">Sans appareil photo : <b>${shortAddress(url)}</b></p>
${environment === 'test' && html`<p class="poster-test">Affiche de test : aucun argent réel.</p>`}
</article>`
  return {
    title: titled`Affiche de ${new Verbatim(merchantName)}`,
    root,
    look: 'dashboard/poster.css',
    script: 'dashboard/dashboard.js',
    body,
  }
}

/** Returns the address as a customer types it: browsers add the scheme. */
function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
