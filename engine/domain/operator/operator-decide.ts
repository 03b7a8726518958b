// The audit trail: what an operator did leaves an event of its own in the same record as its effect.

import type { AuditSubject, OperatorAction as ShapeOperatorAction } from '../../contract/operator.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Environment } from '../../kernel/environment.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import { ROOT_OPERATOR } from './operator-state.ts'

/** Audit rows of all environments are indexed under the live settlement account. */
export const AUDIT_ACCOUNT = 0

export type OperatorAction = Immutable<ShapeOperatorAction>

/** What an operator did, without its time and its author. */
export interface Act {
  /** `merchant.suspend`: the noun and the verb. */
  readonly action: string
  /** Id, or tag with its `@`, of the object of the action. */
  readonly target: string
  readonly subject: AuditSubject
  /** Null for what belongs to both environments. */
  readonly environment: Environment | null
  /** Parameters of the request. */
  readonly details: Readonly<Record<string, unknown>>
  /** Money that the action is about; its amount is null for a change of rules. */
  readonly money?: { readonly amount: number | null; readonly currency: string | null; readonly reference: string }
}

export function operatorActed(context: Context, { action, target, subject, environment, details, money }: Act): StoredEvent {
  const { amount = null, currency = null, reference = '' } = money ?? {}
  const payload: OperatorAction = {
    id: context.newId(),
    action,
    target,
    subject,
    environment,
    ...(amount === null || currency === null ? {} : { amount, currency }),
    ...(reference === '' ? {} : { reference }),
    details,
    operator: context.operator ?? ROOT_OPERATOR,
    created_at: rfc3339(context.timeMs),
  }
  return event('operator.acted', 1, AUDIT_ACCOUNT, payload)
}
