// The list of an account's transactions, as JSON or CSV, for merchants and wallets.
import type { EngineApi } from '../../engine/api.ts'
import { type ListTransactionsQuery, Transaction as StatementLine } from '../../engine/contract/transaction.ts'
import type { Call, MerchantPrincipal, WalletPrincipal } from '../server/route.ts'
import { answerCsv, type CsvCall, type CsvExports, prefersCsv } from './csv.ts'
import { columnsOf, csvText } from './csv-text.ts'
import { answerPage } from './list-answers.ts'

export const CSV_DESCRIPTION = `With \`Accept: text/csv\` the answer is CSV (RFC 4180, UTF-8, the field names in the first line) under the same filters.
Without \`limit\` it holds all lines, however many, and is streamed: one that breaks off without its last chunk is not whole. With \`limit\` it is a page, and
where more follow the header \`Link\` with \`rel="next"\` leads to them. Four exports of an account run at once; beyond, 429 \`quota_exceeded\`. A reader that
takes nothing for 30 s is cut off. A text that a spreadsheet would run as a formula (it starts with \`=\`, \`+\`, \`-\` or \`@\`) has an apostrophe in front.`

export interface StatementParts {
  readonly engine: Pick<EngineApi, 'query' | 'whenDurable'>
  readonly csvExports: CsvExports
}

/** Answers the list. `path` is the route's, for the link to the next part of a CSV. */
export function answerStatement(parts: StatementParts, call: CsvCall & Call<unknown, ListTransactionsQuery>, path: string): void {
  const { engine, csvExports } = parts
  const { account } = call.principal
  const page = (query: ListTransactionsQuery) => engine.query('transactions.list', { account, query })
  if (!prefersCsv(call.accept)) return answerPage(call, page(call.query))
  answerCsv(call, engine, csvExports, {
    path,
    fileName: 'transactions.csv',
    header: CSV_HEADER,
    page,
    line: (row) => csvLine(JSON.parse(row) as StatementLine),
  })
}

/** Answers one transaction with its postings; 404 when the caller has no side in it. */
export function answerTransaction(
  { engine }: Pick<StatementParts, 'engine'>,
  call: Call<unknown, unknown, MerchantPrincipal | WalletPrincipal>,
): void {
  const found = engine.query('transactions.get', { account: call.principal.account, id: String(call.params[0]) })
  if (found === null) return call.refuse('not_found')
  call.answer(200, JSON.stringify(found))
}

/** The fields of the schema, in its order. */
const CSV_COLUMNS = columnsOf(StatementLine)

/** First line of the CSV, with the names (RFC 4180). */
export const CSV_HEADER = csvText(CSV_COLUMNS)

export function csvLine(line: StatementLine): string {
  return csvText(CSV_COLUMNS.map((column) => line[column]))
}
