// Dual control of top-ups and withdrawals: a large confirmation or payment waits for a second operator. While it
// waits, the request can end in no other way.
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import type { Context, Decision } from '../decision.ts'
import { type AskedMovement, type DualControlled, requestApproval, secondPersonCause } from '../funding/approval-request.ts'
import type { State } from '../state.ts'
import type { FoundCashRequest } from './cash-request-versions.ts'

/** Returns `accepted` and the request for a second operator; null when the movement needs none. Rejections: too_many_approvals. */
export function askSecondPerson(
  state: State,
  { request, account }: FoundCashRequest,
  control: DualControlled,
  movement: Pick<AskedMovement, 'kind' | 'reference'> & { readonly amount: Amount },
  context: Context,
): Decision<'too_many_approvals'> | null {
  const { id, environment } = request
  const because = secondPersonCause(state, { ...control, by: 'operator', environment, amount: movement.amount }, context)
  if (because === null) return null
  const merchant = state.merchants.byAccount(account)
  assert(merchant !== undefined, 'a cash request belongs to a merchant')
  const asked: AskedMovement = {
    ...movement,
    because,
    request_id: id,
    merchant_id: merchant.id,
    tag: null,
    environment,
    currency: state.accounts.currency(account),
  }
  return requestApproval(state, asked, context)
}
