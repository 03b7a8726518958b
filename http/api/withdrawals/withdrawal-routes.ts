// Withdrawals for merchants: one row for each route. Decisions are in engine/domain/cash-request.
import { uuid } from '../../../engine/contract/common.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { PayTestWithdrawalBody } from '../../../engine/contract/top-up.ts'
import { CreateWithdrawalBody, ListWithdrawalsQuery, Withdrawal, WithdrawalList } from '../../../engine/contract/withdrawal.ts'
import { answerDocuments, CsvColumns, csvResponse, type DocumentCsv, type DocumentListParts } from '../../lists/document-csv.ts'
import { CSV_DESCRIPTION } from '../../lists/statement-list.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { CANCELLED_WITHDRAWAL, PAID_WITHDRAWAL, WITHDRAWAL, WITHDRAWAL_REQUEST } from '../top-ups/cash-request-examples.ts'

const CSV: DocumentCsv = { path: '/v1/biz/withdrawals', fileName: 'withdrawals.csv', columns: new CsvColumns(Withdrawal) }

export interface WithdrawalRoutesParts extends DocumentListParts {}

const PATH = '/v1/biz/withdrawals'
const PARAMS = { id: uuid({ description: 'Id of the withdrawal.' }) }
const TAG = 'Withdrawals'
const SCOPE = 'disbursements.write'

export function withdrawalRoutes(parts: WithdrawalRoutesParts): readonly Route[] {
  return [createRoute(), ...readingRoutes(parts), cancelRoute(), payTestRoute()]
}

function createRoute(): Route {
  return route({
    method: 'POST',
    path: PATH,
    operationId: 'requestWithdrawal',
    tag: TAG,
    summary: 'Take money out',
    description: CREATE_DESCRIPTION,
    auth: 'key-or-session',
    memberRole: 'manager',
    scope: SCOPE,
    idempotency: 'required',
    body: CreateWithdrawalBody,
    bodyExample: WITHDRAWAL_REQUEST,
    responses: [{ status: 201, description: 'The withdrawal; its amount is held.', schema: Withdrawal, example: WITHDRAWAL }],
    commands: ['RequestWithdrawal'],
    errors: [],
    handle: (call) => {
      const { amount, destination = null, withdrawal_account_id, reference = '' } = call.body
      const { account } = call.principal
      const accountId = withdrawal_account_id?.toLowerCase() ?? null
      if ((destination === null) === (accountId === null)) return call.refuse('invalid_request', 'destination', because('one_destination'))
      call.submit({ type: 'RequestWithdrawal', merchant: account, amount, destination, accountId, reference }, account)
    },
  })
}

function readingRoutes(parts: WithdrawalRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listWithdrawals',
      tag: TAG,
      summary: 'List withdrawals',
      description: `${LIST_DESCRIPTION}\n\n${CSV_DESCRIPTION}`,
      auth: 'key-or-session',
      idempotency: 'none',
      query: ListWithdrawalsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: WithdrawalList,
          example: { data: [WITHDRAWAL], has_more: false, next_cursor: null },
        },
        csvResponse(CSV, WITHDRAWAL),
      ],
      errors: [],
      handle: (call) => listWithdrawals(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{id}`,
      operationId: 'getWithdrawal',
      tag: TAG,
      summary: 'Get a withdrawal',
      description: '404 `not_found` for a withdrawal of another merchant or environment.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: PARAMS,
      responses: [{ status: 200, description: 'The withdrawal.', schema: Withdrawal, example: PAID_WITHDRAWAL }],
      errors: [],
      handle: (call) => getWithdrawal(parts, call),
    }),
  ]
}

function cancelRoute(): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/cancel`,
    operationId: 'cancelWithdrawal',
    tag: TAG,
    summary: 'Cancel a withdrawal',
    description: 'Final: the amount may be spent again. Cancelling a cancelled one answers 200 again, one that an operator is paying 409.',
    auth: 'key-or-session',
    memberRole: 'manager',
    scope: SCOPE,
    idempotency: 'accepted',
    params: PARAMS,
    responses: [{ status: 200, description: 'The withdrawal.', schema: Withdrawal, example: CANCELLED_WITHDRAWAL }],
    commands: ['CancelWithdrawal'],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'CancelWithdrawal', merchant: account, id: idOf(call) }, account)
    },
  })
}

function payTestRoute(): Route {
  return route({
    method: 'POST',
    path: '/v1/biz/test/withdrawals/{id}/pay',
    operationId: 'payTestWithdrawal',
    tag: 'Test helpers',
    summary: 'Pay a withdrawal as an operator would',
    description: 'The held amount leaves your test balance. With a session too.',
    auth: 'key-or-session',
    memberRole: 'manager',
    idempotency: 'accepted',
    testOnly: true,
    params: PARAMS,
    body: PayTestWithdrawalBody,
    bodyOptional: true,
    bodyExample: {},
    responses: [{ status: 200, description: 'The withdrawal.', schema: Withdrawal, example: { ...PAID_WITHDRAWAL, environment: 'test' } }],
    commands: ['PayWithdrawal'],
    errors: [],
    handle: (call) => {
      const { reference = 'TEST' } = call.body
      const { account } = call.principal
      call.submit({ type: 'PayWithdrawal', id: idOf(call), reference, merchant: account }, account)
    },
  })
}

const CREATE_DESCRIPTION = `The amount is held at once: \`available\` falls and \`pending\` rises by it; short of it, 402 \`insufficient_balance\`. When an
operator has sent the money the withdrawal is \`paid\`, and the statement has a transaction of type \`withdrawal\`. A refusal (with its \`reason\`) or
your cancellation releases the amount; a hold and its release move no money, so they are no lines of the statement. It goes to a \`destination\` or to a saved account (\`withdrawal_account_id\`; before its
\`usable_from\` 409 \`account_not_usable_yet\`). An account can have 1 000 open
withdrawals (quota \`withdrawals\`).`

const LIST_DESCRIPTION = `Each withdrawal as it stands now, newest first by creation. \`reference\` matches without regard to case. With \`state\`, a page
may end early when very many had to be looked at: go on with \`next_cursor\` for as long as \`has_more\` is true.`

type MerchantCall<Query = Record<string, unknown>> = Call<unknown, Query, MerchantPrincipal>

function listWithdrawals(parts: WithdrawalRoutesParts, call: MerchantCall<ListWithdrawalsQuery>): void {
  const { account } = call.principal
  answerDocuments(parts, call, CSV, (query, slice) =>
    parts.engine.query('cashRequests.list', { kind: 'withdrawal', account, query, slice }),
  )
}

function getWithdrawal({ engine }: WithdrawalRoutesParts, call: MerchantCall): void {
  const withdrawal = engine.query('cashRequests.get', { kind: 'withdrawal', account: call.principal.account, id: idOf(call) })
  if (withdrawal === null) call.refuse('not_found')
  else call.answer(200, withdrawal)
}

function idOf(call: Pick<Call, 'params'>): string {
  return String(call.params[0]).toLowerCase()
}
