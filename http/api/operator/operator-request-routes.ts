// Dual control of operators: new ones with rights over money or operators, and the decision of a second administrator.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import { OperatorRequest, OperatorRequestList, RefuseOperatorBody } from '../../../engine/contract/operator.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import { APPROVED_OPERATOR, OPERATOR_REQUEST, REFUSED_OPERATOR } from './operator-examples.ts'

export interface OperatorRequestParts {
  readonly engine: Pick<EngineApi, 'query'>
}

const PATH = '/v1/operator/operator-requests'
const ID = { id: uuid({ description: 'Id of the request.' }) }

export function operatorRequestRoutes(parts: OperatorRequestParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listOperatorRequests',
      tag: 'Operator',
      summary: 'List new operators that wait for a second administrator',
      description: 'Decided ones are in the audit trail.',
      auth: 'operator',
      idempotency: 'none',
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: OperatorRequestList,
          example: { data: [OPERATOR_REQUEST], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => answerPage(call, parts.engine.query('operatorRequests.list', { query: call.query })),
    }),
    approveRoute(),
    refuseRoute(),
  ]
}

function approveRoute(): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/approve`,
    operationId: 'approveOperator',
    tag: 'Operator',
    summary: 'Approve a new operator of another administrator',
    description: `Its token opens from the answer on. The administrator who asked: 403 \`second_person_required\`. Of two decisions one wins, the
other gets 409 \`approval_not_waiting\`.`,
    auth: 'operator',
    idempotency: 'accepted',
    params: ID,
    responses: [{ status: 200, description: 'The operator is made.', schema: OperatorRequest, example: APPROVED_OPERATOR }],
    commands: ['ApproveOperator'],
    errors: [],
    handle: (call) => call.submit({ type: 'ApproveOperator', id: idOf(call) }, AUDIT_ACCOUNT),
  })
}

function refuseRoute(): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/refuse`,
    operationId: 'refuseOperator',
    tag: 'Operator',
    summary: 'Refuse a new operator',
    description: 'Its token never opens anything. The administrator who asked may refuse it too.',
    auth: 'operator',
    idempotency: 'accepted',
    params: ID,
    body: RefuseOperatorBody,
    bodyExample: { reason: 'Cette personne n’est pas connue.' },
    responses: [{ status: 200, description: 'Refused.', schema: OperatorRequest, example: REFUSED_OPERATOR }],
    commands: ['RefuseOperator'],
    errors: [],
    handle: (call) => call.submit({ type: 'RefuseOperator', id: idOf(call), reason: call.body.reason }, AUDIT_ACCOUNT),
  })
}

function idOf({ params }: Pick<Call, 'params'>): string {
  return String(params[0]).toLowerCase()
}
