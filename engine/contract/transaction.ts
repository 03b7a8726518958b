// Statement lines: a ledger transaction as one of its accounts sees it.
import { balance, currency, listOf, PAGE_QUERY, reference, timestamp, uuid } from './common.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

export const TRANSACTION_TYPES = ['deposit', 'withdrawal', 'payout', 'charge', 'refund', 'transfer', 'bill', 'mandate'] as const

export const Transaction = Type.Object(
  {
    id: uuid(),
    type: choice(TRANSACTION_TYPES),
    amount: balance({ description: 'Signed: what came in is positive, what went out negative.', examples: [-5000] }),
    balance_after: balance({ description: 'Balance of the account after this transaction.' }),
    currency: currency(),
    reference: Type.String(),
    counterparty: nullable(Type.String(), {
      description:
        'Tag of the wallet or name of the merchant on the other side; null where it is the house itself (deposits, withdrawals).',
    }),
    charge_id: nullable(uuid()),
    payout_id: nullable(uuid()),
    batch_id: nullable(uuid()),
    created_at: timestamp(),
  },
  { $id: 'Transaction' },
)

export type Transaction = Static<typeof Transaction>

export const TransactionList = listOf(Transaction, 'TransactionList')

export const ListTransactionsQuery = Type.Object({
  ...PAGE_QUERY,
  type: Type.Optional(choice(TRANSACTION_TYPES)),
  reference: Type.Optional(reference()),
})

export type ListTransactionsQuery = Static<typeof ListTransactionsQuery>
