// Top-ups for merchants: one row for each route. Decisions are in engine/domain/cash-request.
import { uuid } from '../../../engine/contract/common.ts'
import {
  ConfirmTestTopUpBody,
  CreateTopUpBody,
  ListTopUpsQuery,
  TopUp,
  type TopUpKind,
  TopUpList,
} from '../../../engine/contract/top-up.ts'
import { answerDocuments, CsvColumns, csvResponse, type DocumentCsv, type DocumentListParts } from '../../lists/document-csv.ts'
import { CSV_DESCRIPTION } from '../../lists/statement-list.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { CANCELLED_TOP_UP, CONFIRMED_TOP_UP, TOP_UP, TOP_UP_REQUEST } from './cash-request-examples.ts'

const CSV: DocumentCsv = { path: '/v1/biz/top-ups', fileName: 'top-ups.csv', columns: new CsvColumns(TopUp) }

/** Where a merchant sends money, by how it does; `any`: where it does not say how. */
export type TopUpInstructions = Readonly<Record<TopUpKind | 'any', string>>

export interface TopUpRoutesParts extends DocumentListParts {
  /** The settings TOP_UP_INSTRUCTIONS. */
  readonly topUpInstructions: TopUpInstructions
}

const PATH = '/v1/biz/top-ups'
const PARAMS = { id: uuid({ description: 'Id of the top-up.' }) }
const TAG = 'Top-ups'

export function topUpRoutes(parts: TopUpRoutesParts): readonly Route[] {
  return [createRoute(parts), ...readingRoutes(parts), cancelRoute(), confirmTestRoute()]
}

function createRoute({ topUpInstructions }: TopUpRoutesParts): Route {
  return route({
    method: 'POST',
    path: PATH,
    operationId: 'createTopUp',
    tag: TAG,
    summary: 'Announce money that you send',
    description: CREATE_DESCRIPTION,
    auth: 'key-or-session',
    memberRole: 'manager',
    idempotency: 'accepted',
    body: CreateTopUpBody,
    bodyExample: TOP_UP_REQUEST,
    responses: [{ status: 201, description: 'The top-up. Nothing is credited yet.', schema: TopUp, example: TOP_UP }],
    commands: ['RequestTopUp'],
    errors: [],
    handle: (call) => {
      const { amount, reference = '', kind = 'any' } = call.body
      const { account } = call.principal
      call.submit({ type: 'RequestTopUp', merchant: account, amount, reference, instructions: topUpInstructions[kind] }, account)
    },
  })
}

function readingRoutes(parts: TopUpRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listTopUps',
      tag: TAG,
      summary: 'List top-ups',
      description: `${LIST_DESCRIPTION}\n\n${CSV_DESCRIPTION}`,
      auth: 'key-or-session',
      idempotency: 'none',
      query: ListTopUpsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: TopUpList,
          example: { data: [TOP_UP], has_more: false, next_cursor: null },
        },
        csvResponse(CSV, TOP_UP),
      ],
      errors: [],
      handle: (call) => listTopUps(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{id}`,
      operationId: 'getTopUp',
      tag: TAG,
      summary: 'Get a top-up',
      description: '404 `not_found` for a top-up of another merchant or environment.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'The top-up.', schema: TopUp, example: CONFIRMED_TOP_UP }],
      errors: [],
      handle: (call) => getTopUp(parts, call),
    }),
  ]
}

function cancelRoute(): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/cancel`,
    operationId: 'cancelTopUp',
    tag: TAG,
    summary: 'Cancel a top-up',
    description:
      'For money that you will not send. Final. Cancelling a cancelled one answers 200 again, one that an operator is confirming 409.',
    auth: 'key-or-session',
    memberRole: 'manager',
    idempotency: 'accepted',
    params: PARAMS,
    responses: [{ status: 200, description: 'The top-up.', schema: TopUp, example: CANCELLED_TOP_UP }],
    commands: ['CancelTopUp'],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'CancelTopUp', merchant: account, id: idOf(call) }, account)
    },
  })
}

function confirmTestRoute(): Route {
  return route({
    method: 'POST',
    path: '/v1/biz/test/top-ups/{id}/confirm',
    operationId: 'confirmTestTopUp',
    tag: 'Test helpers',
    summary: 'Confirm a top-up as an operator would',
    description: 'The money is on your test balance. With a session too. A suspended merchant gets 403 `merchant_suspended`.',
    auth: 'key-or-session',
    memberRole: 'manager',
    idempotency: 'accepted',
    testOnly: true,
    params: PARAMS,
    body: ConfirmTestTopUpBody,
    bodyOptional: true,
    bodyExample: {},
    responses: [{ status: 200, description: 'The top-up.', schema: TopUp, example: { ...CONFIRMED_TOP_UP, environment: 'test' } }],
    commands: ['ConfirmTopUp'],
    errors: [],
    handle: (call) => {
      const { amount = null, reference = 'TEST' } = call.body
      const { account } = call.principal
      call.submit({ type: 'ConfirmTopUp', id: idOf(call), amount, reference, merchant: account }, account)
    },
  })
}

const CREATE_DESCRIPTION = `Then send the money as \`instructions\` says, with \`payment_reference\` on the transfer. When an operator has seen it arrive,
the top-up is \`confirmed\` and its \`confirmed_amount\` is on your balance; \`refused\` comes with a \`reason\`. A key needs no scope: money comes in.
An account can have 1 000 open top-ups (quota \`top_ups\`).`

const LIST_DESCRIPTION = `Each top-up as it stands now, newest first by creation. \`reference\` matches without regard to case. With \`state\`, a page may
end early when very many had to be looked at: go on with \`next_cursor\` for as long as \`has_more\` is true.`

type MerchantCall<Query = Record<string, unknown>> = Call<unknown, Query, MerchantPrincipal>

function listTopUps(parts: TopUpRoutesParts, call: MerchantCall<ListTopUpsQuery>): void {
  const { account } = call.principal
  answerDocuments(parts, call, CSV, (query, slice) => parts.engine.query('cashRequests.list', { kind: 'top_up', account, query, slice }))
}

function getTopUp({ engine }: TopUpRoutesParts, call: MerchantCall): void {
  const topUp = engine.query('cashRequests.get', { kind: 'top_up', account: call.principal.account, id: idOf(call) })
  if (topUp === null) call.refuse('not_found')
  else call.answer(200, topUp)
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
