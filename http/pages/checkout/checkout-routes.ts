// The routes of the checkout page. They use the functions of the public API. Forms are answered with a redirect to the page
// (303), so that a reload sends nothing twice. There is no session and no cookie, so cross-site request forgery gains
// nothing: a form from another site can do no more than its sender.

import { type EngineApi, type NamedCharge, type Outcome, paymentRefusal } from '../../../engine/api.ts'
import type { Balance } from '../../../engine/contract/balance.ts'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { foundCharge, payerOf } from '../../api/checkout/checkout.ts'
import type { CheckoutCodes } from '../../api/checkout/checkout-codes.ts'
import { codeCheck, startCheckoutOtp, webPayment } from '../../api/checkout/checkout-payment.ts'
import { answerStatus } from '../../api/checkout/checkout-routes.ts'
import { qrSvg } from '../../api/checkout/qr.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import type { Seal } from '../../crypto/seal.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, type RouteShape, route } from '../../server/route.ts'
import type { Inbox } from '../../workers/gateways/inbox.ts'
import { isFromHere } from '../dev/local-guard.ts'
import { sessionOf } from '../dev/phone-progress.ts'
import type { ApiCalls } from '../shared/api-calls.ts'
import { answerPage, PAGE_HEADERS, redirectTo } from '../shared/layout.ts'
import { languageOf } from '../shared/page-language.ts'
import { checkoutPage, missingPage, type Payer } from './checkout-page.ts'
import {
  errorOf,
  type FieldError,
  identifierOf,
  misspelled,
  NO_PROGRESS,
  openProgress,
  type Progress,
  sealProgress,
  TYPED_LENGTH_MAX,
} from './checkout-progress.ts'

/** No maxLength: the handler truncates long text, because an API error would replace the page. */
const FIELD = Type.Optional(Type.String())
const IdentifierForm = Type.Object({ identifier: FIELD })
const PaymentForm = Type.Object({ s: FIELD, otp: FIELD, pin: FIELD })

const FORM_BYTES_MAX = 16 * 1024

const PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  params: { token: Type.String() },
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

const FORM = { ...PAGE, method: 'POST', bodyType: 'form', bodyBytesMax: FORM_BYTES_MAX } as const

export interface CheckoutPageParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Seal
  readonly checkoutCodes: CheckoutCodes
  readonly wallets: Pick<WalletAccess, 'otp' | 'pinChecks'>
  /** Null in production. */
  readonly inbox: Inbox | null
}

/** `api` reads the balance of the wallet that is signed in on the simulated phone. */
export function checkoutPageRoutes(parts: CheckoutPageParts, api: Pick<ApiCalls, 'ask'>): readonly Route[] {
  return [
    route({
      ...PAGE,
      method: 'GET',
      path: '/pay/{token}',
      operationId: 'showCheckoutPage',
      summary: 'The checkout page',
      handle: (call) => later(call, () => showPage(parts, api, call)),
    }),
    route({
      ...PAGE,
      method: 'GET',
      path: '/pay/{token}/status',
      operationId: 'getCheckoutPageStatus',
      summary: 'News for the page',
      handle: (call) => withCharge(parts, call, (found) => answerStatus(call, found)),
    }),
    route({
      ...PAGE,
      method: 'GET',
      path: '/pay/{token}/qr.svg',
      operationId: 'getCheckoutPageQr',
      summary: 'The QR code of the moment',
      handle: (call) => withCharge(parts, call, (found) => showQr(parts, call, found)),
    }),
    route({
      ...FORM,
      path: '/pay/{token}/otp',
      operationId: 'sendCheckoutIdentifier',
      summary: 'The first form',
      body: IdentifierForm,
      handle: (call) => withCharge(parts, call, (found) => sendCode(parts, call, found)),
    }),
    route({
      ...FORM,
      path: '/pay/{token}/pay',
      operationId: 'sendCheckoutPayment',
      summary: 'The second form',
      body: PaymentForm,
      handle: (call) => withCharge(parts, call, (found) => pay(parts, call, found)),
    }),
  ]
}

type PageCall<Body = unknown> = Pick<
  Call<Body>,
  'browser' | 'isLocal' | 'params' | 'queryText' | 'body' | 'remoteAddress' | 'requestId' | 'answer' | 'answerAs' | 'ask' | 'once' | 'fail'
>

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

/** Redirects to the page with the payer's progress, or to its start without one. */
function showAgain(parts: CheckoutPageParts, call: PageCall, token: string, progress: Progress | null): void {
  const query = progress === null ? '' : `?s=${encodeURIComponent(sealProgress(parts.seal, token, progress))}`
  redirectTo(call, `../${token}${query}`)
}

function sendCode(parts: CheckoutPageParts, call: PageCall<Static<typeof IdentifierForm>>, found: NamedCharge): void {
  const { token, environment } = found.charge
  if (paymentRefusal(found.state) !== null) return showAgain(parts, call, token, null)
  const typed = (call.body.identifier ?? '').slice(0, TYPED_LENGTH_MAX)
  const start: Progress = { ...NO_PROGRESS, identifier: typed }
  const identifier = identifierOf(typed)
  if (identifier === null) return showAgain(parts, call, token, { ...start, error: misspelled('identifier', 'identifier_form') })
  const counted = {
    remoteAddress: call.remoteAddress,
    browser: { ...call.browser, acceptLanguage: languageOf(call).language },
    once: call.once.bind(call),
    // A rate limit or a full queue. The page shows the error.
    answerAs: (_status: number, body: string | Uint8Array) =>
      showAgain(parts, call, token, { ...start, error: errorOf('form', String(body)) }),
  }
  startCheckoutOtp(parts, counted, found, payerOf(parts, environment, identifier), (challengeId) => {
    showAgain(parts, call, token, { ...NO_PROGRESS, identifier, challengeId })
  })
}

function pay(parts: CheckoutPageParts, call: PageCall<Static<typeof PaymentForm>>, found: NamedCharge): void {
  const { token, environment } = found.charge
  const before = openProgress(parts.seal, token, call.body.s ?? '')
  if (before === null || before.challengeId === null || paymentRefusal(found.state) !== null) return showAgain(parts, call, token, null)
  const code = (call.body.otp ?? '').replaceAll(/\s/g, '')
  const pin = call.body.pin ?? ''
  const again = (progress: Partial<Progress>): void => showAgain(parts, call, token, { ...before, otp: '', error: null, ...progress })
  if (!/^[0-9]{6}$/.test(code)) return again({ error: misspelled('otp', 'otp_form') })
  if (!/^[0-9]{4,6}$/.test(pin)) return again({ error: misspelled('pin', 'pin_form') })
  const { challengeId } = before
  const { identifier } = payerOf(parts, environment, before.identifier)
  call.ask(codeCheck(parts, { token, identifier, challengeId, code, from: call }), parts.wallets.otp.mailbox(environment), (checked) => {
    if (checked.kind !== 'ok')
      return isClosed(parts, token) ? showAgain(parts, call, token, null) : again({ error: errorOf('otp', checked.body) })
    const { account } = JSON.parse(checked.body) as { account: number }
    later(call, async () => {
      const verdict = await parts.wallets.pinChecks.verify(account, pin, { address: call.remoteAddress })
      if (!verdict.isRight) return again({ otp: code, error: { ...errorOf('pin', verdict.body), retryAfterS: verdict.retryAfterS } })
      call.ask(webPayment(token, account, challengeId), account, (outcome) => showOutcome(outcome, account))
    })
  })
  const showOutcome = (outcome: Outcome, account: number): void => {
    // Paid by this form or by another payer, or over. The page shows which.
    if (outcome.kind === 'ok' || isOver(outcome)) return showAgain(parts, call, token, null)
    again({ error: withMissing(parts, errorOf('form', outcome.body), account, found.charge.amount + found.payerFee) })
  }
}

/** Adds by how much the balance of the payer, who has proved the PIN, is too low. */
function withMissing({ engine }: CheckoutPageParts, error: FieldError, account: number, amount: number): FieldError {
  if (error.code !== 'insufficient_balance') return error
  const missing = amount - engine.query('accounts.balance', { account }).available
  return missing > 0 ? { ...error, missing } : error
}

/** A second click may find its code used up by the payment of the first. The page shows that payment. */
function isClosed(parts: CheckoutPageParts, token: string): boolean {
  const found = foundCharge(parts, token)
  return found !== null && paymentRefusal(found.state) !== null
}

const OVER: ReadonlySet<string> = new Set<ErrorCode>(['charge_already_paid', 'charge_expired', 'charge_cancelled'])

function isOver({ body }: Outcome): boolean {
  return OVER.has((JSON.parse(body) as { code?: string }).code ?? '')
}
