// The public routes of a charge: its token is the only credential. The checkout page uses the same functions.

import { type EngineApi, type FoundCharge, type NamedCharge, paymentRefusal } from '../../../engine/api.ts'
import { chargeToken } from '../../../engine/contract/charge.ts'
import {
  Checkout,
  CheckoutOtp,
  CheckoutQr,
  type CheckoutStatus,
  CheckoutStatus as CheckoutStatusSchema,
  PaidCheckout,
  PayCheckoutBody,
  StartCheckoutOtpBody,
} from '../../../engine/contract/checkout.ts'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { challengeIdOf, OTP_EXPIRES_IN_S } from '../../auth/wallet/otp-challenges.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { type Call, type PublicPrincipal, type Route, route } from '../../server/route.ts'
import type { PublicAddress } from '../billers/logo-file.ts'
import { CHECKOUT, CHECKOUT_PAYMENT, CHECKOUT_QR } from '../charges/charge-examples.ts'
import { checkoutRecord, foundCharge, payerOf } from './checkout.ts'
import type { CheckoutCodes } from './checkout-codes.ts'
import { codeCheck, startCheckoutOtp, webPayment } from './checkout-payment.ts'
import { qrSvg } from './qr.ts'

const PARAMS = { token: chargeToken() }
const CLOSED = ['charge_already_paid', 'charge_expired', 'charge_cancelled'] as const satisfies readonly ErrorCode[]

export interface CheckoutRoutesParts extends PublicAddress {
  readonly engine: Pick<EngineApi, 'query'>
  readonly checkoutCodes: CheckoutCodes
  readonly wallets: Pick<WalletAccess, 'otp' | 'pinChecks'>
}

export function checkoutRoutes(parts: CheckoutRoutesParts): readonly Route[] {
  return [...readingRoutes(parts), ...payingRoutes(parts)]
}

function readingRoutes(parts: CheckoutRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/checkout/{token}',
      operationId: 'getCheckout',
      tag: 'Checkout',
      summary: 'What a customer may see of a charge',
      description: 'What the payment page shows. The token is the only credential.',
      auth: 'public',
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'The charge, as its page shows it.', schema: Checkout, example: CHECKOUT }],
      errors: [],
      handle: (call) => withCharge(parts, call, (found) => call.answer(200, JSON.stringify(checkoutRecord(found, parts)))),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/checkout/{token}/status',
      operationId: 'getCheckoutStatus',
      tag: 'Checkout',
      summary: 'The state of a charge, and nothing else',
      description: 'For pages that wait for the payment. The webhook stays the proof of payment.',
      auth: 'public',
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'The state.', schema: CheckoutStatusSchema, example: { state: 'pending' } }],
      errors: [],
      handle: (call) => withCharge(parts, call, (found) => answerStatus(call, found)),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/checkout/{token}/qr',
      operationId: 'getCheckoutQr',
      tag: 'Checkout',
      summary: 'The QR code of the moment',
      description: 'It changes every 15 seconds; the app takes the one of the moment and the one before.',
      auth: 'public',
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'Payload and picture.', schema: CheckoutQr, example: CHECKOUT_QR }],
      errors: CLOSED,
      handle: (call) => withCharge(parts, call, (found) => answerQr(parts, call, found)),
    }),
  ]
}

function payingRoutes(parts: CheckoutRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/checkout/{token}/otp',
      operationId: 'startCheckoutOtp',
      tag: 'Checkout',
      summary: 'Send a code to the payer’s phone',
      description: OTP_DESCRIPTION,
      auth: 'public',
      idempotency: 'accepted',
      params: PARAMS,
      body: StartCheckoutOtpBody,
      bodyExample: { identifier: '@awa_diallo' },
      responses: [
        {
          status: 202,
          description: 'If the wallet exists, its code is on the way.',
          schema: CheckoutOtp,
          example: { challenge_id: CHECKOUT_PAYMENT.challenge_id, expires_in: OTP_EXPIRES_IN_S },
        },
      ],
      commands: ['StartOtp'],
      errors: [...CLOSED, 'unsupported_country'],
      handle: (call) => startOtp(parts, call),
      present: (call, outcome) => answerOtp(call, challengeIdOf(outcome)),
    }),
    route({
      method: 'POST',
      path: '/v1/biz/checkout/{token}/pay',
      operationId: 'payCheckout',
      tag: 'Checkout',
      summary: 'Pay on the web, with code and PIN',
      description: PAY_DESCRIPTION,
      auth: 'public',
      idempotency: 'accepted',
      params: PARAMS,
      body: PayCheckoutBody,
      bodyExample: CHECKOUT_PAYMENT,
      secretFields: ['otp', 'pin'],
      responses: [
        {
          status: 200,
          description: 'Paid.',
          schema: PaidCheckout,
          example: { state: 'paid', redirect_url: `${CHECKOUT.redirect_url}&token=Vb3kQ0xTz7mN1rYp4LwHs8DgJf2CeA6u&state=paid` },
        },
      ],
      commands: ['VerifyOtp', 'RecordPinCheck', 'PayCharge'],
      unreachable: ['phone_taken', 'wallet_not_found'],
      errors: ['rate_limited'],
      currencyOf: (call) => (foundCharge(parts, String(call.params[0]))?.charge.currency ?? null) as Currency | null,
      handle: (call) => payCheckout(parts, call),
    }),
  ]
}

const OTP_DESCRIPTION = `The answer is the same, and takes as long, whether the identifier leads to a wallet or not. Codes are limited as at phone/start,
by identifier in the place of the phone. A phone of a country that is not served is 400 \`unsupported_country\`. A
replay of a key sends no second code.`

const PAY_DESCRIPTION = `Without an Idempotency-Key the \`challenge_id\` is the key: the same challenge gives the same result, without looking at code and PIN
again, which are no part of what the key stands for. A wrong code or PIN is kept under no key: try again with the same challenge. The payment uses the
code up. The webhook, not this answer, is the proof for the merchant.`

type PublicCall<Body = unknown> = Call<Body, Record<string, unknown>, PublicPrincipal>

function withCharge(parts: CheckoutRoutesParts, call: PublicCall, go: (found: NamedCharge) => void): void {
  const found = foundCharge(parts, String(call.params[0]))
  if (found === null) return call.refuse('not_found')
  go(found)
}

export function answerStatus(call: Pick<Call, 'answer'>, { state }: FoundCharge): void {
  call.answer(200, JSON.stringify({ state } satisfies CheckoutStatus))
}

function answerQr(parts: CheckoutRoutesParts, call: PublicCall, { charge, state }: FoundCharge): void {
  const refusal = paymentRefusal(state)
  if (refusal !== null) return call.refuse(refusal)
  const { payload, expiresInS } = parts.checkoutCodes.code(charge.checkout_url, charge.token, parts.engine.query('engine.time', null))
  call.answer(200, JSON.stringify({ payload, svg: qrSvg(payload), expires_in: expiresInS } satisfies CheckoutQr))
}

function startOtp(parts: CheckoutRoutesParts, call: PublicCall<StartCheckoutOtpBody>): void {
  withCharge(parts, call, (found) => {
    const refusal = paymentRefusal(found.state)
    if (refusal !== null) return call.refuse(refusal)
    const payer = payerOf(parts, found.charge.environment, call.body.identifier)
    startCheckoutOtp(parts, call, found, payer, (challengeId) => answerOtp(call, challengeId))
  })
}

function answerOtp(call: Pick<Call, 'answer'>, challenge_id: string): void {
  call.answer(202, JSON.stringify({ challenge_id, expires_in: OTP_EXPIRES_IN_S } satisfies CheckoutOtp))
}

/** Answers a known key with its result. Otherwise it checks the code, then the PIN, then submits the payment. */
function payCheckout(parts: CheckoutRoutesParts, call: PublicCall<PayCheckoutBody>): void {
  withCharge(parts, call, ({ charge, state }) => {
    const { token, environment } = charge
    const { identifier: typed, otp: code, pin } = call.body
    const challengeId = call.body.challenge_id.toLowerCase()
    const { identifier, wallet } = payerOf(parts, environment, typed)
    // The key scope differs from that of the wallet's app: this caller is not authenticated yet.
    const { scope, key } = call.adoptKey(`web:${wallet?.account ?? 'nobody'}`, challengeId)
    const hasResult = (): boolean => parts.engine.query('results.known', { scope, key, fingerprint: null }) !== null
    if (wallet !== null && hasResult()) return call.submit(webPayment(token, wallet.account, challengeId), wallet.account)
    const refusal = paymentRefusal(state)
    if (refusal !== null) return call.refuse(refusal)
    call.ask(codeCheck(parts, { token, identifier, challengeId, code, from: call }), parts.wallets.otp.mailbox(environment), (outcome) => {
      if (outcome.kind !== 'ok') {
        // A second click that arrived before the payment of the first, whose code is used up by now.
        if (wallet !== null && hasResult()) return call.submit(webPayment(token, wallet.account, challengeId), wallet.account)
        return answerRefusal(call, outcome)
      }
      const { account } = JSON.parse(outcome.body) as { account: number }
      parts.wallets.pinChecks.guard(call, { account, pin }, () => call.submit(webPayment(token, account, challengeId), account))
    })
  })
}
