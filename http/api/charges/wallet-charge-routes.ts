// Payment of a charge in the app: look up the scanned code, then pay with the PIN.

import type { EngineApi } from '../../../engine/api.ts'
import { chargeToken } from '../../../engine/contract/charge.ts'
import { PaidCharge, PayChargeBody, ScanBody, ScannedCharge } from '../../../engine/contract/checkout.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import { answerKept, presentKept } from '../../server/kept-answers.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import type { PublicAddress } from '../billers/logo-file.ts'
import { checkoutRecord, foundCharge } from '../checkout/checkout.ts'
import type { CheckoutCodes } from '../checkout/checkout-codes.ts'
import { CHECKOUT, PAID_IN_APP, PENDING_CHARGE, SCAN_REQUEST } from './charge-examples.ts'

export interface WalletChargeRoutesParts extends PublicAddress {
  readonly engine: Pick<EngineApi, 'query'>
  readonly checkoutCodes: CheckoutCodes
  readonly wallets: Pick<WalletAccess, 'pinChecks'>
}

export function walletChargeRoutes(parts: WalletChargeRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/me/charges/scan',
      operationId: 'scanCharge',
      tag: 'Wallet charges',
      summary: 'Read a checkout QR code',
      description:
        'Moves nothing. `qr_expired` is a code of a while ago, or of another service. An Idempotency-Key keeps the answer as it was.',
      auth: 'wallet',
      idempotency: 'accepted',
      body: ScanBody,
      bodyExample: SCAN_REQUEST,
      responses: [
        { status: 200, description: 'The charge.', schema: ScannedCharge, example: { token: PENDING_CHARGE.token, ...CHECKOUT } },
      ],
      errors: ['qr_expired', 'not_found'],
      handle: (call) => scan(parts, call),
      present: presentKept,
    }),
    route({
      method: 'POST',
      path: '/v1/me/charges/{token}/pay',
      operationId: 'payCharge',
      tag: 'Wallet charges',
      summary: 'Pay a charge',
      description: 'The charge is paid when this answers 200: its record is on disk. A wrong PIN counts towards the lock of the device.',
      auth: 'wallet',
      idempotency: 'required',
      params: { token: chargeToken() },
      body: PayChargeBody,
      bodyExample: { pin: '7391' },
      secretFields: ['pin'],
      responses: [{ status: 200, description: 'Paid.', schema: PaidCharge, example: PAID_IN_APP }],
      commands: ['RecordPinCheck', 'PayCharge'],
      unreachable: ['otp_expired'],
      errors: [],
      handle: (call) => pay(parts, call),
    }),
  ]
}

type WalletCall<Body> = Call<Body, Record<string, unknown>, WalletPrincipal>

function scan(parts: WalletChargeRoutesParts, call: WalletCall<ScanBody>): void {
  const read = parts.checkoutCodes.read(call.body.payload, parts.engine.query('engine.time', null))
  if (typeof read === 'string') return call.refuse('qr_expired')
  const found = foundCharge(parts, read.token)
  if (found === null || found.charge.environment !== call.principal.environment) return call.refuse('not_found')
  const scanned: ScannedCharge = { token: read.token, ...checkoutRecord(found, parts) }
  answerKept(call, call.principal.account, 'ok', JSON.stringify(scanned))
}

function pay(parts: WalletChargeRoutesParts, call: WalletCall<PayChargeBody>): void {
  const { account } = call.principal
  const token = String(call.params[0])
  parts.wallets.pinChecks.guard(call, { account, pin: call.body.pin }, () => {
    call.submit({ type: 'PayCharge', token, merchant: null, payer: account, challengeId: null, answer: 'app' }, account)
  })
}
