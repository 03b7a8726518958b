// Operators with a name: administrators make and revoke them. The answer that makes or requests one shows its token, this once.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import { Deleted } from '../../../engine/contract/dashboard.ts'
import { CreatedOperator, CreateOperatorBody, OperatorList, RequestedOperator } from '../../../engine/contract/operator.ts'
import { newOperatorToken } from '../../auth/operator/operator.ts'
import type { Seal } from '../../crypto/seal.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import { CREATED_OPERATOR, NEW_OPERATOR, OPERATOR, REQUESTED_OPERATOR } from './operator-examples.ts'

const TOKEN_FIELD = 'token'

export interface OperatorAccountParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'seal'>
  /** The setting OPERATOR_DAY_CONTROL; null where no new operator needs a second person. */
  readonly secondPersonAboveDay: number | null
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
\`email_taken\`. At most 200 operators. With OPERATOR_DAY_CONTROL set, one with the role \`admin\` or \`finance\` waits for a second
administrator: 202, and the token opens nothing before \`POST /v1/operator/operator-requests/{id}/approve\`. The exception is a fresh
installation: while there is no administrator with a name, the holder of OPERATOR_TOKEN makes the first one alone.`,
      auth: 'operator',
      idempotency: 'accepted',
      body: CreateOperatorBody,
      bodyExample: NEW_OPERATOR,
      sealedField: TOKEN_FIELD,
      responses: [
        { status: 201, description: 'The operator and its token.', schema: CreatedOperator, example: CREATED_OPERATOR },
        { status: 202, description: 'Waits for a second administrator.', schema: RequestedOperator, example: REQUESTED_OPERATOR },
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
    route({
      method: 'DELETE',
      path: '/v1/operator/operators/{id}',
      operationId: 'revokeOperator',
      tag: 'Operator',
      summary: 'Revoke an operator',
      description: 'Its token and its sessions on the desk open nothing from the answer on. What it asked for still waits.',
      auth: 'operator',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the operator.' }) },
      responses: [{ status: 200, description: 'Revoked.', schema: Deleted, example: { id: OPERATOR.id, deleted: true } }],
      commands: ['RevokeOperator'],
      errors: [],
      handle: (call) => call.submit({ type: 'RevokeOperator', id: String(call.params[0]).toLowerCase() }, AUDIT_ACCOUNT),
    }),
  ]
}

function create(
  { seal, secondPersonAboveDay }: OperatorAccountParts,
  call: Call<CreateOperatorBody, Record<string, unknown>, OperatorPrincipal>,
): void {
  const { name, email, role } = call.body
  const { token, hash: tokenHash } = newOperatorToken()
  const sealedToken = seal.seal(TOKEN_FIELD, token)
  const isDualControlled = secondPersonAboveDay !== null
  call.submit({ type: 'CreateOperator', name, email: email.toLowerCase(), role, tokenHash, sealedToken, isDualControlled }, AUDIT_ACCOUNT)
}
