// Commands about operators with a name: administrators make and revoke them. Under dual control another person decides about
// administrators, and about new operators for finance (operator-request-decide.ts).
import { rfc3339 } from '../../kernel/time.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { refusedOf } from '../funding/approval-request.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { operatorSubject } from './audit-subject.ts'
import { AUDIT_ACCOUNT, operatorActed } from './operator-decide.ts'
import { OPERATORS_MAX } from './operator-limits.ts'
import { type NewOperator, needsAnotherPerson, requestOperator, requestRevocation, revocationEvents } from './operator-request-decide.ts'
import { type OperatorRow, ROOT_OPERATOR } from './operator-state.ts'

export interface CreateOperator extends NewOperator {
  readonly type: 'CreateOperator'
}

export interface RevokeOperator {
  readonly type: 'RevokeOperator'
  readonly id: string
  /** Whether another person decides about an administrator; absent: no. */
  readonly isDualControlled?: boolean
}

export const CREATE_OPERATOR_REJECTIONS = ['email_taken', 'too_many_operators', 'too_many_approvals'] as const

/**
 * Returns `created` and the operator with its sealed token, this once; or `accepted` and the request where another person must
 * approve. Rejections: email_taken, too_many_operators, too_many_approvals.
 */
export function decideCreateOperator(
  state: State,
  command: CreateOperator,
  context: Context,
): Decision<(typeof CREATE_OPERATOR_REJECTIONS)[number]> {
  const { operators } = state
  const { name, email, role, tokenHash, sealedToken } = command
  if (operators.isTaken(email)) return { refusal: 'email_taken', param: 'email' }
  if (operators.operators.size >= OPERATORS_MAX) return { refusal: 'too_many_operators' }
  if (needsAnotherPerson(state, command, context)) return requestOperator(state, command, context)
  const row: OperatorRow = {
    ...{ id: context.newId(), name, email, role, token_hash: tokenHash },
    created_by: context.operator ?? ROOT_OPERATOR,
    created_at: rfc3339(context.timeMs),
  }
  const audit = operatorActed(context, {
    ...{ action: 'operator.create', target: row.id, subject: operatorSubject(row), environment: null },
    details: { name, email, role },
  })
  const body = JSON.stringify({ ...publicOperator(row), token: sealedToken })
  return { ...accept([event('operator.created', 1, AUDIT_ACCOUNT, row), audit], body), kind: 'created' }
}

export const REVOKE_OPERATOR_REJECTIONS = ['not_found', 'approval_waiting', 'too_many_approvals'] as const

/**
 * Returns `ok` and `{id, deleted: true}`: token and sessions of the operator open nothing from then on, and what it asked for is
 * refused. Or `accepted` and the request where another person must approve. Rejections: not_found, approval_waiting,
 * too_many_approvals.
 */
export function decideRevokeOperator(
  state: State,
  { id, isDualControlled }: RevokeOperator,
  context: Context,
): Decision<(typeof REVOKE_OPERATOR_REJECTIONS)[number]> {
  const row = state.operators.operators.get(id)
  if (row === undefined) return { refusal: 'not_found' }
  if (isDualControlled === true && row.role === 'admin') return requestRevocation(state, row, context)
  const events = [...revocationEvents(state, row, context), ...refusedOf(state, id, context)]
  return accept(events, JSON.stringify({ id, deleted: true }))
}

/** The operator for the API, without the hash of its token. */
export function publicOperator({ id, name, email, role, created_by, created_at }: OperatorRow): Omit<OperatorRow, 'token_hash'> {
  return { id, name, email, role, created_by, created_at }
}

function accept(events: readonly StoredEvent[], body: string): Accepted {
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body }
}
