// The poster of a payment link, on one sheet of any size: shop name, QR code and short address. Black on white in every colour
// scheme, so that it prints without colours.

import type { PaymentLink } from '../../../../engine/contract/payment-link.ts'
import { amountText } from '../../shared/amount-text.ts'
import { html } from '../../shared/html.ts'
import type { Page } from '../../shared/layout.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './link-poster-messages.ts'

export interface PosterView {
  readonly link: PaymentLink
  readonly merchantName: string
  readonly root: string
  /** Relative address of the link's page. */
  readonly here: string
}

export function linkPoster({ link, merchantName, root, here }: PosterView): Page {
  const { amount, currency, description, url, environment } = link
  const body = html`<p class="poster-tools"><a class="button quiet" href="${here}">${TEXTS.backLink}</a><button type="button" data-print hidden>${DASHBOARD_WORDS.print}</button></p>
<article class="poster">
<h1><bdi>${merchantName}</bdi></h1>
<p class="poster-words"><bdi>${description}</bdi></p>
<p class="poster-call">${TEXTS.payHereWithCauri(amount !== null && html` : <b>${amountText(amount, currency)}</b>`)}</p>
<img src="${here}/qr.svg" width="320" height="320" alt="${DASHBOARD_WORDS.qrCodePaymentAddress}">
<ol><li>${TEXTS.scanCodeWithPhone}</li><li>${amount === null ? TEXTS.typeAmount : TEXTS.checkAmount}</li><li>${TEXTS.confirmPayment}</li></ol>
<p class="poster-address">${TEXTS.withoutCamera(shortAddress(url))}</p>
${environment === 'test' && html`<p class="poster-test">${TEXTS.testPosterNoRealMoney}</p>`}
</article>`
  return {
    title: TEXTS.poster(merchantName),
    root,
    look: 'dashboard/get-paid/poster.css',
    script: 'dashboard/shared/dashboard.js',
    body,
  }
}

/** Returns the address as a customer types it: browsers add the scheme. */
function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
