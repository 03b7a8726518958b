// The checkout page in French: the amount, payment by the app or on the web, and the result. Every view works without a
// script. The script adds the clock, the changing QR code and live updates.

import { type NamedCharge, redirectAddress } from '../../../engine/api.ts'
import { parseRfc3339, type TimeMs } from '../../../engine/kernel/time.ts'
import type { Text } from '../../text/text.ts'
import { remaining } from '../dev/phone-parts.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import type { Page } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { TEXTS } from './checkout-page-messages.ts'
import { CHECK, CLOCK, CROSS, codeFields, formError, identifierField, LONG_AMOUNT, longDate, named, shopPart } from './checkout-parts.ts'
import type { Progress } from './checkout-progress.ts'
import { CHECKOUT_WORDS } from './checkout-words.ts'

/** A wallet that is signed in on the device of the page. */
export interface Payer {
  readonly tag: string
  readonly available: number
}

export interface CheckoutView {
  readonly found: NamedCharge
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
    return { title: ending.title, script: 'checkout/checkout.js', root: ROOT, isTest, body: endedView(view, ending) }
  }
  const paying = TEXTS.pay(amountText(found.charge.amount, found.charge.currency), merchantName)
  const title = progress.error === null ? paying : WORDS.error(paying)
  return { title, script: 'checkout/checkout.js', root: ROOT, isTest, body: pendingView(view) }
}

export function missingPage(root: string): Page {
  const body = html`<section class="card ending is-neutral">
<h1>${WORDS.pageNotFound}</h1>
<p>${TEXTS.linkDoesNotExistOr}</p>
</section>`
  return { title: WORDS.pageNotFound, root, body }
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
<p class="hush">${CHECKOUT_WORDS.cauriWillNeverAskFor}</p>`
}

/**
 * For a phone, which cannot scan its own screen: opens the app by its URI scheme, with the token of the charge. In development the
 * simulated phone takes the place of the app. The stylesheet shows it on small screens alone.
 */
function appLink({ found, hasSimulatedPhone }: CheckoutView): Html {
  const { token } = found.charge
  const address = hasSimulatedPhone ? `../dev/phone/charge?c=${token}` : `cauri://pay/${token}`
  return html`<section class="card on-phone" aria-labelledby="ici">
<h2 id="ici">${TEXTS.appOnPhone}</h2>
<a class="button" href="${address}">${TEXTS.openCauriApp}</a>
<p class="hint">${TEXTS.withoutAppPayOnPage}</p>
</section>`
}

function summary({ found, merchantName, nowMs, payer }: CheckoutView): Html {
  const { amount, currency, description, customer_tag, expires_at } = found.charge
  const { payerFee: fee } = found
  const leftS = Math.max(0, Math.ceil((parseRfc3339(expires_at) - nowMs) / 1000))
  return html`<section class="ticket" aria-labelledby="titre">
${shopPart(ROOT, found)}
<h1 id="titre"><span class="to">${TEXTS.pay2(named(merchantName))}</span> <span class="amount${amount >= LONG_AMOUNT && ' is-long'}">${amountText(amount, currency)}</span></h1>
${fee > 0 && html`<p class="words">${TEXTS.fee(amountText(fee, currency), amountText(amount + fee, currency))}</p>`}
${description !== '' && html`<p class="words"><bdi>${description}</bdi></p>`}
${customer_tag !== '' && html`<p class="reserved">${TEXTS.paymentReservedForCustomerWhom}</p>`}
${payer !== null && html`<p class="words">${TEXTS.wallet(payer.tag, remaining(payer.available, { amount, fee, currency }))}</p>`}
<p class="clock">${TEXTS.validFor} <span role="timer" data-left="${leftS}">${clockText(leftS)}</span></p>
<p class="unseen" aria-live="polite" data-news data-five-text="${TEXTS.fiveMinutesLeftPay}" data-one-text="${TEXTS.oneMinuteLeftPay}"></p>
</section>`
}

/** Returns `27 min`, for browsers without scripts: their page does not count down. */
function clockText(leftS: number): Text | string {
  return leftS < 60 ? TEXTS.lessThanMinute : `${Math.floor(leftS / 60)} min`
}

function identifierForm({ found, progress }: CheckoutView): Html {
  const { token } = found.charge
  return html`<section class="card way" aria-labelledby="web">
<h2 id="web">${TEXTS.payOnPage}</h2>
<form class="form" method="post" action="${token}/otp" novalidate>
${formError(progress)}
${identifierField(progress)}
<button type="submit">${CHECKOUT_WORDS.getMyCodeBySms}</button>
</form>
<p class="hint">${TEXTS.thenConfirmPaymentWithCode}</p>
</section>`
}

function codeForm({ found, progress, sealed }: CheckoutView): Html {
  const { token, currency } = found.charge
  const total = found.charge.amount + found.payerFee
  return html`<section class="card way" aria-labelledby="web">
<h2 id="web">${TEXTS.confirmPayment}</h2>
<p class="sent" role="status">${TEXTS.ifHasCauriWalletCode(progress.identifier)}</p>
<form class="form" method="post" action="${token}/pay" novalidate>
<input type="hidden" name="s" value="${sealed}">
${formError(progress)}
${codeFields(progress)}
<button type="submit">${WORDS.pay(amountText(total, currency))}</button>
</form>
<p class="back"><a href="${token}">${CHECKOUT_WORDS.changeIdentifierOrAskFor}</a></p>
</section>`
}

function appWay({ found, codeExpiresInS, hasSimulatedPhone }: CheckoutView): Html {
  const { token } = found.charge
  return html`<section class="card way app" aria-labelledby="app">
<h2 id="app">${TEXTS.payWithApp}</h2>
<p>${TEXTS.openCauriOnPhoneAnd}</p>
<img class="code" src="${token}/qr.svg" width="216" height="216" alt="${TEXTS.qrCodePaymentScanWith}" data-code-left="${codeExpiresInS}">
<noscript><p class="hint">${TEXTS.codeChangesEvery15Seconds(token)}</p></noscript>
${hasSimulatedPhone && html`<p class="hint"><a class="alone" href="../dev/phone/charge?c=${token}">${TEXTS.payWithSimulatedPhone}</a></p>`}
</section>`
}

interface Ending {
  readonly title: Text | Html
  readonly tone: 'good' | 'neutral'
  readonly mark: Fragment
  readonly text: (view: CheckoutView) => Fragment
}

const paidText = ({ found, merchantName }: CheckoutView): Fragment =>
  html`${TEXTS.paid(amountText(found.charge.amount, found.charge.currency), named(merchantName))}`

const ENDINGS: Readonly<Record<Exclude<NamedCharge['state'], 'pending'>, Ending>> = {
  paid: { title: WORDS.paymentComplete, tone: 'good', mark: CHECK, text: paidText },
  refunded: {
    title: WORDS.paymentRefunded,
    tone: 'neutral',
    mark: CHECK,
    text: ({ found, merchantName }) =>
      html`${TEXTS.refundedPaymentMoneyBackIn(named(merchantName), amountText(found.charge.amount, found.charge.currency))}`,
  },
  expired: {
    title: WORDS.paymentExpired,
    tone: 'neutral',
    mark: CLOCK,
    text: ({ merchantName }) => html`${TEXTS.linkNoLongerValidAnd(named(merchantName))}`,
  },
  cancelled: {
    title: WORDS.paymentCancelled,
    tone: 'neutral',
    mark: CROSS,
    text: ({ merchantName }) => html`${TEXTS.cancelledPaymentRequestNothingWas(named(merchantName))}`,
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
  html`<p class="onward"><a class="button" href="${address}" rel="noreferrer" data-onward>${CHECKOUT_WORDS.return(view.merchantName)}</a></p>
<p class="hint" role="status" data-onward-news data-soon-text="${CHECKOUT_WORDS.willBeRedirectedThereIn}"></p>`
}
</section>`
}

function receipt({ found }: CheckoutView): Html {
  const { charge } = found
  const rows: readonly (readonly [name: Text | string, value: Fragment, look: string])[] = [
    [WORDS.reference, charge.reference, ''],
    [WORDS.purpose, charge.description, ''],
    [WORDS.date, charge.paid_at === null ? '' : longDate(charge.paid_at), ''],
    [WORDS.transaction, charge.transaction_id ?? '', 'long'],
  ]
  const shown = rows.filter(([, value]) => value !== '')
  return html`${shopPart(ROOT, found)}
<dl class="receipt">${shown.map(([name, value, look]) => html`<div><dt>${name}</dt><dd class="${look}"><bdi>${value}</bdi></dd></div>`)}</dl>`
}
