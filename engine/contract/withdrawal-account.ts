// Withdrawal accounts: where a merchant's money may go, saved and checked before the first withdrawal.

import { environment, listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { Caller } from './created-by.ts'
import { choice, nameText, nullable, type Static, Type, text } from './schema.ts'

export const DESTINATION_KINDS = ['bank', 'mobile_money'] as const
export const MOBILE_PROVIDERS = ['orange', 'wave', 'mtn', 'moov', 'free', 'expresso'] as const

export function provider() {
  return choice(MOBILE_PROVIDERS, { description: 'Provider of the mobile money account.' })
}

export const CreateWithdrawalAccountBody = Type.Object(
  {
    kind: choice(DESTINATION_KINDS, { description: 'A bank account or a mobile money account.' }),
    name: nameText({ maxLength: 140, description: 'Holder of the account.', examples: ['Boutique Awa SARL'] }),
    account: text({
      lines: 'one',
      minLength: 1,
      maxLength: 64,
      description: 'Bank: an IBAN, or a RIB of the UEMOA (24 characters), with or without blanks. Mobile money: the phone in E.164.',
      examples: ['SN08 SN01 0015 2000 0485 0000 3035'],
      'x-error': 'invalid_account',
    }),
    provider: Type.Optional(provider()),
  },
  { $id: 'CreateWithdrawalAccountBody' },
)

export type CreateWithdrawalAccountBody = Static<typeof CreateWithdrawalAccountBody>

const FIELDS = {
  id: uuid({ description: 'Id of the account: `withdrawal_account_id` of withdrawals to it.' }),
  kind: choice(DESTINATION_KINDS, { description: 'A bank account or a mobile money account.' }),
  name: Type.String({ description: 'Holder of the account.', examples: ['Boutique Awa SARL'] }),
  account: Type.String({ description: 'Without blanks, in capitals.', examples: ['SN08SN0100152000048500003035'] }),
  provider: nullable(provider(), { description: 'Null for a bank account.' }),
  environment: environment(),
  usable_from: timestamp({ description: 'A withdrawal to it before is 409 `account_not_usable_yet`.' }),
  confirmed_at: nullable(timestamp(), { description: 'When an operator confirmed it; otherwise null.' }),
  created_by: Caller,
  created_at: timestamp(),
}

export const WithdrawalAccount = Type.Object(FIELDS, {
  $id: 'WithdrawalAccount',
  description: 'A saved account that money may be taken out to.',
})

export type WithdrawalAccount = Static<typeof WithdrawalAccount>

export const WithdrawalAccountList = listOf(WithdrawalAccount, 'WithdrawalAccountList')

export const ListWithdrawalAccountsQuery = Type.Object(PAGE_QUERY)

export type ListWithdrawalAccountsQuery = Static<typeof ListWithdrawalAccountsQuery>

export const OperatorWithdrawalAccount = Type.Object(
  {
    ...FIELDS,
    merchant_id: uuid({ description: 'Id of the merchant.' }),
    merchant_name: Type.String({ description: 'Name of the merchant.', examples: ['Boutique Awa'] }),
  },
  { $id: 'OperatorWithdrawalAccount' },
)

export type OperatorWithdrawalAccount = Static<typeof OperatorWithdrawalAccount>

export const OperatorWithdrawalAccountList = listOf(OperatorWithdrawalAccount, 'OperatorWithdrawalAccountList')
