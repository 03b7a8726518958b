// A second operator decides about a movement that waits. The approving turn moves the money, so of two decisions one wins.
import { assert } from '../../kernel/assert.ts'
import { APPROVED_REQUEST_REJECTIONS, decideApprovedRequest } from '../cash-request/approved-request.ts'
import { type Accepted, type Context, type Decision, isRefused } from '../decision.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import { ROOT_OPERATOR } from '../operator/operator-state.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { feeBorneBy } from '../rules/movement-rules.ts'
import { decideRuleChange } from '../rules/rule-change.ts'
import { RULE_CHANGE_REJECTIONS, type RuleChangeRejection } from '../rules/rule-changed.ts'
import type { RuleChange } from '../rules/rules-state.ts'
import type { State } from '../state.ts'
import { approvalTarget, asItStands, decidedApproval, isIncoming } from './approval-request.ts'
import { DEPOSIT_REJECTIONS, decideDeposit, decideWithdraw, type Funding, WITHDRAW_REJECTIONS } from './funding-decide.ts'
import { approvalIndexKey } from './funding-index-keys.ts'
import type { Approval } from './funding-state.ts'

export interface ApproveMovement {
  readonly type: 'ApproveMovement'
  readonly id: string
}

export interface RefuseMovement {
  readonly type: 'RefuseMovement'
  readonly id: string
  readonly reason: string
}

const MOVEMENT_REJECTIONS = [...DEPOSIT_REJECTIONS, ...WITHDRAW_REJECTIONS, ...APPROVED_REQUEST_REJECTIONS] as const

export const APPROVE_MOVEMENT_REJECTIONS = [
  ...MOVEMENT_REJECTIONS,
  ...RULE_CHANGE_REJECTIONS,
  'insufficient_role',
  'approval_not_waiting',
  'second_person_required',
] as const

/**
 * Returns `ok` and the approval with its transaction. Rejections: not_found, insufficient_role (administrators
 * decide rules), approval_not_waiting, second_person_required for the operator who asked, and those of the movement or of the
 * change, after which the request still waits.
 */
export function decideApproveMovement(
  state: State,
  { id }: ApproveMovement,
  context: Context,
): Decision<(typeof APPROVE_MOVEMENT_REJECTIONS)[number]> {
  const approval = state.approvals.waiting.get(id)
  if (approval === undefined) return { refusal: wasDecided(context, id) ? 'approval_not_waiting' : 'not_found' }
  if (!mayDecide(state, approval, context)) return { refusal: 'insufficient_role' }
  if (actorOf(context).id === approval.requested_by.id) return { refusal: 'second_person_required' }
  if (approval.change !== undefined) return approveChange(state, approval, approval.change, context)
  const decision = decideMovement(state, approval, context)
  if (isRefused(decision)) return decision
  const approved = decidedApproval(approval, { state: 'approved', ...movedMoney(state, approval, decision) }, context)
  return { ...decision, events: [...decision.events, approved], kind: 'ok', body: decision.events.length }
}

/** Administrators decide about rules. That finance alone decides about money is a rule of the route. */
function mayDecide({ operators }: State, { kind }: Approval, context: Context): boolean {
  const { id } = actorOf(context)
  const role = id === null ? undefined : operators.operators.get(id)?.role
  return kind !== 'rule_change' || role === undefined || role === 'admin'
}

function approveChange(state: State, approval: Approval, change: RuleChange, context: Context): Decision<RuleChangeRejection> {
  const decision = decideRuleChange(state, change, context)
  if (isRefused(decision)) return decision
  const approved = decidedApproval(asItStands(state, approval), { state: 'approved' }, context)
  return { ...decision, events: [...decision.events, approved], body: decision.events.length }
}

type MovementRejection = (typeof MOVEMENT_REJECTIONS)[number]

/** Decides the movement without the limit: what was asked stays, also under another setting. */
function decideMovement(state: State, approval: Approval, context: Context): Decision<MovementRejection> {
  const { id, kind, request_id, merchant_id, tag, environment, amount, reference, requested_by } = approval
  assert(kind !== 'rule_change' && amount !== null, 'a movement has an amount')
  const approved = { approval: { approval_id: id, requested_by: requested_by.name } }
  if (request_id !== null) return decideApprovedRequest(state, { kind, id: request_id, amount, reference, ...approved }, context)
  const target = merchant_id === null ? { tag: tag ?? '' } : { merchantId: merchant_id }
  const movement: Funding = { target, environment, amount, reference, by: 'operator', ...approved }
  return kind === 'deposit'
    ? decideDeposit(state, { type: 'Deposit', ...movement }, context)
    : decideWithdraw(state, { type: 'Withdraw', ...movement }, context)
}

/** Returns the transaction, and the balance of the merchant or wallet before it, and after it and its fee. */
function movedMoney(
  state: State,
  { kind }: Approval,
  { transactions }: Pick<Accepted, 'transactions'>,
): Pick<Approval, 'transaction_id' | 'balance_before' | 'balance_after'> {
  const [transaction] = transactions
  assert(transaction !== undefined, 'an approved movement has one transaction')
  const { id: transaction_id, posting } = transaction
  const { debit, credit, amount } = posting
  const account = isIncoming(kind) ? credit : debit
  const change = (isIncoming(kind) ? amount : -amount) - feeBorneBy(transaction, account)
  const balance_before = state.accounts.balance(account)
  return { transaction_id, balance_before, balance_after: balance_before + change }
}

export const REFUSE_MOVEMENT_REJECTIONS = ['not_found', 'approval_not_waiting', 'insufficient_role'] as const

/** Returns `ok` and the approval; the operator who asked may refuse it too. Rejections: not_found, approval_not_waiting, insufficient_role. */
export function decideRefuseMovement(
  state: State,
  { id, reason }: RefuseMovement,
  context: Context,
): Decision<(typeof REFUSE_MOVEMENT_REJECTIONS)[number]> {
  const approval = state.approvals.waiting.get(id)
  if (approval === undefined) return { refusal: wasDecided(context, id) ? 'approval_not_waiting' : 'not_found' }
  if (!mayDecide(state, approval, context)) return { refusal: 'insufficient_role' }
  const { kind, subject, environment, amount, requested_by } = approval
  const details = { approval_id: id, ...(amount === null ? {} : { amount }), reason, requested_by: requested_by.name }
  const target = approvalTarget(approval)
  const events = [
    decidedApproval(asItStands(state, approval), { state: 'refused', reason }, context),
    operatorActed(context, { action: `${kind}.refuse`, target, subject, environment, details, money: approval }),
  ]
  return { environment, events, transactions: [], frames: [], kind: 'ok', body: 0 }
}

function actorOf({ operator }: Context): Approval['requested_by'] {
  return operator ?? ROOT_OPERATOR
}

function wasDecided({ past }: Context, id: string): boolean {
  const isIt = (event: StoredEvent): boolean => event.type === 'approval.decided' && payloadOf<Approval>(event).id === id
  return past.latest(approvalIndexKey(id), isIt) !== null
}
