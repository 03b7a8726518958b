// Dual control: a live movement above the limit, or one that brings what its operator moved alone today above the limit of a day,
// becomes a request, and moves nothing until a second operator approves it.
import type { AuditSubject } from '../../contract/operator.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Environment } from '../../kernel/environment.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { rulesSubject, subjectOfAccount } from '../operator/audit-subject.ts'
import { AUDIT_ACCOUNT, operatorActed } from '../operator/operator-decide.ts'
import { ROOT_OPERATOR } from '../operator/operator-state.ts'
import type { StoredEvent } from '../record.ts'
import { presentRules } from '../rules/present-rules.ts'
import type { State } from '../state.ts'
import type { Approval, OperatorCounted } from './funding-state.ts'

/** Maximum of movements that wait for a second operator. */
export const APPROVALS_WAITING_MAX = 1_000

/** Members of commands that move money for an operator. */
export interface DualControlled {
  /** A live movement above this amount waits for a second operator; absent or null: none does. */
  readonly secondPersonAbove?: Amount | null
  /** So does one that brings what its operator moved alone on the day (UTC) above this amount; absent or null: days are not summed. */
  readonly secondPersonAboveDay?: Amount | null
  /** The request that a second operator approves. */
  readonly approval?: ApprovedRequest
}

/** What the audit trail says of an approved request. */
export interface ApprovedRequest {
  readonly approval_id: string
  readonly requested_by: string
}

interface Movement extends DualControlled {
  readonly environment: Environment
  readonly amount: Amount
  readonly by: 'operator' | 'test_helper'
}

/**
 * Returns why a movement needs a second operator; null where it needs none. The sum of a day makes parts of a large amount need one as
 * the whole does.
 */
export function secondPersonCause(
  { approvals }: State,
  movement: Movement,
  { operator, timeMs }: Context,
): Exclude<Approval['because'], 'rules'> | null {
  const { amount, secondPersonAbove = null, secondPersonAboveDay = null } = movement
  if (!isControlled(movement)) return null
  if (secondPersonAbove !== null && amount > secondPersonAbove) return 'amount'
  const dayMax = secondPersonAboveDay ?? Number.POSITIVE_INFINITY
  return approvals.movedAloneOn((operator ?? ROOT_OPERATOR).id, timeMs) + amount > dayMax ? 'day_sum' : null
}

/** Returns the event that counts a movement of one operator alone; none where days are not summed, and for approved movements. */
export function countedAlone(movement: Movement, { operator }: Context): readonly StoredEvent[] {
  const { amount, secondPersonAboveDay = null } = movement
  if (secondPersonAboveDay === null || !isControlled(movement)) return []
  const counted: OperatorCounted = { operator_id: (operator ?? ROOT_OPERATOR).id, amount }
  return [event('operator.counted', 1, AUDIT_ACCOUNT, counted)]
}

function isControlled({ by, environment, approval }: Movement): boolean {
  return by === 'operator' && environment === 'live' && approval === undefined
}

/** What an operator asks for. */
export type AskedMovement = Pick<
  Approval,
  'kind' | 'because' | 'request_id' | 'merchant_id' | 'tag' | 'environment' | 'amount' | 'currency' | 'reference' | 'change'
>

/** Returns `accepted` and the request. Rejections: too_many_approvals. */
export function requestApproval(state: State, asked: AskedMovement, context: Context): Decision<'too_many_approvals'> {
  const { approvals } = state
  if (approvals.waiting.size >= APPROVALS_WAITING_MAX) return { refusal: 'too_many_approvals' }
  const { kind, because, request_id, merchant_id, tag, environment, amount, currency, reference, change } = asked
  const subject = subjectOf(state, asked)
  const approval: Approval = {
    ...{ id: context.newId(), state: 'waiting', kind, because, request_id, merchant_id, tag, subject },
    ...{ environment, amount, currency, reference },
    ...{
      ...(change === undefined ? {} : { change, before: presentRules(state, change) }),
      requested_by: context.operator ?? ROOT_OPERATOR,
    },
    ...{ decided_by: null, reason: null, transaction_id: null, ...balancesOf(state, asked) },
    created_at: rfc3339(context.timeMs),
    decided_at: null,
  }
  const details = {
    approval_id: approval.id,
    ...(change === undefined ? { amount, reference } : { change, before: presentRules(state, change) }),
  }
  const act = { action: `${kind}.request`, target: approvalTarget(approval), subject, environment, details }
  const audit = operatorActed(context, { ...act, money: { amount, currency, reference } })
  const events = [event('approval.requested', 1, AUDIT_ACCOUNT, approval), audit]
  return { environment, events, transactions: [], frames: [], kind: 'accepted', body: 0 }
}

type Asked = Pick<Approval, 'kind' | 'request_id' | 'merchant_id' | 'tag' | 'environment' | 'amount' | 'change'>

/** Returns the account whose balance changes; null for rules of all accounts. */
function accountOf({ merchants, wallets }: State, { merchant_id, tag, environment }: Asked): AccountNumber | null {
  const row = tag === null ? undefined : wallets.byTag(environment, tag)
  return row?.account ?? (merchant_id === null ? null : (merchants.merchants.get(merchant_id)?.accounts[environment] ?? null))
}

function subjectOf(state: State, asked: Asked): AuditSubject {
  const account = accountOf(state, asked)
  if (account !== null) return subjectOfAccount(state, account)
  const isOfFees = asked.change !== undefined && 'kind' in asked.change && asked.change.kind === 'fee_rules'
  return rulesSubject(asked.environment, isOfFees ? 'fees' : 'limits')
}

/** Returns the balance of the account now, and as the movement would leave it; nulls for a change of rules. */
function balancesOf(state: State, asked: Asked): Pick<Approval, 'balance_before' | 'balance_after'> {
  const account = accountOf(state, asked)
  const { kind, request_id, amount } = asked
  if (account === null || amount === null) return { balance_before: null, balance_after: null }
  const balance_before = state.accounts.balance(account)
  if (isIncoming(kind)) return { balance_before, balance_after: balance_before + amount }
  // The request of a withdrawal holds its fee beside its amount.
  const held = request_id === null ? undefined : state.holds.get(request_id)
  return { balance_before, balance_after: balance_before - (held?.amount ?? amount) }
}

export function isIncoming(kind: Approval['kind']): boolean {
  return kind === 'deposit' || kind === 'top_up_confirmation'
}

/** Returns the approval that waits with the balances and rules of this moment. */
export function asItStands(state: State, approval: Approval): Approval {
  const { change } = approval
  return { ...approval, ...(change === undefined ? {} : { before: presentRules(state, change) }), ...balancesOf(state, approval) }
}

const REVOKED_REASON = 'L’opérateur qui l’a demandé a été révoqué.'

/** Returns the events that refuse what an operator asked for, who is revoked in the same record. */
export function refusedOf({ approvals }: State, operatorId: string, context: Context): StoredEvent[] {
  const asked = Array.from(approvals.waiting.values()).filter(({ requested_by }) => requested_by.id === operatorId)
  return asked.map((approval) => decidedApproval(approval, { state: 'refused', reason: REVOKED_REASON }, context))
}

export function decidedApproval(approval: Approval, changes: Partial<Approval>, { operator, timeMs }: Context): StoredEvent {
  const whole: Approval = { ...approval, ...changes, decided_by: operator ?? ROOT_OPERATOR, decided_at: rfc3339(timeMs) }
  return event('approval.decided', 1, AUDIT_ACCOUNT, whole)
}

/** Returns the id of the top-up, withdrawal or merchant, or the tag with its `@`, as the audit trail names targets. */
export function approvalTarget(approval: Pick<Approval, 'request_id' | 'merchant_id' | 'tag' | 'environment'>): string {
  const { request_id, merchant_id, tag, environment } = approval
  return request_id ?? merchant_id ?? (tag === null ? environment : `@${tag}`)
}
