// Test helpers for charges: a payment without a phone, and an immediate expiry. Test keys only.
import type { EngineApi } from '../../../engine/api.ts'
import { Charge, chargeHandle, TestPayBody } from '../../../engine/contract/charge.ts'
import { MoneyMoveBody } from '../../../engine/contract/money-body.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { EXPIRED_CHARGE, PAID_CHARGE } from './charge-examples.ts'
import { submitMove } from './charge-routes.ts'

export interface TestChargeRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function testChargeRoutes(parts: TestChargeRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/test/charges/{token}/pay',
      operationId: 'payTestCharge',
      tag: 'Test helpers',
      summary: 'Pay a charge from a test wallet',
      description: 'As if the wallet’s owner had confirmed it in the app.',
      auth: 'key',
      memberRole: 'cashier',
      idempotency: 'accepted',
      testOnly: true,
      params: { token: chargeHandle() },
      body: TestPayBody,
      bodyExample: { payer_tag: '@awa_test' },
      responses: [{ status: 200, description: 'The charge, paid.', schema: Charge, example: { ...PAID_CHARGE, environment: 'test' } }],
      commands: ['PayCharge'],
      unreachable: ['otp_expired'],
      errors: ['invalid_tag', 'invalid_recipient', 'wallet_not_found'],
      handle: (call) => pay(parts, call),
    }),
    route({
      method: 'POST',
      path: '/v1/biz/test/charges/{token}/expire',
      operationId: 'expireTestCharge',
      tag: 'Test helpers',
      summary: 'Let a pending charge expire now',
      description: 'As if thirty minutes had passed. An expired charge answers 200 again.',
      auth: 'key',
      memberRole: 'cashier',
      idempotency: 'accepted',
      testOnly: true,
      params: { token: chargeHandle() },
      body: MoneyMoveBody,
      bodyOptional: true,
      bodyExample: {},
      responses: [{ status: 200, description: 'The charge, expired.', schema: Charge, example: EXPIRED_CHARGE }],
      commands: ['ExpireCharge'],
      errors: [],
      handle: (call) => submitMove(parts, call, (token, merchant) => ({ type: 'ExpireCharge', merchant, token })),
    }),
  ]
}

function pay(parts: TestChargeRoutesParts, call: Call<TestPayBody, Record<string, unknown>, MerchantPrincipal>): void {
  if (isPhoneWithoutPlus(call.body.payer_tag)) return call.refuse('invalid_recipient', 'payer_tag')
  const tag = normalizeTag(call.body.payer_tag)
  if (tag === null) return call.refuse('invalid_tag', 'payer_tag')
  const payer = parts.engine.query('wallets.byTag', { environment: 'test', tag })
  if (payer === null) return call.refuse('wallet_not_found', 'payer_tag')
  submitMove(parts, call, (token, merchant) => ({
    type: 'PayCharge',
    token,
    merchant,
    payer: payer.account,
    challengeId: null,
    answer: 'record',
  }))
}
