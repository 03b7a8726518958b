// The confirmation of a top-up or the payment of a withdrawal that a second operator approves.
import type { Amount } from '../../kernel/amount.ts'
import type { Context, Decision } from '../decision.ts'
import type { DualControlled } from '../funding/approval-request.ts'
import type { Approval } from '../funding/funding-state.ts'
import type { State } from '../state.ts'
import { CONFIRM_TOP_UP_REJECTIONS, decideConfirmTopUp } from './top-up-decide.ts'
import { decidePayWithdrawal, PAY_WITHDRAWAL_REJECTIONS } from './withdrawal-decide.ts'

export const APPROVED_REQUEST_REJECTIONS = [...CONFIRM_TOP_UP_REJECTIONS, ...PAY_WITHDRAWAL_REJECTIONS] as const

export interface ApprovedCashRequest extends Pick<Approval, 'kind' | 'reference'>, Required<Pick<DualControlled, 'approval'>> {
  readonly amount: Amount
  /** Id of the top-up or withdrawal. */
  readonly id: string
}

/** Returns `ok` and the request. Rejections: those of the confirmation or the payment. */
export function decideApprovedRequest(
  state: State,
  { kind, amount, ...request }: ApprovedCashRequest,
  context: Context,
): Decision<(typeof APPROVED_REQUEST_REJECTIONS)[number]> {
  if (kind === 'top_up_confirmation')
    return decideConfirmTopUp(state, { type: 'ConfirmTopUp', ...request, amount, merchant: null }, context)
  return decidePayWithdrawal(state, { type: 'PayWithdrawal', ...request, merchant: null }, context)
}
