// Operators with a name: administrators make and revoke them. The answer that makes one shows its token, this once.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import { Deleted } from '../../../engine/contract/dashboard.ts'
import { CreatedOperator, CreateOperatorBody, OperatorList, OperatorRequest } from '../../../engine/contract/operator.ts'
import { newOperatorToken } from '../../auth/operator/operator.ts'
import type { Seal } from '../../crypto/seal.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import { type DualControl, isDualControlled } from './dual-control.ts'
import { CREATED_OPERATOR, NEW_OPERATOR, OPERATOR, OPERATOR_REQUEST, REVOCATION_REQUEST } from './operator-examples.ts'

const TOKEN_FIELD = 'token'

export interface OperatorAccountParts extends DualControl {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'seal'>
}

export function operatorAccountRoutes(parts: OperatorAccountParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/operator/operators',
      operationId: 'createOperator',
      tag: 'Operator',
      summary: 'Create an operator with a name',
      description: `The token is in this answer only. A replay with the same Idempotency-Key shows it again. An address belongs to one operator: 409
\`email_taken\`. At most 200 operators. With OPERATOR_DUAL_CONTROL or OPERATOR_DAY_CONTROL set, one with the role \`admin\` or \`finance\` waits for
another person, an administrator or the holder of OPERATOR_TOKEN, who counts as one person: 202 without a token. After
\`POST /v1/operator/operator-requests/{id}/approve\` the token goes to the operator by e-mail. The exception is a fresh installation: the holder of
OPERATOR_TOKEN makes the first administrator that ever existed alone.`,
      auth: 'operator',
      idempotency: 'accepted',
      body: CreateOperatorBody,
      bodyExample: NEW_OPERATOR,
      sealedField: TOKEN_FIELD,
      responses: [
        { status: 201, description: 'The operator and its token.', schema: CreatedOperator, example: CREATED_OPERATOR },
        { status: 202, description: 'Waits for another person.', schema: OperatorRequest, example: OPERATOR_REQUEST },
      ],
      commands: ['CreateOperator'],
      errors: [],
      handle: (call) => create(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/operator/operators',
      operationId: 'listOperators',
      tag: 'Operator',
      summary: 'List operators with a name',
      description: 'Tokens are never returned.',
      auth: 'operator',
      idempotency: 'none',
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: OperatorList,
          example: { data: [OPERATOR], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => answerPage(call, parts.engine.query('operators.list', { query: call.query })),
    }),
    revokeRoute(parts),
  ]
}

function revokeRoute(parts: OperatorAccountParts): Route {
  return route({
    method: 'DELETE',
    path: '/v1/operator/operators/{id}',
    operationId: 'revokeOperator',
    tag: 'Operator',
    summary: 'Revoke an operator',
    description: `Its token and its sessions on the desk open nothing from the answer on, and what it asked for is refused. With OPERATOR_DUAL_CONTROL or
  OPERATOR_DAY_CONTROL set, the revocation of an administrator waits for another person: 202.`,
    auth: 'operator',
    idempotency: 'none',
    params: { id: uuid({ description: 'Id of the operator.' }) },
    responses: [
      { status: 200, description: 'Revoked.', schema: Deleted, example: { id: OPERATOR.id, deleted: true } },
      { status: 202, description: 'Waits for another person.', schema: OperatorRequest, example: REVOCATION_REQUEST },
    ],
    commands: ['RevokeOperator'],
    errors: [],
    handle: (call) => {
      const id = String(call.params[0]).toLowerCase()
      call.submit({ type: 'RevokeOperator', id, isDualControlled: isDualControlled(parts) }, AUDIT_ACCOUNT)
    },
  })
}

function create(parts: OperatorAccountParts, call: Call<CreateOperatorBody, Record<string, unknown>, OperatorPrincipal>): void {
  const { name, email, role } = call.body
  const { token, hash: tokenHash } = newOperatorToken()
  const credential = { tokenHash, sealedToken: parts.seal.seal(TOKEN_FIELD, token), isDualControlled: isDualControlled(parts) }
  call.submit({ type: 'CreateOperator', name, email: email.toLowerCase(), role, ...credential }, AUDIT_ACCOUNT)
}
