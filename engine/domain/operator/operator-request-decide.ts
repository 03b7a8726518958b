// Dual control of operators: one with rights over money or operators has none before a second administrator approves it. Otherwise
// an administrator could be both persons of a movement.
import type { OperatorRole } from '../../contract/operator.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { AUDIT_ACCOUNT, operatorActed } from './operator-decide.ts'
import { operatorRequestIndexKey } from './operator-index-keys.ts'
import { OPERATOR_REQUESTS_MAX, OPERATORS_MAX } from './operator-limits.ts'
import { type ActingOperator, type OperatorRequest, type OperatorRow, ROOT_OPERATOR, type WaitingOperator } from './operator-state.ts'

export interface NewOperator {
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly role: OperatorRole
  /** SHA-256 of the token. */
  readonly tokenHash: string
  /** The token encrypted under the master key: the answer shows it, the log never holds it in clear. */
  readonly sealedToken: string
  /** Whether operators with rights over money or operators need a second administrator; absent: no. */
  readonly isDualControlled?: boolean
}

export interface ApproveOperator {
  readonly type: 'ApproveOperator'
  readonly id: string
}

export interface RefuseOperator {
  readonly type: 'RefuseOperator'
  readonly id: string
  readonly reason: string
}

/**
 * Returns whether a second administrator must approve. The first administrator of an installation is the exception: only the holder
 * of OPERATOR_TOKEN acts then.
 */
export function needsSecondAdministrator({ operators }: State, { role, isDualControlled }: NewOperator, context: Context): boolean {
  if (isDualControlled !== true || (role !== 'admin' && role !== 'finance')) return false
  return role === 'finance' || actorOf(context).id !== null || operators.hasAdministrator()
}

/** Returns `accepted` and the request with its sealed token, this once. Rejections: too_many_approvals. */
export function requestOperator(
  { operators }: State,
  { name, email, role, tokenHash, sealedToken }: NewOperator,
  context: Context,
): Decision<'too_many_approvals'> {
  if (operators.waiting.size >= OPERATOR_REQUESTS_MAX) return { refusal: 'too_many_approvals' }
  const request: OperatorRequest = {
    ...{ id: context.newId(), state: 'waiting', name, email, role, requested_by: actorOf(context) },
    ...{ decided_by: null, reason: null, created_at: rfc3339(context.timeMs), decided_at: null },
  }
  const waiting: WaitingOperator = { ...request, token_hash: tokenHash }
  const audit = operatorActed(context, 'operator.request', request.id, null, { name, email, role })
  const events = [event('operator.requested', 1, AUDIT_ACCOUNT, waiting), audit]
  return { ...accepted(events), kind: 'accepted', body: JSON.stringify({ ...request, token: sealedToken }) }
}

export const APPROVE_OPERATOR_REJECTIONS = ['not_found', 'approval_not_waiting', 'second_person_required', 'too_many_operators'] as const

/**
 * Returns `ok` and the request; the operator's token opens from then on. Rejections: not_found, approval_not_waiting,
 * second_person_required for the operator who asked, too_many_operators.
 */
export function decideApproveOperator(
  { operators }: State,
  { id }: ApproveOperator,
  context: Context,
): Decision<(typeof APPROVE_OPERATOR_REJECTIONS)[number]> {
  const waiting = operators.waiting.get(id)
  if (waiting === undefined) return { refusal: wasDecided(context, id) ? 'approval_not_waiting' : 'not_found' }
  const { name, email, role, token_hash, requested_by } = waiting
  if (actorOf(context).id === requested_by.id) return { refusal: 'second_person_required' }
  if (operators.operators.size >= OPERATORS_MAX) return { refusal: 'too_many_operators' }
  const row: OperatorRow = { id, name, email, role, token_hash, created_by: requested_by, created_at: rfc3339(context.timeMs) }
  const details = { name, email, role, requested_by: requested_by.name }
  return accepted([
    decided(waiting, { state: 'approved' }, context),
    event('operator.created', 1, AUDIT_ACCOUNT, row),
    operatorActed(context, 'operator.create', id, null, details),
  ])
}

export const REFUSE_OPERATOR_REJECTIONS = ['not_found', 'approval_not_waiting'] as const

/** Returns `ok` and the request; the operator who asked may refuse it too. Rejections: not_found, approval_not_waiting. */
export function decideRefuseOperator(
  { operators }: State,
  { id, reason }: RefuseOperator,
  context: Context,
): Decision<(typeof REFUSE_OPERATOR_REJECTIONS)[number]> {
  const waiting = operators.waiting.get(id)
  if (waiting === undefined) return { refusal: wasDecided(context, id) ? 'approval_not_waiting' : 'not_found' }
  const { name, email, role, requested_by } = waiting
  const details = { name, email, role, reason, requested_by: requested_by.name }
  return accepted([decided(waiting, { state: 'refused', reason }, context), operatorActed(context, 'operator.refuse', id, null, details)])
}

/** The request for the API, without the hash of its token. */
export function publicOperatorRequest({ token_hash: _, ...request }: WaitingOperator): OperatorRequest {
  return request
}

function decided(waiting: WaitingOperator, changes: Partial<OperatorRequest>, context: Context): StoredEvent {
  const answer = { decided_by: actorOf(context), decided_at: rfc3339(context.timeMs) }
  const whole: OperatorRequest = { ...publicOperatorRequest(waiting), ...answer, ...changes }
  return event('operator.request_decided', 1, AUDIT_ACCOUNT, whole)
}

function actorOf({ operator }: Context): ActingOperator {
  return operator ?? ROOT_OPERATOR
}

function wasDecided({ past }: Context, id: string): boolean {
  const isIt = (one: StoredEvent): boolean => one.type === 'operator.request_decided' && payloadOf<OperatorRequest>(one).id === id
  return past.latest(operatorRequestIndexKey(id), isIt) !== null
}

/** The answer is the first event. */
function accepted(events: readonly StoredEvent[]): Accepted {
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: 0 }
}
