// Dual control of operators: one with rights over money or operators has none before another person approves it, and an
// administrator is not revoked by one person. Otherwise one person could be both persons of a movement, or the only one left.
import type { OperatorRole } from '../../contract/operator.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { refusedOf } from '../funding/approval-request.ts'
import { emailEvents, hasEmailRoom, OPERATORS_AS_HOLDER, type OutgoingEmail } from '../message/outgoing.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { operatorSubject } from './audit-subject.ts'
import { AUDIT_ACCOUNT, type OperatorAction, operatorActed } from './operator-decide.ts'
import { AUDIT_INDEX_KEY, operatorRequestIndexKey } from './operator-index-keys.ts'
import { OPERATOR_REQUESTS_MAX, OPERATORS_MAX } from './operator-limits.ts'
import { type ActingOperator, type OperatorRequest, type OperatorRow, ROOT_OPERATOR } from './operator-state.ts'

export interface NewOperator {
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly role: OperatorRole
  /** SHA-256 of the token of an operator that is made at once. */
  readonly tokenHash: string
  /** That token encrypted under the master key: the answer shows it, the log never holds it in clear. */
  readonly sealedToken: string
  /** Whether operators with rights over money or operators need another person; absent: no. */
  readonly isDualControlled?: boolean
}

/** The way in of an operator that was approved: it goes to that operator alone. */
export interface OperatorCredential {
  /** SHA-256 of the token in the e-mail. */
  readonly tokenHash: string
  readonly email: OutgoingEmail
}

export interface ApproveOperator {
  readonly type: 'ApproveOperator'
  readonly id: string
  /** Null for a revocation. */
  readonly credential: OperatorCredential | null
}

export interface RefuseOperator {
  readonly type: 'RefuseOperator'
  readonly id: string
  readonly reason: string
}

/**
 * Returns whether another person must approve. The exception is the first administrator that ever existed: the holder of
 * OPERATOR_TOKEN, who counts as one person, makes it alone.
 */
export function needsAnotherPerson({ operators }: State, { role, isDualControlled }: NewOperator, context: Context): boolean {
  if (isDualControlled !== true || (role !== 'admin' && role !== 'finance')) return false
  return role === 'finance' || actorOf(context).id !== null || operators.hasAdministrator() || everHadAdministrator(context)
}

/** Asked only while there is no administrator: the newest entries of the audit trail then say that one was revoked. */
function everHadAdministrator({ past }: Context): boolean {
  const isIt = (one: StoredEvent): boolean => {
    if (one.type !== 'operator.acted') return false
    const { action, details } = payloadOf<OperatorAction>(one)
    return (action === 'operator.create' || action === 'operator.revoke') && (details as Partial<OperatorRow>).role === 'admin'
  }
  return past.latest(AUDIT_INDEX_KEY, isIt) !== null
}

/** Returns `accepted` and the request; the token is made when it is approved. Rejections: too_many_approvals. */
export function requestOperator(state: State, { name, email, role }: NewOperator, context: Context): Decision<'too_many_approvals'> {
  const id = context.newId()
  return requested(state, { id, kind: 'create', operator_id: id, name, email, role }, context)
}

/** Returns `accepted` and the request. Rejections: approval_waiting, too_many_approvals. */
export function requestRevocation(
  state: State,
  { id: operator_id, name, email, role }: OperatorRow,
  context: Context,
): Decision<'approval_waiting' | 'too_many_approvals'> {
  if (state.operators.isRevocationWaiting(operator_id)) return { refusal: 'approval_waiting' }
  return requested(state, { id: context.newId(), kind: 'revoke', operator_id, name, email, role }, context)
}

type Asked = Pick<OperatorRequest, 'id' | 'kind' | 'operator_id' | 'name' | 'email' | 'role'>

function requested({ operators }: State, asked: Asked, context: Context): Decision<'too_many_approvals'> {
  if (operators.waiting.size >= OPERATOR_REQUESTS_MAX) return { refusal: 'too_many_approvals' }
  const { id, kind, operator_id, name, email, role } = asked
  const request: OperatorRequest = {
    ...{ id, kind, operator_id, state: 'waiting', name, email, role, requested_by: actorOf(context) },
    ...{ decided_by: null, reason: null, created_at: rfc3339(context.timeMs), decided_at: null },
  }
  const action = kind === 'create' ? 'operator.request' : 'operator.revocation_request'
  const audit = operatorActed(context, {
    ...{ action, target: operator_id, subject: operatorSubject({ id: operator_id, name }), environment: null },
    details: { name, email, role },
  })
  return { ...accepted([event('operator.requested', 1, AUDIT_ACCOUNT, request), audit]), kind: 'accepted' }
}

export const APPROVE_OPERATOR_REJECTIONS = [
  'not_found',
  'approval_not_waiting',
  'second_person_required',
  'too_many_operators',
  'unavailable',
] as const

/**
 * Returns `ok` and the request: the operator is made and its token goes to it by e-mail, or the administrator is revoked.
 * Rejections, in this precedence: not_found, approval_not_waiting, second_person_required for the
 * operator who asked and for the one to be revoked, too_many_operators, unavailable (too many e-mails wait).
 */
export function decideApproveOperator(
  state: State,
  { id, credential }: ApproveOperator,
  context: Context,
): Decision<(typeof APPROVE_OPERATOR_REJECTIONS)[number]> {
  const request = state.operators.waiting.get(id)
  if (request === undefined) return { refusal: wasDecided(context, id) ? 'approval_not_waiting' : 'not_found' }
  if (isParty(request, context)) return { refusal: 'second_person_required' }
  const approved = decided(request, { state: 'approved' }, context)
  return request.kind === 'revoke'
    ? approveRevocation(state, request, context, approved)
    : approveCreation(state, { request, credential, approved }, context)
}

function approveRevocation(
  state: State,
  { id, operator_id }: OperatorRequest,
  context: Context,
  approved: StoredEvent,
): Decision<'approval_not_waiting'> {
  const row = state.operators.operators.get(operator_id)
  if (row === undefined) return { refusal: 'approval_not_waiting' }
  return accepted([approved, ...revocationEvents(state, row, context, id), ...refusedOf(state, operator_id, context)])
}

interface Approval {
  readonly request: OperatorRequest
  readonly credential: OperatorCredential | null
  readonly approved: StoredEvent
}

function approveCreation(
  state: State,
  { request, credential, approved }: Approval,
  context: Context,
): Decision<'too_many_operators' | 'unavailable'> {
  if (state.operators.operators.size >= OPERATORS_MAX) return { refusal: 'too_many_operators' }
  if (credential === null || !hasEmailRoom(state, OPERATORS_AS_HOLDER)) return { refusal: 'unavailable' }
  const { id, name, email, role, requested_by } = request
  const { tokenHash: token_hash } = credential
  const row: OperatorRow = { id, name, email, role, token_hash, created_by: requested_by, created_at: rfc3339(context.timeMs) }
  const details = { name, email, role, requested_by: requested_by.name }
  return accepted([
    approved,
    event('operator.created', 1, AUDIT_ACCOUNT, row),
    operatorActed(context, { action: 'operator.create', target: id, subject: operatorSubject(row), environment: null, details }),
    ...emailEvents(state, context, OPERATORS_AS_HOLDER, credential.email),
  ])
}

export const REFUSE_OPERATOR_REJECTIONS = ['not_found', 'approval_not_waiting', 'second_person_required'] as const

/**
 * Returns `ok` and the request; the operator who asked may refuse it too. Rejections: not_found, approval_not_waiting,
 * second_person_required for an administrator who is to be revoked.
 */
export function decideRefuseOperator(
  { operators }: State,
  { id, reason }: RefuseOperator,
  context: Context,
): Decision<(typeof REFUSE_OPERATOR_REJECTIONS)[number]> {
  const request = operators.waiting.get(id)
  if (request === undefined) return { refusal: wasDecided(context, id) ? 'approval_not_waiting' : 'not_found' }
  const { operator_id, name, email, role, requested_by } = request
  if (request.kind === 'revoke' && actorOf(context).id === operator_id && requested_by.id !== operator_id)
    return { refusal: 'second_person_required' }
  const details = { name, email, role, reason, requested_by: requested_by.name }
  const audit = operatorActed(context, {
    ...{ action: 'operator.refuse', target: operator_id, subject: operatorSubject({ id: operator_id, name }), environment: null },
    details,
  })
  return accepted([decided(request, { state: 'refused', reason }, context), audit])
}

const REVOKED_REASON = 'L’opérateur a été révoqué.'

/**
 * Returns the events that end an operator, with the requests that it made and those about it. `approvedId`: the request that is
 * approved by it, if any.
 */
export function revocationEvents(
  { operators }: State,
  { id, name, email, role }: OperatorRow,
  context: Context,
  approvedId: string | null = null,
): StoredEvent[] {
  const ended = Array.from(operators.waiting.values()).filter(
    (one) => one.id !== approvedId && (one.requested_by.id === id || one.operator_id === id),
  )
  return [
    event('operator.revoked', 1, AUDIT_ACCOUNT, { id }),
    operatorActed(context, {
      ...{ action: 'operator.revoke', target: id, subject: operatorSubject({ id, name }), environment: null },
      details: { name, email, role },
    }),
    ...ended.map((request) => decided(request, { state: 'refused', reason: REVOKED_REASON }, context)),
  ]
}

function isParty({ kind, operator_id, requested_by }: OperatorRequest, context: Context): boolean {
  const { id } = actorOf(context)
  return id === requested_by.id || (kind === 'revoke' && id === operator_id)
}

function decided(request: OperatorRequest, changes: Partial<OperatorRequest>, context: Context): StoredEvent {
  const answer = { decided_by: actorOf(context), decided_at: rfc3339(context.timeMs) }
  return event('operator.request_decided', 1, AUDIT_ACCOUNT, { ...request, ...answer, ...changes })
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
