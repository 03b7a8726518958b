// Dual control of operators: new ones with rights over money or operators, revocations of administrators, and the decision of another
// person about each.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import { OperatorRequest, OperatorRequestList, RefuseOperatorBody } from '../../../engine/contract/operator.ts'
import { operatorCredential } from '../../auth/operator/operator-mail.ts'
import type { Seal } from '../../crypto/seal.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import { APPROVED_OPERATOR, OPERATOR_REQUEST, REFUSED_OPERATOR } from './operator-examples.ts'

export interface OperatorRequestParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'seal'>
  /** Base URL of the desk, without a trailing slash. */
  readonly baseUrl: string
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
      summary: 'List new operators and revocations that wait for another person',
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
    approveRoute(parts),
    refuseRoute(),
  ]
}

function approveRoute(parts: OperatorRequestParts): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/approve`,
    operationId: 'approveOperator',
    tag: 'Operator',
    summary: 'Approve a new operator or a revocation that another person asked for',
    description: `The token of a new operator goes to that operator by e-mail and opens from then on. The person who asked, and an administrator who is to be
revoked: 403 \`second_person_required\`. Of two decisions one wins, the other gets 409 \`approval_not_waiting\`.`,
    auth: 'operator',
    idempotency: 'accepted',
    params: ID,
    responses: [{ status: 200, description: 'The operator is made, or revoked.', schema: OperatorRequest, example: APPROVED_OPERATOR }],
    commands: ['ApproveOperator'],
    errors: [],
    handle: (call) => approve(parts, call),
  })
}

function refuseRoute(): Route {
  return route({
    method: 'POST',
    path: `${PATH}/{id}/refuse`,
    operationId: 'refuseOperator',
    tag: 'Operator',
    summary: 'Refuse a new operator or a revocation',
    description: 'The person who asked may refuse it too; an administrator who is to be revoked may not.',
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

function approve({ engine, seal, baseUrl }: OperatorRequestParts, call: Pick<Call, 'params' | 'submit'>): void {
  const id = idOf(call)
  const request = engine.query('operatorRequests.get', { id })
  const isNew = request?.kind === 'create'
  const credential = isNew ? operatorCredential(seal, request.email, `${baseUrl}/operator/login`) : null
  call.submit({ type: 'ApproveOperator', id, credential }, AUDIT_ACCOUNT)
}

function idOf({ params }: Pick<Call, 'params'>): string {
  return String(params[0]).toLowerCase()
}
