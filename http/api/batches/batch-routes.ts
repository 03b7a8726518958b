// Batches of payouts: one row for each route. engine/domain/payout decides each line.
import type { CommandOf } from '../../../engine/api.ts'
import {
  BatchList,
  BatchReport,
  BatchSummary,
  CreateBatchBody,
  CreateBatchQuery,
  ListBatchesQuery,
} from '../../../engine/contract/batch.ts'
import { readBatchLines } from '../../../engine/contract/batch-line.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { isSuccess } from '../../../engine/contract/outcome-kind.ts'
import { csvHeaders, prefersCsv } from '../../lists/csv.ts'
import { answerDocumentCsv, CsvColumns, csvResponse, type DocumentCsv, type DocumentListParts, pageOf } from '../../lists/document-csv.ts'
import { type AskSlice, answerPage, answerSlices } from '../../lists/list-answers.ts'
import { BATCH_CANDIDATES_MAX } from '../../lists/list-limits.ts'
import { CSV_DESCRIPTION } from '../../lists/statement-list.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { keyIdOf } from '../../server/principal.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { BATCH_LINES_PER_REQUEST, LARGE_BODY_VALUES_MAX, LINES_BODY_BYTES_MAX } from '../../server/server-limits.ts'
import { UNKNOWN_RECIPIENTS_RULE } from '../payouts/recipient-prose.ts'
import { BATCH_REPORT, BATCH_REQUEST, BATCH_SUMMARY, DRY_RUN_REPORT } from './batch-examples.ts'

export type BatchRoutesParts = DocumentListParts

const CSV: DocumentCsv = { path: '/v1/biz/payouts/batch', fileName: 'batches.csv', columns: new CsvColumns(BatchSummary) }
const LINE_COLUMNS = new CsvColumns(BatchReport.properties.items.items)

export function batchRoutes(parts: BatchRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/payouts/batch',
      operationId: 'createBatch',
      tag: 'Payouts',
      summary: 'Send money to up to 500 wallets',
      description: CREATE_DESCRIPTION,
      auth: 'key',
      memberRole: 'manager',
      scope: 'disbursements.write',
      // A dry run needs no key. The handler requires one for a real batch.
      idempotency: 'accepted',
      query: CreateBatchQuery,
      body: CreateBatchBody,
      bodyBytesMax: LINES_BODY_BYTES_MAX,
      bodyValuesMax: LARGE_BODY_VALUES_MAX,
      bodyExample: BATCH_REQUEST,
      responses: [
        { status: 200, description: 'The report of a dry run.', schema: BatchReport, example: DRY_RUN_REPORT },
        { status: 201, description: 'The report: the fate of each line.', schema: BatchReport, example: BATCH_REPORT },
      ],
      commands: ['CreateBatch', 'DryRunBatch'],
      errors: ['idempotency_key_required', 'items_required', 'batch_too_large'],
      handle: createBatch,
    }),
    route({
      method: 'GET',
      path: '/v1/biz/payouts/batch',
      operationId: 'listBatches',
      tag: 'Payouts',
      summary: 'List batches',
      description: `Without their lines: those are in the report of each. Batches that a schedule ran are among them. ${CSV_DESCRIPTION}`,
      auth: 'key',
      idempotency: 'none',
      query: ListBatchesQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: BatchList,
          example: { data: [BATCH_SUMMARY], has_more: false, next_cursor: null },
        },
        csvResponse(CSV, BATCH_SUMMARY),
      ],
      errors: [],
      handle: (call) => listBatches(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/payouts/batch/{id}',
      operationId: 'getBatch',
      tag: 'Payouts',
      summary: 'Get the report of a batch',
      description:
        'Also of a batch that a schedule ran. The payouts themselves: `GET /v1/biz/payouts?batch_id=`. With `Accept: text/csv` its lines.',
      auth: 'key',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the batch.' }) },
      takesLong: true,
      responses: [
        { status: 200, description: 'The report.', schema: BatchReport, example: BATCH_REPORT },
        { status: 200, description: 'Its lines as CSV.', contentType: 'text/csv', example: linesCsv(BATCH_REPORT) },
      ],
      errors: [],
      handle: (call) => getBatch(parts, call),
    }),
  ]
}

const CREATE_DESCRIPTION = `The lines are decided in their order, each by itself: one that is short of balance fails and the next is still tried.
A malformed line fails too (\`unknown_field\`, \`unsupported_currency\`, \`invalid_recipient\`, \`invalid_amount\`, \`invalid_reference\`, \`invalid_note\`) and makes no payout; it never refuses the batch.
Everything is on disk, in one piece, before the answer leaves: a crash pays all of it or nothing. \`Idempotency-Key\` is required, but not for a dry run,
which moves nothing and ignores a key. ${UNKNOWN_RECIPIENTS_RULE} A line beyond the budget fails with \`recipient_check_limited\`, in a dry run too: neither is
refused as a whole.

A batch and a dry run count as one request of the rate limit and one more for each ${BATCH_LINES_PER_REQUEST} lines, rounded up: 500 lines as 51. Where that is more
than the limit of a second, the whole limit must be unused. A replay of a key counts as one request.`

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function createBatch(call: MerchantCall<CreateBatchBody, CreateBatchQuery>): void {
  const { account: merchant, merchant: owner } = call.principal
  const { items, reference = '' } = call.body
  const isDryRun = call.query.dry_run === true
  if (!isDryRun && call.idempotency === null) return call.refuse('idempotency_key_required')
  if (!call.spend(Math.ceil(items.length / BATCH_LINES_PER_REQUEST))) return
  const keyId = keyIdOf(call.principal)
  const rest = { reference, scheduleId: null, keyId }
  const order: Omit<CommandOf<'CreateBatch'>, 'type'> = { merchant, lines: readBatchLines(items, owner.currency), ...rest }
  if (!isDryRun) return call.submit({ type: 'CreateBatch', ...order }, merchant)
  call.ask({ type: 'DryRunBatch', ...order }, merchant, (outcome) => {
    if (isSuccess(outcome.kind)) call.answer(200, outcome.body)
    else answerRefusal(call, outcome, outcome.retryAfterS)
  })
}

function listBatches(parts: BatchRoutesParts, call: MerchantCall<unknown, ListBatchesQuery>): void {
  const { account } = call.principal
  const { engine } = parts
  const ask: AskSlice<ListBatchesQuery> = (query, slice) => engine.query('batches.search', { account, query, slice })
  const isSearch = (call.query.q ?? '').trim() !== ''
  const page = (query: ListBatchesQuery) => (isSearch ? pageOf(ask, query) : engine.query('batches.list', { account, query }))
  if (prefersCsv(call.accept)) answerDocumentCsv(parts, call, CSV, page)
  else if (isSearch) answerSlices(call, ask, BATCH_CANDIDATES_MAX)
  else answerPage(call, page(call.query))
}

/** Returns the lines of a report. */
function linesCsv({ items }: Pick<BatchReport, 'items'>): string {
  return LINE_COLUMNS.header + items.map((item) => LINE_COLUMNS.line(item)).join('')
}

function getBatch({ engine }: BatchRoutesParts, call: MerchantCall): void {
  const report = engine.query('batches.get', { account: call.principal.account, id: String(call.params[0]) })
  if (report === null) return call.refuse('not_found')
  if (!prefersCsv(call.accept)) return call.answer(200, report)
  call.answerAs(200, linesCsv(JSON.parse(report) as BatchReport), csvHeaders({ fileName: 'batch.csv' }))
}
