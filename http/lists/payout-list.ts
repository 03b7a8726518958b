// The list of payouts, as JSON or CSV.
import type { EngineApi } from '../../engine/api.ts'
import { type ListPayoutsQuery, Payout } from '../../engine/contract/payout.ts'
import { EVENTS_MAX } from '../../engine/kernel/limits.ts'
import type { Call, MerchantPrincipal } from '../server/route.ts'
import { answerCsv, type CsvExports, prefersCsv } from './csv.ts'
import { columnsOf, csvText } from './csv-text.ts'
import { answerPage } from './list-answers.ts'

export interface PayoutListParts {
  readonly engine: Pick<EngineApi, 'query' | 'whenDurable'>
  readonly csvExports: CsvExports
}

export function answerPayouts({ engine, csvExports }: PayoutListParts, call: Call<unknown, ListPayoutsQuery, MerchantPrincipal>): void {
  const { account } = call.principal
  const page = (query: ListPayoutsQuery) => engine.query('payouts.list', { account, query })
  if (!prefersCsv(call.accept)) return answerPage(call, page(call.query))
  const { batch_id, idempotency_key } = call.query
  const isOfOneRecord = batch_id !== undefined || idempotency_key !== undefined
  answerCsv(call, engine, csvExports, {
    path: '/v1/biz/payouts',
    fileName: 'payouts.csv',
    header: PAYOUT_CSV_HEADER,
    // One record holds at most EVENTS_MAX events, so its payouts fit one response.
    ...(isOfOneRecord ? { linesPerSlice: EVENTS_MAX } : {}),
    page,
    line: (row) => payoutCsvLine(JSON.parse(row) as Payout),
  })
}

/** The fields of the schema, in its order. */
const CSV_COLUMNS = columnsOf(Payout)

export const PAYOUT_CSV_HEADER = csvText(CSV_COLUMNS)

export function payoutCsvLine(payout: Payout): string {
  return csvText(CSV_COLUMNS.map((column) => payout[column]))
}
