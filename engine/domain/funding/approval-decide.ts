// A second operator decides about a movement that waits. The approving turn moves the money, so of two decisions one wins.
import { rfc3339 } from '../../kernel/time.ts'
import { CONFIRM_TOP_UP_REJECTIONS, decideConfirmTopUp } from '../cash-request/top-up-decide.ts'
import { decidePayWithdrawal, PAY_WITHDRAWAL_REJECTIONS } from '../cash-request/withdrawal-decide.ts'
import { type Context, type Decision, event, isRefused } from '../decision.ts'
import { AUDIT_ACCOUNT, operatorActed } from '../operator/operator-decide.ts'
import { ROOT_OPERATOR } from '../operator/operator-state.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { approvalTarget } from './approval-request.ts'
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

export const APPROVE_MOVEMENT_REJECTIONS = [
  ...DEPOSIT_REJECTIONS,
  ...WITHDRAW_REJECTIONS,
  ...CONFIRM_TOP_UP_REJECTIONS,
  ...PAY_WITHDRAWAL_REJECTIONS,
  'approval_not_waiting',
  'second_person_required',
] as const

/**
 * Returns `ok` and the approval with its transaction. Rejections: not_found, approval_not_waiting,
 * second_person_required for the operator who asked, and those of the movement, after which the request still waits.
 */
export function decideApproveMovement(
  state: State,
  { id }: ApproveMovement,
  context: Context,
): Decision<(typeof APPROVE_MOVEMENT_REJECTIONS)[number]> {
  const approval = state.approvals.waiting.get(id)
  if (approval === undefined) return { refusal: wasDecided(context, id) ? 'approval_not_waiting' : 'not_found' }
  if (actorOf(context).id === approval.requested_by.id) return { refusal: 'second_person_required' }
  const balanceBefore = balanceOf(state, approval)
  const decision = decideMovement(state, approval, context)
  if (isRefused(decision)) return decision
  const transaction_id = decision.transactions[0]?.id ?? null
  const balance_after = balanceBefore + (approval.kind === 'deposit' ? approval.amount : -approval.amount)
  const approved = decided(approval, { state: 'approved', transaction_id, balance_after }, context)
  return { ...decision, events: [...decision.events, approved], kind: 'ok', body: decision.events.length }
}

function decideMovement(
  state: State,
  { id, kind, merchant_id, tag, environment, amount, reference, request_id, requested_by }: Approval,
  context: Context,
): Decision<(typeof APPROVE_MOVEMENT_REJECTIONS)[number]> {
  const approval = { approval_id: id, requested_by: requested_by.name }
  if (request_id !== undefined) {
    const end = { id: request_id, reference, merchant: null, approval }
    return kind === 'deposit'
      ? decideConfirmTopUp(state, { type: 'ConfirmTopUp', ...end, amount }, context)
      : decidePayWithdrawal(state, { type: 'PayWithdrawal', ...end }, context)
  }
  const target = merchant_id === null ? { tag: tag ?? '' } : { merchantId: merchant_id }
  const movement: Funding = { target, environment, amount, reference, by: 'operator', approval }
  return kind === 'deposit'
    ? decideDeposit(state, { type: 'Deposit', ...movement }, context)
    : decideWithdraw(state, { type: 'Withdraw', ...movement }, context)
}

function balanceOf({ accounts, merchants, wallets }: State, { merchant_id, tag, environment }: Approval): number {
  const account =
    merchant_id === null ? wallets.byTag(environment, tag ?? '')?.account : merchants.merchants.get(merchant_id)?.accounts[environment]
  return account === undefined ? 0 : accounts.balance(account)
}

export const REFUSE_MOVEMENT_REJECTIONS = ['not_found', 'approval_not_waiting'] as const

/** Returns `ok` and the approval; the operator who asked may refuse it too. Rejections: not_found, approval_not_waiting. */
export function decideRefuseMovement(
  state: State,
  { id, reason }: RefuseMovement,
  context: Context,
): Decision<(typeof REFUSE_MOVEMENT_REJECTIONS)[number]> {
  const approval = state.approvals.waiting.get(id)
  if (approval === undefined) return { refusal: wasDecided(context, id) ? 'approval_not_waiting' : 'not_found' }
  const { kind, environment, amount, requested_by } = approval
  const details = { approval_id: id, amount, reason, requested_by: requested_by.name }
  const events = [
    decided(approval, { state: 'refused', reason }, context),
    operatorActed(context, `${kind}.refuse`, approvalTarget(approval), environment, details),
  ]
  return { environment, events, transactions: [], frames: [], kind: 'ok', body: 0 }
}

function decided(approval: Approval, changes: Partial<Approval>, context: Context): StoredEvent {
  const whole: Approval = { ...approval, ...changes, decided_by: actorOf(context), decided_at: rfc3339(context.timeMs) }
  return event('approval.decided', 1, AUDIT_ACCOUNT, whole)
}

function actorOf({ operator }: Context): Approval['requested_by'] {
  return operator ?? ROOT_OPERATOR
}

function wasDecided({ past }: Context, id: string): boolean {
  const isIt = (event: StoredEvent): boolean => event.type === 'approval.decided' && payloadOf<Approval>(event).id === id
  return past.latest(approvalIndexKey(id), isIt) !== null
}
