// The poster of a payment link, on one sheet of any size: shop name, logo, QR code and short address. Black on white in every colour
// scheme, with the name on a band of the chosen colour. A printer without colours prints all of it.

import type { PaymentLink } from '../../../../engine/contract/payment-link.ts'
import { amountText } from '../../shared/amount-text.ts'
import { type Html, html } from '../../shared/html.ts'
import type { Page } from '../../shared/layout.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './link-poster-messages.ts'

export interface PosterView {
  readonly link: PaymentLink
  readonly merchantName: string
  readonly root: string
  /** Relative address of the link's page. */
  readonly here: string
  /** Relative address of the shop's logo; null without one. */
  readonly logo: string | null
  readonly colour: PosterColour
}

/** Colours of the band; `black` has none. Their looks are in poster.css. */
const COLOURS = {
  black: TEXTS.black,
  indigo: TEXTS.indigo,
  green: TEXTS.green,
  red: TEXTS.red,
  brown: TEXTS.brown,
} as const

export type PosterColour = keyof typeof COLOURS

/** Returns the colour of an address; black for another text. */
export function posterColour(asked: string | null): PosterColour {
  return Object.keys(COLOURS).find((colour): colour is PosterColour => colour === asked) ?? 'black'
}

export function linkPoster({ link, merchantName, root, here, logo, colour }: PosterView): Page {
  const { amount, currency, description, url, environment } = link
  const body = html`<p class="poster-tools"><a class="button quiet" href="${here}">${TEXTS.backLink}</a><button type="button" data-print hidden>${DASHBOARD_WORDS.print}</button></p>
${colourLinks(here, colour)}
<article class="poster is-${colour}">
<header class="poster-head">${logo !== null && html`<span class="poster-logo"><img src="${logo}" alt=""></span>`}<h1><bdi>${merchantName}</bdi></h1></header>
<p class="poster-words"><bdi>${description}</bdi></p>
<p class="poster-call">${TEXTS.payHereWithCauri(amount !== null && html` : <b>${amountText(amount, currency)}</b>`)}</p>
<img class="poster-code" src="${here}/qr.svg" width="320" height="320" alt="${DASHBOARD_WORDS.qrCodePaymentAddress}">
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

function colourLinks(here: string, chosen: PosterColour): Html {
  const links = Object.entries(COLOURS).map(
    ([colour, words]) =>
      html`<a class="button quiet" href="${here}/print?colour=${colour}"${colour === chosen && html` aria-current="true"`}>${words}</a>`,
  )
  return html`<nav class="poster-tools" aria-label="${TEXTS.colour}">${links}</nav>`
}

/** Returns the address as a customer types it: browsers add the scheme. */
function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
