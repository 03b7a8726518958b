// Deposits and withdrawals: by the operator, or with play money in the test environment.
import { amount, balance, environment, reference, tagInput, uuid } from './common.ts'
import { moneyBody } from './money-body.ts'
import { type Static, Type } from './schema.ts'

/** Exactly one of `merchant_id` and `tag`; the handler checks it. `if` documents it without a union of unnamed shapes. */
export const FundingBody = moneyBody(
  {
    merchant_id: Type.Optional(uuid({ description: 'Merchant whose balance changes. Alternative: `tag`.' })),
    tag: Type.Optional(tagInput({ description: 'Wallet whose balance changes. Alternative: `merchant_id`.', 'x-error': 'invalid_tag' })),
    environment: environment(),
    amount: amount(),
    reference: Type.Optional(reference()),
  },
  {
    $id: 'FundingBody',
    description: 'Exactly one of `merchant_id` and `tag`.',
    if: { required: ['merchant_id'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, not a promise.
    then: { not: { required: ['tag'] } },
    else: { required: ['tag'] },
  },
)

export type FundingBody = Static<typeof FundingBody>

export const TestDepositBody = moneyBody(
  {
    recipient: Type.Optional(
      tagInput({ description: 'A test wallet. Default: the merchant’s own test balance.', 'x-error': 'invalid_recipient' }),
    ),
    amount: amount(),
    reference: Type.Optional(reference()),
  },
  { $id: 'TestDepositBody' },
)

export type TestDepositBody = Static<typeof TestDepositBody>

export const Funding = Type.Object(
  {
    transaction_id: uuid({ description: 'Ledger transaction.' }),
    balance_after: balance({ description: 'Balance of the account after this transaction.' }),
  },
  { $id: 'Funding' },
)

export type Funding = Static<typeof Funding>
