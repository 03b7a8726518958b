// The routes of the checkout page. They use the functions of the public API.

import { type NamedCharge, type Outcome, paymentRefusal } from '../../../engine/api.ts'
import type { Balance } from '../../../engine/contract/balance.ts'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { foundCharge } from '../../api/checkout/checkout.ts'
import type { CheckoutCodes } from '../../api/checkout/checkout-codes.ts'
import { startCheckoutOtp, webPayment } from '../../api/checkout/checkout-payment.ts'
import { answerStatus } from '../../api/checkout/checkout-routes.ts'
import { qrSvg } from '../../api/checkout/qr.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import type { Inbox } from '../../workers/gateways/inbox.ts'
import type { Sum } from '../../workers/gateways/message.ts'
import { isFromHere } from '../dev/local-guard.ts'
import { sessionOf } from '../dev/phone-progress.ts'
import type { ApiCalls } from '../shared/api-calls.ts'
import { answerPage, PAGE_HEADERS } from '../shared/layout.ts'
import {
  type Approval,
  type ApprovalCall,
  type ApprovalParts,
  approve,
  CUSTOMER_FORM,
  CUSTOMER_PAGE,
  IdentifierForm,
  ProofForm,
  sendCode,
} from './approval-forms.ts'
import { checkoutPage, missingPage, type Payer } from './checkout-page.ts'
import { errorOf, type FieldError, NO_PROGRESS, openProgress } from './checkout-progress.ts'

export interface CheckoutPageParts extends ApprovalParts {
  readonly checkoutCodes: CheckoutCodes
  /** Null in production. */
  readonly inbox: Inbox | null
}

/** `api` reads the balance of the wallet that is signed in on the simulated phone. */
export function checkoutPageRoutes(parts: CheckoutPageParts, api: Pick<ApiCalls, 'ask'>): readonly Route[] {
  return [
    route({
      ...CUSTOMER_PAGE,
      method: 'GET',
      path: '/pay/{token}',
      operationId: 'showCheckoutPage',
      summary: 'The checkout page',
      handle: (call) => later(call, () => showPage(parts, api, call)),
    }),
    route({
      ...CUSTOMER_PAGE,
      method: 'GET',
      path: '/pay/{token}/status',
      operationId: 'getCheckoutPageStatus',
      summary: 'News for the page',
      handle: (call) => withCharge(parts, call, (found) => answerStatus(call, found)),
    }),
    route({
      ...CUSTOMER_PAGE,
      method: 'GET',
      path: '/pay/{token}/qr.svg',
      operationId: 'getCheckoutPageQr',
      summary: 'The QR code of the moment',
      handle: (call) => withCharge(parts, call, (found) => showQr(parts, call, found)),
    }),
    route({
      ...CUSTOMER_FORM,
      path: '/pay/{token}/otp',
      operationId: 'sendCheckoutIdentifier',
      summary: 'The first form',
      body: IdentifierForm,
      handle: (call) => withCharge(parts, call, (found) => sendCode(parts, call, payment(parts, found))),
    }),
    route({
      ...CUSTOMER_FORM,
      path: '/pay/{token}/pay',
      operationId: 'sendCheckoutPayment',
      summary: 'The second form',
      body: ProofForm,
      handle: (call) => withCharge(parts, call, (found) => approve(parts, call, payment(parts, found))),
    }),
  ]
}

type PageCall<Body = unknown> = ApprovalCall<Body> & Pick<Call, 'isLocal' | 'requestId'>

async function showPage(parts: CheckoutPageParts, api: Pick<ApiCalls, 'ask'>, call: PageCall): Promise<void> {
  const found = foundCharge(parts, String(call.params[0]))
  if (found === null) return answerPage(call, 404, missingPage('../'))
  const { token, checkout_url } = found.charge
  const nowMs = parts.engine.query('engine.time', null)
  const sealed = new URLSearchParams(call.queryText).get('s') ?? ''
  const hasSimulatedPhone = parts.inbox !== null && isFromHere(call)
  const page = checkoutPage({
    found,
    merchantName: found.merchantName,
    nowMs,
    codeExpiresInS: parts.checkoutCodes.code(checkout_url, token, nowMs).expiresInS,
    progress: openProgress(parts.seal, token, sealed) ?? NO_PROGRESS,
    sealed,
    hasSimulatedPhone,
    payer: hasSimulatedPhone && found.state === 'pending' ? await payerHere(parts, api, call, found) : null,
  })
  answerPage(call, 200, page)
}

/** Returns the wallet that is signed in on the simulated phone of this browser. Null without one that may pay the charge. */
async function payerHere(
  { seal }: CheckoutPageParts,
  api: Pick<ApiCalls, 'ask'>,
  call: PageCall,
  { charge }: NamedCharge,
): Promise<Payer | null> {
  const session = sessionOf(seal, call.browser)
  if (session === null || session.environment !== charge.environment) return null
  const balance = await api.ask<Balance>({ operationId: 'getMyBalance', as: { bearer: session.accessToken }, from: call })
  return balance.ok ? { tag: session.tag, available: balance.body.available } : null
}

function withCharge(parts: CheckoutPageParts, call: PageCall, go: (found: NamedCharge) => void): void {
  const found = foundCharge(parts, String(call.params[0]))
  if (found === null) return answerPage(call, 404, missingPage('../../'))
  go(found)
}

/** Answers the QR code. A charge that is over has none; its page is about to show the result. */
function showQr(parts: CheckoutPageParts, call: PageCall, { charge, state }: NamedCharge): void {
  const { payload } = parts.checkoutCodes.code(charge.checkout_url, charge.token, parts.engine.query('engine.time', null))
  const picture = paymentRefusal(state) === null ? qrSvg(payload) : NO_PICTURE
  call.answerAs(200, picture, [...PAGE_HEADERS, ['Content-Type', 'image/svg+xml']])
}

const NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'

function payment(parts: CheckoutPageParts, found: NamedCharge): Approval {
  const { token, environment, amount, currency } = found.charge
  return {
    token,
    subject: token,
    environment,
    isOpen: () => {
      const now = foundCharge(parts, token)
      return now === null || paymentRefusal(now.state) === null
    },
    sendCode: (call, payer, onStarted) => startCheckoutOtp(parts, call, found, payer, onStarted),
    command: (account, challengeId) => webPayment(token, account, challengeId),
    // Paid by this form or by another payer, or over. The page shows which.
    errorAfter: (outcome, account) =>
      outcome.kind === 'ok' || isOver(outcome)
        ? null
        : withMissing(parts, errorOf('form', outcome.body), account, { amount: amount + found.payerFee, currency }),
  }
}

/** Adds by how much the balance of the payer, who has proved the PIN, is too low. */
function withMissing({ engine }: CheckoutPageParts, error: FieldError, account: number, price: Sum): FieldError {
  if (error.code !== 'insufficient_balance') return error
  const missing = price.amount - engine.query('accounts.balance', { account }).available
  return missing > 0 ? { ...error, missing: { ...price, amount: missing } } : error
}

const OVER: ReadonlySet<string> = new Set<ErrorCode>(['charge_already_paid', 'charge_expired', 'charge_cancelled'])

function isOver({ body }: Outcome): boolean {
  return OVER.has((JSON.parse(body) as { code?: string }).code ?? '')
}
