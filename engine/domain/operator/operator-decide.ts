// The audit trail: what an operator did leaves an event of its own in the same record as its effect.

import type { OperatorAction as ShapeOperatorAction } from '../../contract/operator.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Environment } from '../../kernel/environment.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import { ROOT_OPERATOR } from './operator-state.ts'

/** Audit rows of all environments are indexed under the live settlement account. */
export const AUDIT_ACCOUNT = 0

export type OperatorAction = Immutable<ShapeOperatorAction>

export function operatorActed(
  context: Context,
  action: string,
  target: string,
  environment: Environment | null,
  details: object,
): StoredEvent {
  const payload: OperatorAction = {
    id: context.newId(),
    action,
    target,
    environment,
    details,
    operator: context.operator ?? ROOT_OPERATOR,
    created_at: rfc3339(context.timeMs),
  }
  return event('operator.acted', 1, AUDIT_ACCOUNT, payload)
}
