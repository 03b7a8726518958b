// Statement lines: a ledger transaction as one of its accounts sees it.

import { balance, currency, listOf, PAGE_QUERY, referenceFilter, searchText, timestamp, uuid } from './common.ts'
import { feeTaken } from './fees.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

export const TRANSACTION_TYPES = [
  'deposit',
  'withdrawal',
  'payout',
  'charge',
  'refund',
  'transfer',
  'bill',
  'mandate',
  'fee',
  'fee_refund',
] as const

const FIELDS = {
  id: uuid({ description: 'Id of the ledger transaction.' }),
  type: choice(TRANSACTION_TYPES, { description: 'Operation that moved the money.' }),
  amount: balance({ description: 'Signed: positive for money that came in, negative for money that went out.', examples: [-5000] }),
  balance_after: balance({ description: 'Balance of the account after this transaction.' }),
  currency: currency(),
  reference: Type.String({ description: 'Reference of the operation; empty when there is none.' }),
  counterparty: nullable(Type.String(), {
    description:
      'Tag of the wallet or name of the merchant on the other side; of a payout to a phone the phone; null for the service itself (deposits, withdrawals).',
  }),
  charge_id: nullable(uuid(), { description: 'The charge that was paid or refunded; null otherwise.' }),
  payout_id: nullable(uuid(), { description: 'The payout that was paid; null otherwise.' }),
  batch_id: nullable(uuid(), { description: 'The batch of the payout; null otherwise.' }),
  fee_of: Type.Optional(
    uuid({
      description: 'Of a `fee` the transaction that it was taken for, of a `fee_refund` the refund that gave it back; absent otherwise.',
    }),
  ),
  created_at: timestamp(),
}

export const Transaction = Type.Object(FIELDS, { $id: 'Transaction' })

export type Transaction = Static<typeof Transaction>

const ACCOUNT_TYPES = ['merchant', 'wallet', 'settlement', 'clearing', 'fee'] as const
const DIRECTIONS = ['debit', 'credit'] as const

const TransactionPosting = Type.Object(
  {
    account_type: choice(ACCOUNT_TYPES, { description: '`settlement`, `clearing` and `fee` are accounts of the service itself.' }),
    account_name: nullable(Type.String(), {
      description:
        'Tag of the wallet or name of the merchant; for the merchant of a payout to a phone the phone; null for accounts of the service.',
    }),
    direction: choice(DIRECTIONS, { description: '`debit`: money leaves the account. `credit`: money enters it.' }),
    amount: Type.Integer({ minimum: 1, description: 'Smallest currency unit.', examples: [5000] }),
    currency: currency(),
  },
  { $id: 'TransactionPosting' },
)

export const TransactionDetail = Type.Object(
  {
    ...FIELDS,
    mandate_id: nullable(uuid(), { description: 'The mandate that was charged; null otherwise.' }),
    fee: feeTaken('What your account paid beside the amount; 0 without a fee of its own.'),
    postings: Type.Array(TransactionPosting, { minItems: 2, description: 'The sum of debits equals the sum of credits.' }),
  },
  { $id: 'TransactionDetail' },
)

export type TransactionDetail = Static<typeof TransactionDetail>

export const TransactionList = listOf(Transaction, 'TransactionList')

export const ListTransactionsQuery = Type.Object({
  ...PAGE_QUERY,
  type: Type.Optional(choice(TRANSACTION_TYPES, { description: 'Only transactions of this type.' })),
  reference: Type.Optional(referenceFilter()),
  q: Type.Optional(
    searchText('Reference, tag on the other side, phone of a payout, or id of the transaction, its payout, charge or bill.'),
  ),
})

export type ListTransactionsQuery = Static<typeof ListTransactionsQuery>
