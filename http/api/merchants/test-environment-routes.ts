// Helpers of the test environment: deposits of play money, and wallets. Test keys only.
import type { CommandOf, EngineApi } from '../../../engine/api.ts'
import { Funding, TestDepositBody } from '../../../engine/contract/funding.ts'
import { CreateTestWalletBody, TestWallet } from '../../../engine/contract/wallet.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { isPhoneWithoutPlus, normalizeTag } from '../../../engine/kernel/tag.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { FUNDING } from '../operator/operator-examples.ts'

export interface TestEnvironmentParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function testEnvironmentRoutes(parts: TestEnvironmentParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/test/deposits',
      operationId: 'createTestDeposit',
      tag: 'Test helpers',
      summary: 'Put play money on an account',
      description: 'Without `recipient` it goes to your own test balance. A suspended merchant gets 403 `merchant_suspended`.',
      auth: 'key',
      memberRole: 'manager',
      idempotency: 'accepted',
      testOnly: true,
      body: TestDepositBody,
      bodyExample: { amount: 1_000_000 },
      responses: [{ status: 201, description: 'Done.', schema: Funding, example: FUNDING }],
      commands: ['Deposit'],
      unreachable: ['not_found'],
      errors: ['invalid_recipient'],
      currencyOf: ({ body, principal }) => fundedCurrency(parts.engine, body, principal),
      handle: createDeposit,
    }),
    route({
      method: 'POST',
      path: '/v1/biz/test/wallets',
      operationId: 'createTestWallet',
      tag: 'Test helpers',
      summary: 'Make a test wallet',
      description:
        'It is ready to be paid and to sign in. A tag has at least one letter and is no reserved word (400 `invalid_tag`). A tag that starts with `test_blocked` gives a wallet that is blocked from the start.',
      auth: 'key',
      memberRole: 'cashier',
      idempotency: 'accepted',
      testOnly: true,
      body: CreateTestWalletBody,
      bodyExample: { tag: '@awa_test' },
      responses: [
        {
          status: 201,
          description: 'The wallet and what its user types.',
          schema: TestWallet,
          example: { tag: 'awa_test', phone: '+2250000000012', pin: '2580', otp: '000000', environment: 'test' },
        },
      ],
      commands: ['CreateTestWallet'],
      errors: [],
      handle: createWallet,
    }),
  ]
}

type MerchantCall<Body> = Call<Body, Record<string, unknown>, MerchantPrincipal>

function createDeposit(call: MerchantCall<TestDepositBody>): void {
  const { recipient, amount, reference = '' } = call.body
  const { merchant, account } = call.principal
  const tag = recipient === undefined ? undefined : isPhoneWithoutPlus(recipient) ? null : normalizeTag(recipient)
  if (tag === null) return call.refuse('invalid_recipient', 'recipient')
  const target: CommandOf<'Deposit'>['target'] = tag === undefined ? { merchantId: merchant.id } : { tag }
  call.submit({ type: 'Deposit', target, environment: 'test', amount, reference, by: 'test_helper', helper: account }, account)
}

/** Returns null where there is no such wallet. */
function fundedCurrency(
  engine: Pick<EngineApi, 'query'>,
  { recipient }: TestDepositBody,
  { merchant }: MerchantPrincipal,
): Currency | null {
  if (recipient === undefined) return merchant.currency
  const tag = normalizeTag(recipient)
  const wallet = tag === null ? null : engine.query('wallets.byTag', { environment: 'test', tag })
  return wallet === null ? null : engine.query('accounts.currency', { account: wallet.account })
}

function createWallet(call: MerchantCall<CreateTestWalletBody>): void {
  const tag = normalizeTag(call.body.tag)
  if (tag === null) return call.refuse('invalid_tag', 'tag')
  const { account, merchant } = call.principal
  call.submit({ type: 'CreateTestWallet', tag, currency: call.body.currency ?? merchant.currency }, account)
}
