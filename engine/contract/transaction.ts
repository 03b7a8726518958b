// Statement lines: a ledger transaction as one of its accounts sees it.
import { amount, balance, currency, listOf, PAGE_QUERY, reference, timestamp, uuid } from './common.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

export const TRANSACTION_TYPES = ['deposit', 'withdrawal', 'payout', 'charge', 'refund', 'transfer', 'bill', 'mandate'] as const

const FIELDS = {
  id: uuid(),
  type: choice(TRANSACTION_TYPES),
  amount: balance({ description: 'Signed: what came in is positive, what went out negative.', examples: [-5000] }),
  balance_after: balance({ description: 'Balance of the account after this transaction.' }),
  currency: currency(),
  reference: Type.String(),
  counterparty: nullable(Type.String(), {
    description: 'Tag of the wallet or name of the merchant on the other side; null where it is the house itself (deposits, withdrawals).',
  }),
  charge_id: nullable(uuid()),
  payout_id: nullable(uuid()),
  batch_id: nullable(uuid()),
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
    mandate_id: nullable(uuid()),
    postings: Type.Array(TransactionPosting, { minItems: 2, description: 'Debits and credits come to the same sum.' }),
  },
  { $id: 'TransactionDetail' },
)

export type TransactionDetail = Static<typeof TransactionDetail>

export const TransactionList = listOf(Transaction, 'TransactionList')

export const ListTransactionsQuery = Type.Object({
  ...PAGE_QUERY,
  type: Type.Optional(choice(TRANSACTION_TYPES)),
  reference: Type.Optional(reference()),
})

export type ListTransactionsQuery = Static<typeof ListTransactionsQuery>
