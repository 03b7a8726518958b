// The merchant's own account: who am I, what do I hold, what happened.
import type { Hit } from '../../engine/actor/history.ts'
import { Balance } from '../../engine/contract/balance.ts'
import { Ping } from '../../engine/contract/health.ts'
import { ListTransactionsQuery, TransactionList } from '../../engine/contract/transaction.ts'
import { transactionsTerm } from '../../engine/domain/terms.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { answerCsv, prefersCsv } from '../csv.ts'
import { STATEMENT_LINE } from '../examples.ts'
import type { House } from '../house.ts'
import { type HistoryList, historyPage } from '../lists.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../route.ts'
import { CSV_HEADER, csvLine, statementLine, transactionOf } from '../statement.ts'

export function accountRoutes(house: House): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/ping',
      operationId: 'ping',
      tag: 'Account',
      summary: 'Check authentication',
      auth: 'key',
      idempotency: 'none',
      responses: [{ status: 200, description: 'The key pair is right.', schema: Ping }],
      errors: [],
      handle: ping,
    }),
    route({
      method: 'GET',
      path: '/v1/biz/balance',
      operationId: 'getBalance',
      tag: 'Account',
      summary: 'Get the balance',
      auth: 'key',
      idempotency: 'none',
      responses: [{ status: 200, description: 'What the account holds.', schema: Balance }],
      errors: [],
      handle: (call) => getBalance(house, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/transactions',
      operationId: 'listTransactions',
      tag: 'Account',
      summary: 'List ledger transactions',
      description: TRANSACTIONS_DESCRIPTION,
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
        { status: 200, description: 'The same as CSV.', contentType: 'text/csv' },
      ],
      errors: [],
      handle: (call) => listTransactions(house, call),
    }),
  ]
}

const TRANSACTIONS_DESCRIPTION = `With \`Accept: text/csv\` the answer is CSV (RFC 4180, UTF-8, the field names in the first line) under the same filters.
Without \`limit\` it holds up to 10 000 lines instead of a page of 20; where more follow, the header \`Link\` with \`rel="next"\` leads to them.
A text that a spreadsheet would run as a formula (it starts with \`=\`, \`+\`, \`-\` or \`@\`) has an apostrophe in front.`

type MerchantCall<Query = Record<string, unknown>> = Call<unknown, Query, MerchantPrincipal>

function ping(call: MerchantCall): void {
  const { merchant, environment, scopes } = call.principal
  call.answer(200, JSON.stringify({ ok: true, merchant_id: merchant.id, environment, scopes: [...scopes] } satisfies Ping))
}

function getBalance(house: House, call: MerchantCall): void {
  const { account, environment, merchant } = call.principal
  const { accounts } = house.engine.state
  const balance: Balance = {
    available: accounts.available(account),
    pending: accounts.held(account),
    currency: merchant.currency,
    environment,
  }
  call.answer(200, JSON.stringify(balance))
}

function listTransactions(house: House, call: MerchantCall<ListTransactionsQuery>): void {
  const { account } = call.principal
  const { state, history } = house.engine
  const list = transactionList(account, call.query)
  const line = (hit: Hit) => statementLine(state, hit, account)
  if (prefersCsv(call.accept)) {
    return answerCsv(call, history, { ...list, path: '/v1/biz/transactions', header: CSV_HEADER, render: (hit) => csvLine(line(hit)) })
  }
  const page = historyPage(history, call.query, { ...list, render: (hit) => JSON.stringify(line(hit)) })
  if (page === null) return call.refuse('invalid_parameter', 'cursor')
  call.answer(200, page)
}

function transactionList(account: AccountNumber, { type, reference }: ListTransactionsQuery): Omit<HistoryList, 'render'> {
  const filtered = [
    ...(type === undefined ? [] : [transactionsTerm(account, 'type', type)]),
    ...(reference === undefined ? [] : [transactionsTerm(account, 'reference', reference)]),
  ]
  return {
    terms: filtered.length === 0 ? [transactionsTerm(account)] : filtered,
    keep: (hit) => {
      const transaction = transactionOf(hit, account)
      if (transaction === null) return false
      return (type === undefined || transaction.type === type) && (reference === undefined || transaction.reference === reference)
    },
  }
}
