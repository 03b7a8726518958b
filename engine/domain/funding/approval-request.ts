// Dual control: a live movement above the limit becomes a request, and moves nothing until a second operator approves it.
import type { Amount } from '../../kernel/amount.ts'
import type { Environment } from '../../kernel/environment.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { AUDIT_ACCOUNT, operatorActed } from '../operator/operator-decide.ts'
import { ROOT_OPERATOR } from '../operator/operator-state.ts'
import type { State } from '../state.ts'
import { APPROVALS_WAITING_MAX } from './funding-limits.ts'
import type { Approval } from './funding-state.ts'

/** The fields of a deposit or withdrawal that a request keeps. */
interface Movement {
  /** The top-up or withdrawal that it ends. */
  readonly requestId?: string
  readonly target: { readonly merchantId: string } | { readonly tag: string }
  readonly environment: Environment
  readonly amount: Amount
  readonly reference: string
  readonly by: 'operator' | 'test_helper'
  readonly secondPersonAbove?: Amount | null
}

/** What the audit trail says of an approved request. */
export interface ApprovedRequest {
  readonly approval_id: string
  readonly requested_by: string
}

export function needsSecondPerson({
  by,
  environment,
  amount,
  secondPersonAbove = null,
}: Pick<Movement, 'by' | 'environment' | 'amount' | 'secondPersonAbove'>): boolean {
  return by === 'operator' && environment === 'live' && secondPersonAbove !== null && amount > secondPersonAbove
}

/** Returns `accepted` and the request. Rejections: too_many_approvals. */
export function requestApproval(
  { approvals }: State,
  kind: Approval['kind'],
  { target, environment, amount, reference, requestId }: Omit<Movement, 'by' | 'secondPersonAbove'>,
  context: Context,
): Decision<'too_many_approvals'> {
  if (approvals.waiting.size >= APPROVALS_WAITING_MAX) return { refusal: 'too_many_approvals' }
  const approval: Approval = {
    ...{ id: context.newId(), state: 'waiting', kind },
    merchant_id: 'tag' in target ? null : target.merchantId,
    tag: 'tag' in target ? target.tag : null,
    ...{ environment, amount, reference },
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...{ requested_by: context.operator ?? ROOT_OPERATOR },
    ...{ decided_by: null, reason: null, transaction_id: null, balance_after: null },
    created_at: rfc3339(context.timeMs),
    decided_at: null,
  }
  const details = { approval_id: approval.id, amount, reference, ...(requestId === undefined ? {} : { request_id: requestId }) }
  const audit = operatorActed(context, `${kind}.request`, approvalTarget(approval), environment, details)
  const events = [event('approval.requested', 1, AUDIT_ACCOUNT, approval), audit]
  return { environment, events, transactions: [], frames: [], kind: 'accepted', body: 0 }
}

/** Returns the id of the merchant, or the tag with its `@`, as the audit trail names accounts. */
export function approvalTarget({ merchant_id, tag }: Pick<Approval, 'merchant_id' | 'tag'>): string {
  return merchant_id ?? `@${tag ?? ''}`
}
