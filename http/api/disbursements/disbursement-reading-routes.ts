// Disbursements as they stand, their list and their lines.

import { type AccountNumber, DISBURSEMENT_LINES_PER_TURN, type DocumentSlice, type EngineApi } from '../../../engine/api.ts'
import {
  Disbursement,
  DisbursementLine,
  DisbursementLineList,
  DisbursementList,
  ListDisbursementLinesQuery,
  ListDisbursementsQuery,
} from '../../../engine/contract/disbursement.ts'
import type { Quotas } from '../../../engine/kernel/quota.ts'
import { answerCsv, type CsvCall, type CsvExports, prefersCsv } from '../../lists/csv.ts'
import { CsvColumns } from '../../lists/document-csv.ts'
import { answerSlices } from '../../lists/list-answers.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { maskedName } from '../../text/masked-name.ts'
import { COMPLETED_DISBURSEMENT, PAID_LINE } from './disbursement-examples.ts'
import { DISBURSEMENT_PARAMS, DISBURSEMENT_TAG, DISBURSEMENTS_PATH, idOf } from './disbursement-path.ts'

export interface DisbursementRoutesParts {
  readonly engine: Pick<EngineApi, 'query' | 'whenDurable'>
  readonly csvExports: CsvExports
  readonly quotas: Quotas
}

const LINE_COLUMNS = new CsvColumns(DisbursementLine)

export function disbursementReadingRoutes(parts: DisbursementRoutesParts): readonly Route[] {
  return [listRoute(parts), getRoute(parts), linesRoute(parts)]
}

function listRoute(parts: DisbursementRoutesParts): Route {
  return route({
    method: 'GET',
    path: DISBURSEMENTS_PATH,
    operationId: 'listDisbursements',
    tag: DISBURSEMENT_TAG,
    summary: 'List disbursements',
    description: LIST_DESCRIPTION,
    auth: 'key-or-session',
    idempotency: 'none',
    query: ListDisbursementsQuery,
    responses: [
      {
        status: 200,
        description: 'One page, newest first.',
        schema: DisbursementList,
        example: { data: [COMPLETED_DISBURSEMENT], has_more: false, next_cursor: null },
      },
    ],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      answerSlices(call, (query, slice) => parts.engine.query('disbursements.list', { account, query, slice }))
    },
  })
}

function getRoute(parts: DisbursementRoutesParts): Route {
  return route({
    method: 'GET',
    path: `${DISBURSEMENTS_PATH}/{id}`,
    operationId: 'getDisbursement',
    tag: DISBURSEMENT_TAG,
    summary: 'Get a disbursement',
    description: 'Its counters as they are now. The payouts themselves: `GET /v1/biz/payouts?disbursement_id=`.',
    auth: 'key-or-session',
    idempotency: 'none',
    params: DISBURSEMENT_PARAMS,
    responses: [{ status: 200, description: 'The disbursement.', schema: Disbursement, example: COMPLETED_DISBURSEMENT }],
    errors: [],
    handle: (call) => {
      const found = parts.engine.query('disbursements.get', { account: call.principal.account, id: idOf(call) })
      if (found === null) call.refuse('not_found')
      else call.answer(200, found)
    },
  })
}

function linesRoute(parts: DisbursementRoutesParts): Route {
  return route({
    method: 'GET',
    path: `${DISBURSEMENTS_PATH}/{id}/lines`,
    operationId: 'listDisbursementLines',
    tag: DISBURSEMENT_TAG,
    summary: 'List the lines of a disbursement',
    description: LINES_DESCRIPTION,
    auth: 'key-or-session',
    idempotency: 'none',
    params: DISBURSEMENT_PARAMS,
    query: ListDisbursementLinesQuery,
    takesLong: true,
    responses: [
      {
        status: 200,
        description: 'One page, oldest first.',
        schema: DisbursementLineList,
        example: { data: [PAID_LINE], has_more: false, next_cursor: null },
      },
      {
        status: 200,
        description: 'The same as CSV.',
        contentType: 'text/csv',
        example: LINE_COLUMNS.header + LINE_COLUMNS.line(PAID_LINE),
      },
    ],
    errors: [],
    handle: (call) => listLines(parts, call),
  })
}

const LIST_DESCRIPTION = `Each as it stands now, newest first by creation. \`reference\` matches without regard to case. With a filter, a page may end early when very
many had to be looked at: go on with \`next_cursor\` for as long as \`has_more\` is true.`

const LINES_DESCRIPTION = `In the order of the lines. With \`Accept: text/csv\` the answer is CSV of all of them, or of \`limit\`. \`q\` finds a recipient as it was sent or a whole reference. A page is full
where more lines follow, with a filter too.`

type LinesCall = Call<unknown, ListDisbursementLinesQuery, MerchantPrincipal>

interface OwnLines {
  readonly account: AccountNumber
  readonly id: string
}

function listLines(parts: DisbursementRoutesParts, call: LinesCall): void {
  const about = { account: call.principal.account, id: idOf(call) }
  if (prefersCsv(call.accept)) return answerLinesCsv(parts, call, about)
  if (parts.engine.query('disbursements.get', about) === null) return call.refuse('not_found')
  answerSlices(call, (query) => linesSlice(parts, about, query), Number.POSITIVE_INFINITY)
}

/** Answers the lines as CSV: all of them, or `limit`. */
export function answerLinesCsv(parts: DisbursementRoutesParts, call: CsvCall, about: OwnLines): void {
  const { engine, csvExports } = parts
  if (engine.query('disbursements.get', about) === null) return call.refuse('not_found')
  answerCsv(call, engine, csvExports, {
    path: `${DISBURSEMENTS_PATH}/${about.id}/lines`,
    fileName: 'lines.csv',
    header: LINE_COLUMNS.header,
    // Lines are stored so many together.
    linesPerSlice: DISBURSEMENT_LINES_PER_TURN,
    page: (query) => linesSlice(parts, about, query),
    line: (row) => LINE_COLUMNS.line(JSON.parse(row) as DisbursementLine),
  })
}

function linesSlice({ engine }: DisbursementRoutesParts, about: OwnLines, query: ListDisbursementLinesQuery): DocumentSlice | null {
  const found = engine.query('disbursements.lines', { ...about, query })
  if (found === 'not_found' || found === null) return null
  const { lines, ...slice } = found
  const rows = lines.map(({ wallet, ...line }) =>
    JSON.stringify({ ...line, holder: wallet === null ? null : maskedName(wallet) } satisfies DisbursementLine),
  )
  return { ...slice, rows }
}
