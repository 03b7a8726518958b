// The list of an account's transactions, as JSON or CSV: the same for a merchant and for a wallet.
import type { Hit } from '../../engine/actor/history.ts'
import type { ListTransactionsQuery } from '../../engine/contract/transaction.ts'
import { transactionsTerm } from '../../engine/domain/terms.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { House } from '../app/house.ts'
import type { Call, MerchantPrincipal, WalletPrincipal } from '../server/route.ts'
import { answerCsv, type CsvCall, prefersCsv } from './csv.ts'
import { type HistoryList, historyPage } from './lists.ts'
import { CSV_HEADER, csvLine, findTransaction, statementLine, transactionDetail, transactionOf } from './statement.ts'

export const CSV_DESCRIPTION = `With \`Accept: text/csv\` the answer is CSV (RFC 4180, UTF-8, the field names in the first line) under the same filters.
Without \`limit\` it holds all lines, however many, and is streamed: one that breaks off without its last chunk is not whole. With \`limit\` it is a page, and
where more follow the header \`Link\` with \`rel="next"\` leads to them. Four exports of an account run at once; beyond, 429 \`rate_limited\`. A reader that
takes nothing for 30 s is cut off. A text that a spreadsheet would run as a formula (it starts with \`=\`, \`+\`, \`-\` or \`@\`) has an apostrophe in front.`

/** `path` is the route's own, for the link to the next part of a CSV. */
export function answerStatement(house: House, call: CsvCall & Call<unknown, ListTransactionsQuery>, path: string): void {
  const { account } = call.principal
  const { state, history } = house.engine
  const list = transactionList(account, call.query)
  const line = (hit: Hit) => statementLine(state, hit, account)
  if (prefersCsv(call.accept)) {
    return answerCsv(call, house.engine, house.csvExports, {
      ...list,
      path,
      fileName: 'transactions.csv',
      header: CSV_HEADER,
      render: (hit) => csvLine(line(hit)),
    })
  }
  const page = historyPage(history, call.query, { ...list, render: (hit) => JSON.stringify(line(hit)) })
  if (page === null) return call.refuse('invalid_parameter', 'cursor')
  call.answer(200, page)
}

/** One transaction with its postings; 404 where the caller has no side in it. */
export function answerTransaction(house: House, call: Call<unknown, unknown, MerchantPrincipal | WalletPrincipal>): void {
  const { account } = call.principal
  const { state, history } = house.engine
  const hit = findTransaction(history, account, String(call.params[0]).toLowerCase())
  if (hit === null) return call.refuse('not_found')
  call.answer(200, JSON.stringify(transactionDetail(state, hit, account)))
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
