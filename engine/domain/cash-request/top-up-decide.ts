// Deciders of top-ups. The first turn to end a request wins; later ones find it ended.
import type { Amount } from '../../kernel/amount.ts'
import { randomOf } from '../../kernel/ids.ts'
import { ACCOUNT_BALANCE_MAX } from '../../kernel/limits.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { countedAlone, type DualControlled } from '../funding/approval-request.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { subjectOfAccount } from '../operator/audit-subject.ts'
import { type Act, operatorActed } from '../operator/operator-decide.ts'
import { quotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import { isBreach, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { askSecondPerson } from './cash-request-approval.ts'
import { OPEN_TOP_UPS } from './cash-request-limits.ts'
import type { TopUp } from './cash-request-state.ts'
import { endRequest, type FoundCashRequest, findCashRequest, unchangedRequest, unfinished } from './cash-request-versions.ts'
import { paymentReference } from './payment-reference.ts'

export interface RequestTopUp {
  readonly type: 'RequestTopUp'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  readonly amount: Amount
  readonly reference: string
  readonly instructions: string
}

export interface CancelTopUp {
  readonly type: 'CancelTopUp'
  readonly merchant: AccountNumber
  readonly id: string
}

export interface ConfirmTopUp extends DualControlled {
  readonly type: 'ConfirmTopUp'
  readonly id: string
  /** Null: as requested. */
  readonly amount: Amount | null
  /** Of the transfer, in the bank's statement. */
  readonly reference: string
  /** The merchant whose top-up it must be, in the test environment; null: an operator confirms it. */
  readonly merchant: AccountNumber | null
}

export interface RefuseTopUp {
  readonly type: 'RefuseTopUp'
  readonly id: string
  readonly reason: string
}

export const REQUEST_TOP_UP_REJECTIONS = [...MERCHANT_STOPS, 'quota_exceeded'] as const

/** Returns `created` and the top-up. Rejections: MERCHANT_STOPS, quota_exceeded. */
export function decideRequestTopUp(
  state: State,
  command: RequestTopUp,
  context: Context,
): Decision<(typeof REQUEST_TOP_UP_REJECTIONS)[number]> {
  const { merchant, amount, reference, instructions } = command
  const { accounts } = state
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const full = quotaRefusal(state, OPEN_TOP_UPS, merchant)
  if (full !== null) return full
  const environment = accounts.environment(merchant)
  const { created_at, finished_at, ...open } = unfinished(context.timeMs)
  const topUp: TopUp = {
    id: context.newId(),
    state: 'requested',
    amount,
    confirmed_amount: null,
    currency: accounts.currency(merchant),
    reference,
    payment_reference: freeReference(state, context),
    instructions,
    ...open,
    environment,
    created_at,
    finished_at,
  }
  return { environment, events: [event('top_up.requested', 1, merchant, topUp)], transactions: [], frames: [], kind: 'created', body: 0 }
}

/** Returns a reference that no open top-up has. One made of the record's sequence would tell the volume of the service. */
function freeReference({ cashRequests }: Pick<State, 'cashRequests'>, context: Pick<Context, 'newId'>): string {
  for (;;) {
    const reference = paymentReference(randomOf(context.newId()))
    if (!cashRequests.hasReference(reference)) return reference
  }
}

export const CANCEL_TOP_UP_REJECTIONS = ['not_found', 'request_not_open', 'approval_waiting'] as const

/** Returns `ok` and the top-up, also when it was cancelled before. Rejections: not_found, request_not_open, approval_waiting. */
export function decideCancelTopUp(
  state: State,
  command: CancelTopUp,
  context: Context,
): Decision<(typeof CANCEL_TOP_UP_REJECTIONS)[number]> {
  const found = findCashRequest(state, context.past, 'top_up', command.id)
  if (found === null || found.account !== command.merchant) return { refusal: 'not_found' }
  if (found.request.state === 'cancelled') return unchangedRequest(found)
  if (found.request.state !== 'requested') return { refusal: 'request_not_open' }
  if (state.approvals.waitingFor(found.request.id) !== null) return { refusal: 'approval_waiting' }
  return endRequest(context, { found, kind: 'top_up', outcome: { state: 'cancelled' }, moved: null, more: [] })
}

export const CONFIRM_TOP_UP_REJECTIONS = [
  'not_found',
  'merchant_suspended',
  'request_not_open',
  'approval_waiting',
  'recipient_limit_exceeded',
  'too_many_approvals',
] as const

/**
 * Returns `ok` and the top-up; the amount is on the merchant's balance, from the settlement account. Or `accepted` and the
 * request where a second operator must approve. Rejections, in this precedence: not_found, merchant_suspended (by
 * the test helper), request_not_open, approval_waiting, recipient_limit_exceeded, too_many_approvals.
 */
export function decideConfirmTopUp(
  state: State,
  command: ConfirmTopUp,
  context: Context,
): Decision<(typeof CONFIRM_TOP_UP_REJECTIONS)[number]> {
  const { id, merchant, reference, approval } = command
  const { accounts } = state
  const found = findCashRequest(state, context.past, 'top_up', id)
  if (found === null || (merchant !== null && found.account !== merchant)) return { refusal: 'not_found' }
  if (merchant !== null && state.merchants.isSuspended(merchant)) return { refusal: 'merchant_suspended' }
  const { request, account } = found
  if (request.state !== 'requested') return { refusal: 'request_not_open' }
  if (approval === undefined && state.approvals.waitingFor(id) !== null) return { refusal: 'approval_waiting' }
  const amount = command.amount ?? request.amount
  const settlement = accounts.own('settlement', request.environment, accounts.currency(account))
  const rules = new MovementRules(state, context)
  const deposited = rules.judge('deposit', settlement, account, amount)
  if (isBreach(deposited) || accounts.balance(settlement) - amount < -ACCOUNT_BALANCE_MAX) return { refusal: 'recipient_limit_exceeded' }
  const movement = { kind: 'top_up_confirmation', amount, reference } as const
  const asked = merchant === null ? askSecondPerson(state, found, command, movement, context) : null
  if (asked !== null) return asked
  const counted = countedAlone({ ...command, by: 'operator', environment: request.environment, amount }, context)
  return endRequest(context, {
    found,
    kind: 'top_up',
    outcome: { state: 'confirmed', confirmed_amount: amount, settlement_reference: reference },
    moved: { rules, movement: deposited },
    more:
      merchant === null
        ? [acted(state, context, 'confirm', found, { amount, reference, ...approval }, { amount, reference }), ...counted]
        : [],
  })
}

export const REFUSE_TOP_UP_REJECTIONS = ['not_found', 'request_not_open', 'approval_waiting'] as const

/** Returns `ok` and the top-up. Rejections: not_found, request_not_open, approval_waiting. */
export function decideRefuseTopUp(
  state: State,
  { id, reason }: RefuseTopUp,
  context: Context,
): Decision<(typeof REFUSE_TOP_UP_REJECTIONS)[number]> {
  const found = findCashRequest(state, context.past, 'top_up', id)
  if (found === null) return { refusal: 'not_found' }
  if (found.request.state !== 'requested') return { refusal: 'request_not_open' }
  if (state.approvals.waitingFor(found.request.id) !== null) return { refusal: 'approval_waiting' }
  const more = [acted(state, context, 'refuse', found, { reason }, found.request)]
  return endRequest(context, { found, kind: 'top_up', outcome: { state: 'refused', reason }, moved: null, more })
}

function acted(
  state: State,
  context: Context,
  what: 'confirm' | 'refuse',
  { request, account }: FoundCashRequest<'top_up'>,
  details: Act['details'],
  { amount, reference }: Pick<TopUp, 'amount' | 'reference'>,
): StoredEvent {
  const { id: target, environment, currency, payment_reference } = request
  const subject = subjectOfAccount(state, account)
  return operatorActed(context, {
    ...{ action: `top_up.${what}`, target, subject, environment },
    ...{ details: { ...details, payment_reference }, money: { amount, currency, reference } },
  })
}
