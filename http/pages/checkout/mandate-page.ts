// The approval page of a mandate in French: merchant, amount and interval, the two ways to approve, and the result. It works
// without a script.

import { addToQuery, type Mandate } from '../../../engine/api.ts'
import type { Text } from '../../text/text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import type { Page } from '../shared/layout.ts'
import { mandateTerms } from '../shared/mandate-terms.ts'
import { WORDS } from '../shared/shared-words.ts'
import { CHECK, CLOCK, CROSS, codeFields, formError, identifierField, longDate, named } from './checkout-parts.ts'
import type { Progress } from './checkout-progress.ts'
import { CHECKOUT_WORDS } from './checkout-words.ts'
import { TEXTS } from './mandate-page-messages.ts'

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
    return { title: ending.title, script: 'checkout/checkout.js', root: ROOT, isTest, body: endedView(view, ending) }
  }
  const approving = TEXTS.authoriseDirectDebits(merchantName)
  const title = progress.error === null ? approving : WORDS.error(approving)
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
<p class="hush">${CHECKOUT_WORDS.cauriWillNeverAskFor}</p>`
}

function summary({ mandate, merchantName }: MandateView): Html {
  const { description, state } = mandate
  return html`<section class="ticket" aria-labelledby="titre">
<h1 id="titre"><span class="to">${TEXTS.authoriseDirectDebits(named(merchantName))}</span> <span class="amount is-terms">${mandateTerms(mandate)}</span></h1>
${description !== '' && html`<p class="words"><bdi>${description}</bdi></p>`}
${state === 'paused' && html`<p class="reserved">${TEXTS.theseDirectDebitsSuspendedBalance}</p>`}
${promises(mandate).map((promise) => html`<p class="reserved">${promise}</p>`)}
</section>`
}

/** Returns the terms of the mandate as sentences. */
function promises({ amount, interval, max_payments, start_at, end_at }: Mandate): readonly Html[] {
  const collects = amount !== null && interval !== 'on_demand'
  const first = start_at !== null && longDate(start_at)
  const asSoonAs = collects ? html`${TEXTS.firstDebitAsSoonAs}` : html`${TEXTS.paymentsPossibleAsSoonAs}`
  const from = collects ? html`${TEXTS.firstDebitOnAtEarliest(first)}` : html`${TEXTS.paymentsPossibleOnAtEarliest(first)}`
  const number =
    max_payments === null ? null : max_payments === 1 ? html` ${TEXTS.onePaymentOnly}` : html` ${TEXTS.paymentsAtMost(max_payments)}`
  const asked = interval === 'on_demand' ? html`${TEXTS.merchantAsksForEachPayment}` : html`${TEXTS.merchantAsksForEachPaymentOne}`
  return [
    html`${first === false ? asSoonAs : from}${number}${end_at !== null && html` ${TEXTS.endsOn(longDate(end_at))}`}`,
    ...(collects ? [] : [asked]),
    html`${TEXTS.canEndItAtAny}`,
  ]
}

function identifierForm({ mandate, progress }: MandateView): Html {
  return html`<section class="card way" aria-labelledby="web">
<h2 id="web">${TEXTS.acceptOnPage}</h2>
<form class="form" method="post" action="${mandate.token}/otp" novalidate>
${formError(progress)}
${identifierField(progress)}
<button type="submit">${CHECKOUT_WORDS.getMyCodeBySms}</button>
</form>
<p class="hint">${TEXTS.thenConfirmWithCodeAnd}</p>
</section>`
}

function codeForm({ mandate, progress, sealed }: MandateView): Html {
  const { token } = mandate
  return html`<section class="card way" aria-labelledby="web">
<h2 id="web">${TEXTS.confirmAgreement}</h2>
<p class="sent" role="status">${TEXTS.ifWalletRequestForCode(progress.identifier)}</p>
<form class="form" method="post" action="${token}/approve" novalidate>
<input type="hidden" name="s" value="${sealed}">
${formError(progress)}
${codeFields(progress)}
<button type="submit">${TEXTS.authoriseDirectDebits2}</button>
</form>
<p class="back"><a href="${token}">${CHECKOUT_WORDS.changeIdentifierOrAskFor}</a></p>
</section>`
}

function appWay({ merchantName }: MandateView): Html {
  return html`<section class="card way" aria-labelledby="app">
<h2 id="app">${TEXTS.answerInApp}</h2>
<p>${TEXTS.openCauriOnPhoneRequest(named(merchantName))}</p>
<p class="hint">${TEXTS.ifDoNotAnswerNothing}</p>
</section>`
}

interface Ending {
  readonly title: Text | Html
  readonly tone: 'good' | 'neutral'
  readonly mark: Fragment
  readonly text: (view: MandateView) => Fragment
}

const ENDINGS: Readonly<Record<Exclude<Mandate['state'], 'pending' | 'paused'>, Ending>> = {
  active: {
    title: TEXTS.directDebitsAuthorised,
    tone: 'good',
    mark: CHECK,
    text: ({ mandate, merchantName }) => html`${TEXTS.authorisedDebitCanEndIt(named(merchantName), mandateTerms(mandate))}`,
  },
  rejected: {
    title: TEXTS.requestRefused,
    tone: 'neutral',
    mark: CROSS,
    text: ({ merchantName }) => html`${TEXTS.refusedRequestNothingWillBe(named(merchantName))}`,
  },
  cancelled: {
    title: TEXTS.directDebitsCancelled,
    tone: 'neutral',
    mark: CROSS,
    text: ({ merchantName }) => html`${TEXTS.willDebitNothingMoreAuthorisation(named(merchantName))}`,
  },
  expired: {
    title: TEXTS.requestExpired,
    tone: 'neutral',
    mark: CLOCK,
    text: ({ merchantName }) => html`${TEXTS.requestNoLongerValidNothing(named(merchantName))}`,
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
  html`<p class="onward"><a class="button" href="${addToQuery(redirect_url, { token, state })}" rel="noreferrer" data-onward>${CHECKOUT_WORDS.return(merchantName)}</a></p>
<p class="hint" role="status" data-onward-news data-soon-text="${CHECKOUT_WORDS.willBeRedirectedThereIn}"></p>`
}
</section>`
}
