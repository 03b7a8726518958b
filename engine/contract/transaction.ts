// Statement lines: a ledger transaction as one of its accounts sees it.
import { amount, balance, currency, listOf, PAGE_QUERY, reference, timestamp, uuid } from './common.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

export const TRANSACTION_TYPES = ['deposit', 'withdrawal', 'payout', 'charge', 'refund', 'transfer', 'bill', 'mandate'] as const

const FIELDS = {
  id: uuid({ description: 'Id of the ledger transaction.' }),
  type: choice(TRANSACTION_TYPES, { description: 'What moved the money.' }),
  amount: balance({ description: 'Signed: what came in is positive, what went out negative.', examples: [-5000] }),
  balance_after: balance({ description: 'Balance of the account after this transaction.' }),
  currency: currency(),
  reference: Type.String({ description: 'Reference of what moved the money; empty when there is none.' }),
  counterparty: nullable(Type.String(), {
    description: 'Tag of the wallet or name of the merchant on the other side; null where it is the house itself (deposits, withdrawals).',
  }),
  charge_id: nullable(uuid(), { description: 'The charge that was paid or refunded; null otherwise.' }),
  payout_id: nullable(uuid(), { description: 'The payout that was paid; null otherwise.' }),
  batch_id: nullable(uuid(), { description: 'The batch that the payout was a line of; null otherwise.' }),
  created_at: timestamp(),
}

export const Transaction = Type.Object(FIELDS, { $id: 'Transaction' })

export type Transaction = Static<typeof Transaction>

const ACCOUNT_TYPES = ['merchant', 'wallet', 'settlement', 'clearing'] as const
const DIRECTIONS = ['debit', 'credit'] as const

const TransactionPosting = Type.Object(
  {
    account_type: choice(ACCOUNT_TYPES, { description: '`settlement` and `clearing` are accounts of the house itself.' }),
    account_name: nullable(Type.String(), { description: 'Tag of the wallet or name of the merchant; null for accounts of the house.' }),
    direction: choice(DIRECTIONS, { description: 'What goes out of an account debits it, what comes in credits it.' }),
    amount: amount(),
    currency: currency(),
  },
  { $id: 'TransactionPosting' },
)

export const TransactionDetail = Type.Object(
  {
    ...FIELDS,
    mandate_id: nullable(uuid(), { description: 'The mandate that was charged; null otherwise.' }),
    postings: Type.Array(TransactionPosting, { minItems: 2, description: 'Debits and credits come to the same sum.' }),
  },
  { $id: 'TransactionDetail' },
)

export type TransactionDetail = Static<typeof TransactionDetail>

export const TransactionList = listOf(Transaction, 'TransactionList')

export const ListTransactionsQuery = Type.Object({
  ...PAGE_QUERY,
  type: Type.Optional(choice(TRANSACTION_TYPES, { description: 'Only transactions of this type.' })),
  reference: Type.Optional(reference()),
})

export type ListTransactionsQuery = Static<typeof ListTransactionsQuery>
