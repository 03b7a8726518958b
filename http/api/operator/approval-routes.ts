// Dual control: movements of live money that wait for a second operator, and the decision about each.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { Approval, ApprovalList, ListApprovalsQuery, RefuseApprovalBody } from '../../../engine/contract/approval.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { MoneyMoveBody } from '../../../engine/contract/money-body.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import { APPROVAL, APPROVED, REFUSED } from './operator-examples.ts'
import { recordCurrency } from './rules-currency.ts'

export interface ApprovalRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
}

const ID = { id: uuid({ description: 'Id of the request.' }) }

export function approvalRoutes(parts: ApprovalRoutesParts): readonly Route[] {
  return [...readRoutes(parts), approveRoute(parts), refuseRoute(parts)]
}

function readRoutes(parts: ApprovalRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/operator/approvals',
      operationId: 'listApprovals',
      tag: 'Operator',
      summary: 'List movements that wait for a second operator',
      description: '`state=approved` and `state=refused` list decided ones, newest decision first.',
      auth: 'operator',
      idempotency: 'none',
      query: ListApprovalsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: ApprovalList,
          example: { data: [APPROVAL], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => answerPage(call, parts.engine.query('approvals.list', { query: call.query })),
    }),
    route({
      method: 'GET',
      path: '/v1/operator/approvals/{id}',
      operationId: 'getApproval',
      tag: 'Operator',
      summary: 'Get a movement that needed a second operator',
      description: 'Who asked, who decided, and the movement.',
      auth: 'operator',
      idempotency: 'none',
      params: ID,
      responses: [{ status: 200, description: 'The request and its decision.', schema: Approval, example: APPROVED }],
      errors: [],
      handle: (call) => {
        const found = parts.engine.query('approvals.get', { id: idOf(call) })
        if (found === null) call.refuse('not_found')
        else call.answer(200, found)
      },
    }),
  ]
}

function approveRoute(parts: ApprovalRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/operator/approvals/{id}/approve',
    operationId: 'approveMovement',
    tag: 'Operator',
    summary: 'Approve a movement of another operator',
    description: `Moves the money. The operator who asked: 403 \`second_person_required\`. Of two decisions one wins, the other gets 409
\`approval_not_waiting\`. A movement that the balance does not cover any more is refused, and the request still waits. The amount
and the need of a second operator stay as they were asked, also under other settings. Approving a confirmation or payment
finishes its top-up or withdrawal (\`request_id\`). Administrators decide a \`rule_change\`, finance decides movements: 403 \`insufficient_role\` for others.`,
    auth: 'operator',
    operatorRoles: ['finance', 'admin'],
    idempotency: 'accepted',
    params: ID,
    body: MoneyMoveBody,
    bodyOptional: true,
    bodyExample: {},
    responses: [{ status: 200, description: 'Done.', schema: Approval, example: APPROVED }],
    commands: ['ApproveMovement'],
    unreachable: ['merchant_suspended'],
    errors: [],
    currencyOf: (call) => recordCurrency(parts.engine.query('approvals.get', { id: idOf(call) })),
    handle: (call) => {
      if (mayDecide(parts, call)) call.submit({ type: 'ApproveMovement', id: idOf(call) }, AUDIT_ACCOUNT)
    },
  })
}

/** Refuses an administrator whose movement it is not to decide: finance alone moves money. The decider keeps rules from finance. */
function mayDecide({ engine }: ApprovalRoutesParts, call: Call<unknown, unknown, OperatorPrincipal>): boolean {
  if (call.principal.role !== 'admin') return true
  const found = engine.query('approvals.get', { id: idOf(call) })
  if (found === null || (JSON.parse(found) as Approval).kind === 'rule_change') return true
  call.refuse('insufficient_role')
  return false
}

function refuseRoute(parts: ApprovalRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/operator/approvals/{id}/refuse',
    operationId: 'refuseMovement',
    tag: 'Operator',
    summary: 'Refuse a movement',
    description: 'Nothing moves. The operator who asked may refuse it too. A top-up or withdrawal (`request_id`) is open again.',
    auth: 'operator',
    operatorRoles: ['finance', 'admin'],
    idempotency: 'accepted',
    params: ID,
    body: RefuseApprovalBody,
    bodyExample: { reason: 'Le virement n’est pas arrivé.' },
    responses: [{ status: 200, description: 'Refused.', schema: Approval, example: REFUSED }],
    commands: ['RefuseMovement'],
    errors: [],
    currencyOf: (call) => recordCurrency(parts.engine.query('approvals.get', { id: idOf(call) })),
    handle: (call) => {
      if (mayDecide(parts, call)) call.submit({ type: 'RefuseMovement', id: idOf(call), reason: call.body.reason }, AUDIT_ACCOUNT)
    },
  })
}

function idOf({ params }: Pick<Call, 'params'>): string {
  return String(params[0]).toLowerCase()
}
