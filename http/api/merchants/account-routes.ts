// The merchant's own account: authentication check, balance and ledger transactions.
import { Balance } from '../../../engine/contract/balance.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { Ping } from '../../../engine/contract/health.ts'
import { ListTransactionsQuery, TransactionDetail, TransactionList } from '../../../engine/contract/transaction.ts'
import {
  answerStatement,
  answerTransaction,
  CSV_DESCRIPTION,
  CSV_HEADER,
  csvLine,
  type StatementParts,
} from '../../lists/statement-list.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { BALANCE, PING, STATEMENT_LINE, TRANSACTION_DETAIL } from '../shared-examples.ts'

export function accountRoutes(parts: StatementParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/ping',
      operationId: 'ping',
      tag: 'Account',
      summary: 'Check authentication',
      description: 'Returns the merchant, environment and scopes of the key pair. It reads no balance and moves nothing.',
      auth: 'key',
      showsCallerAlone: true,
      idempotency: 'none',
      responses: [{ status: 200, description: 'The key pair is right.', schema: Ping, example: PING }],
      errors: [],
      handle: ping,
    }),
    route({
      method: 'GET',
      path: '/v1/biz/balance',
      operationId: 'getBalance',
      tag: 'Account',
      summary: 'Get the balance',
      description: '`available` can be paid out now; `pending` is the sum of holds, such as requested withdrawals.',
      auth: 'key',
      idempotency: 'none',
      responses: [{ status: 200, description: 'What the account holds.', schema: Balance, example: BALANCE }],
      errors: [],
      handle: (call) => getBalance(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/transactions',
      operationId: 'listTransactions',
      tag: 'Account',
      summary: 'List ledger transactions',
      description: CSV_DESCRIPTION,
      auth: 'key',
      idempotency: 'none',
      query: ListTransactionsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first; or CSV.',
          schema: TransactionList,
          example: { data: [STATEMENT_LINE], has_more: false, next_cursor: null },
        },
        { status: 200, description: 'The same as CSV.', contentType: 'text/csv', example: CSV_HEADER + csvLine(STATEMENT_LINE) },
      ],
      errors: [],
      handle: (call) => answerStatement(parts, call, '/v1/biz/transactions'),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/transactions/{id}',
      operationId: 'getTransaction',
      tag: 'Account',
      summary: 'Get a ledger transaction with its postings',
      description: 'The sum of its debits equals the sum of its credits.',
      auth: 'key',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the ledger transaction.' }) },
      responses: [
        { status: 200, description: 'The transaction, as your account sees it.', schema: TransactionDetail, example: TRANSACTION_DETAIL },
      ],
      errors: [],
      handle: (call) => answerTransaction(parts, call),
    }),
  ]
}

type MerchantCall<Query = Record<string, unknown>> = Call<unknown, Query, MerchantPrincipal>

function ping(call: MerchantCall): void {
  const { merchant, environment, scopes } = call.principal
  call.answer(200, JSON.stringify({ ok: true, merchant_id: merchant.id, environment, scopes: [...scopes] } satisfies Ping))
}

function getBalance(parts: StatementParts, call: MerchantCall): void {
  const { account, environment } = call.principal
  const { available, held, currency } = parts.engine.query('accounts.balance', { account })
  const balance: Balance = {
    available,
    pending: held,
    currency,
    environment,
  }
  call.answer(200, JSON.stringify(balance))
}
