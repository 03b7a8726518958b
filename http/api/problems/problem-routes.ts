// Problems with payments: what merchants read and answer, and what wallets send. Decisions are in engine/domain/problem.
import type { EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { AnswerProblemBody, ListProblemsQuery, OpenProblemBody, Problem, ProblemList } from '../../../engine/contract/problem.ts'
import { answerDocuments, CsvColumns, csvResponse, type DocumentCsv, type DocumentListParts } from '../../lists/document-csv.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { cashierOf } from '../../server/route-guards.ts'
import { ANSWERED_PROBLEM, OPEN_PROBLEM } from './problem-examples.ts'

export interface ProblemRoutesParts extends DocumentListParts {
  readonly engine: Pick<EngineApi, 'query' | 'whenDurable'>
}

const PATH = '/v1/biz/problems'
const PARAMS = { id: uuid({ description: 'Id of the problem.' }) }
const MY_PATH = '/v1/me/transactions/{id}/problem'
const MY_PARAMS = { id: uuid({ description: 'Id of the ledger transaction of the payment.' }) }
const TAG = 'Problems'
const CSV: DocumentCsv = { path: PATH, fileName: 'problems.csv', columns: new CsvColumns(Problem) }

export function problemRoutes(parts: ProblemRoutesParts): readonly Route[] {
  return [listRoute(parts), getRoute(parts), answerRoute(parts)]
}

export function myProblemRoutes(parts: ProblemRoutesParts): readonly Route[] {
  return [openRoute(parts), getMyRoute(parts)]
}

function listRoute(parts: ProblemRoutesParts): Route {
  return route({
    method: 'GET',
    path: PATH,
    operationId: 'listProblems',
    tag: TAG,
    summary: 'List what customers say about their payments',
    description: LIST_DESCRIPTION,
    auth: 'key-or-session',
    cashierReads: true,
    idempotency: 'none',
    query: ListProblemsQuery,
    responses: [
      {
        ...{ status: 200, description: 'One page, newest first.', schema: ProblemList },
        example: { data: [OPEN_PROBLEM], has_more: false, next_cursor: null },
      },
      csvResponse(CSV, OPEN_PROBLEM),
    ],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      const maker = cashierOf(call.principal)
      answerDocuments(parts, call, CSV, (query, slice) => parts.engine.query('problems.list', { account, query, slice, maker }))
    },
  })
}

const LIST_DESCRIPTION = `Newest first. A problem is about one payment, of a charge, a bill or a mandate, and no money moves by it: answer it, or refund the payment, which
ends it (\`refunded\`). One is open at a time for each payment. Each one is an event \`problem.opened\`. With \`state\` or \`q\`, a page may end early: go on with
\`next_cursor\` for as long as \`has_more\` is true. A session of a \`cashier\` gets those of its own charges.`

function getRoute(parts: ProblemRoutesParts): Route {
  return route({
    method: 'GET',
    path: `${PATH}/{id}`,
    operationId: 'getProblem',
    tag: TAG,
    summary: 'Get a problem',
    description: '404 `not_found` for a problem of another merchant or environment, and for a `cashier` that did not make the charge.',
    auth: 'key-or-session',
    cashierReads: true,
    idempotency: 'none',
    params: PARAMS,
    responses: [{ status: 200, description: 'The problem as it stands now.', schema: Problem, example: ANSWERED_PROBLEM }],
    errors: [],
    handle: (call) => {
      const found = parts.engine.query('problems.get', ownId(call))
      if (found === null) call.refuse('not_found')
      else call.answer(200, found)
    },
  })
}

function answerRoute(parts: ProblemRoutesParts): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/answer`,
    operationId: 'answerProblem',
    tag: TAG,
    summary: 'Answer a problem',
    description: ANSWER_DESCRIPTION,
    auth: 'key-or-session',
    memberRole: 'manager',
    idempotency: 'accepted',
    params: PARAMS,
    body: AnswerProblemBody,
    bodyExample: { text: ANSWERED_PROBLEM.answer ?? '' },
    responses: [{ status: 200, description: 'The problem, answered.', schema: Problem, example: ANSWERED_PROBLEM }],
    commands: ['AnswerProblem'],
    errors: [],
    handle: (call) => {
      const position = parts.engine.query('problems.position', ownId(call))
      if (position === null) return call.refuse('not_found')
      const { account: merchant } = call.principal
      call.submit({ type: 'AnswerProblem', merchant, position, answer: call.body.text }, merchant)
    },
  })
}

const ANSWER_DESCRIPTION = `The customer gets a push and \`problem.answered\` on its stream, and reads your text. It may then write again, as a problem of its own. One that was
answered, or whose payment was refunded, is 409 \`problem_closed\`.`

function openRoute(parts: ProblemRoutesParts): Route {
  return route({
    method: 'POST',
    path: MY_PATH,
    operationId: 'openMyProblem',
    tag: 'Wallet',
    summary: 'Report a problem with a payment to its merchant',
    description: OPEN_DESCRIPTION,
    auth: 'wallet',
    idempotency: 'accepted',
    params: MY_PARAMS,
    body: OpenProblemBody,
    bodyExample: { reason: OPEN_PROBLEM.reason, text: OPEN_PROBLEM.text },
    responses: [{ status: 201, description: 'The problem, open.', schema: Problem, example: OPEN_PROBLEM }],
    commands: ['OpenProblem'],
    errors: [],
    handle: (call) => {
      const { account: customer } = call.principal
      const position = parts.engine.query('problems.payment', { account: customer, id: String(call.params[0]) })
      if (position === null) return call.refuse('not_found')
      const { reason, text = '' } = call.body
      call.submit({ type: 'OpenProblem', customer, position, reason, text }, customer)
    },
  })
}

const OPEN_DESCRIPTION = `No money moves: the merchant answers by a text, or refunds the payment. For payments of charges, payment links, bills and mandates that this wallet
made; any other transaction is 404 \`not_found\`. One is open at a time for each payment (409 \`problem_open\`), and 20 for a wallet (quota \`open_problems\`).`

function getMyRoute(parts: ProblemRoutesParts): Route {
  return route({
    method: 'GET',
    path: MY_PATH,
    operationId: 'getMyProblem',
    tag: 'Wallet',
    summary: 'Get the problem with a payment, and its answer',
    description: 'The newest one of the payment. 404 `not_found` when there is none.',
    auth: 'wallet',
    idempotency: 'none',
    params: MY_PARAMS,
    responses: [{ status: 200, description: 'The problem as it stands now.', schema: Problem, example: ANSWERED_PROBLEM }],
    errors: [],
    handle: (call) => {
      const found = parts.engine.query('problems.ofPayment', { account: call.principal.account, id: String(call.params[0]) })
      if (found === null) call.refuse('not_found')
      else call.answer(200, found)
    },
  })
}

function ownId(call: Pick<Call<unknown, Record<string, unknown>, MerchantPrincipal>, 'params' | 'principal'>) {
  return { account: call.principal.account, id: String(call.params[0]), maker: cashierOf(call.principal) }
}
