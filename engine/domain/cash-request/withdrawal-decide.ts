// Deciders of withdrawals. The amount is held by the request, captured by the payment, released by a refusal or a
// cancellation. The first turn to end a request wins; later ones find it ended.
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import { parseRfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { countedAlone, type DualControlled } from '../funding/approval-request.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { isAbovePolicy } from '../merchant/payout-policy.ts'
import { subjectOfAccount } from '../operator/audit-subject.ts'
import { type Act, operatorActed } from '../operator/operator-decide.ts'
import { quotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import { MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { askSecondPerson } from './cash-request-approval.ts'
import { OPEN_WITHDRAWALS } from './cash-request-limits.ts'
import type { RequestedWithdrawal, Withdrawal } from './cash-request-state.ts'
import { endRequest, type FoundCashRequest, findCashRequest, unchangedRequest, unfinished } from './cash-request-versions.ts'
import { ownAccount } from './withdrawal-account-decide.ts'

export interface RequestWithdrawal {
  readonly type: 'RequestWithdrawal'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  readonly amount: Amount
  /** Null: the saved account says it. */
  readonly destination: Withdrawal['destination'] | null
  /** Id of a saved account; null: `destination` says where the money goes. */
  readonly accountId: string | null
  readonly reference: string
}

export interface CancelWithdrawal {
  readonly type: 'CancelWithdrawal'
  readonly merchant: AccountNumber
  readonly id: string
}

export interface PayWithdrawal extends DualControlled {
  readonly type: 'PayWithdrawal'
  readonly id: string
  /** Of the transfer, in the bank's statement. */
  readonly reference: string
  /** The merchant whose withdrawal it must be, in the test environment; null: an operator paid it. */
  readonly merchant: AccountNumber | null
}

export interface RefuseWithdrawal {
  readonly type: 'RefuseWithdrawal'
  readonly id: string
  readonly reason: string
}

export const REQUEST_WITHDRAWAL_REJECTIONS = [
  ...MERCHANT_STOPS,
  'not_found',
  'account_not_usable_yet',
  'approval_required',
  'quota_exceeded',
  'insufficient_balance',
] as const

/**
 * Returns `created` and the withdrawal; its amount is held. Rejections, in this precedence: MERCHANT_STOPS, not_found (no
 * such account), account_not_usable_yet, approval_required, quota_exceeded, insufficient_balance.
 */
export function decideRequestWithdrawal(
  state: State,
  command: RequestWithdrawal,
  context: Context,
): Decision<(typeof REQUEST_WITHDRAWAL_REJECTIONS)[number]> {
  const { merchant, amount, reference, accountId } = command
  const { accounts, holds } = state
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const destination = destinationOf(state, command, context)
  if (typeof destination === 'string') return { refusal: destination, param: 'withdrawal_account_id' }
  if (isAbovePolicy(state, merchant, amount)) return { refusal: 'approval_required', param: 'amount' }
  const full = quotaRefusal(state, OPEN_WITHDRAWALS, merchant)
  if (full !== null) return full
  const fee = new MovementRules(state, context).withdrawalFee(merchant, amount)
  if (!holds.canPlace(merchant, amount + (fee?.amount ?? 0))) return { refusal: 'insufficient_balance' }
  const environment = accounts.environment(merchant)
  const { created_at, finished_at, ...open } = unfinished(context.timeMs)
  const withdrawal: RequestedWithdrawal = {
    id: context.newId(),
    state: 'requested',
    amount,
    currency: accounts.currency(merchant),
    fee: fee?.amount ?? 0,
    reference,
    destination,
    withdrawal_account_id: accountId,
    ...open,
    environment,
    created_at,
    finished_at,
    ...(fee === null ? {} : { fee_plan: fee.plan }),
  }
  const events = [event('withdrawal.requested', 1, merchant, withdrawal)]
  return { environment, events, transactions: [], frames: [], kind: 'created', body: 0 }
}

function destinationOf(
  state: State,
  { merchant, destination, accountId }: RequestWithdrawal,
  { timeMs }: Pick<Context, 'timeMs'>,
): Withdrawal['destination'] | 'not_found' | 'account_not_usable_yet' {
  const row = accountId === null ? null : ownAccount(state, merchant, accountId)
  if (row === null && accountId !== null) return 'not_found'
  if (row !== null && parseRfc3339(row.saved.usable_from) > timeMs) return 'account_not_usable_yet'
  const given = row?.saved ?? destination
  assert(given !== null, 'a withdrawal names a destination or a saved account')
  const { kind, name, account, provider } = given
  return { kind, name, account, ...(provider === null || provider === undefined ? {} : { provider }) }
}

export const CANCEL_WITHDRAWAL_REJECTIONS = ['not_found', 'request_not_open', 'approval_waiting'] as const

/** Returns `ok` and the withdrawal, also when it was cancelled before. Rejections: not_found, request_not_open, approval_waiting. */
export function decideCancelWithdrawal(
  state: State,
  command: CancelWithdrawal,
  context: Context,
): Decision<(typeof CANCEL_WITHDRAWAL_REJECTIONS)[number]> {
  const found = findCashRequest(state, context.past, 'withdrawal', command.id)
  if (found === null || found.account !== command.merchant) return { refusal: 'not_found' }
  if (found.request.state === 'cancelled') return unchangedRequest(found)
  if (found.request.state !== 'requested') return { refusal: 'request_not_open' }
  if (state.approvals.waitingFor(found.request.id) !== null) return { refusal: 'approval_waiting' }
  return endRequest(context, { found, kind: 'withdrawal', outcome: { state: 'cancelled' }, moved: null, more: [] })
}

export const PAY_WITHDRAWAL_REJECTIONS = [
  'not_found',
  'merchant_suspended',
  'request_not_open',
  'approval_waiting',
  'too_many_approvals',
] as const

/**
 * Returns `ok` and the withdrawal; the held amount is on the settlement account. Or `accepted` and the request where a second
 * operator must approve. Rejections: not_found, merchant_suspended (by the test helper), request_not_open, approval_waiting,
 * too_many_approvals.
 */
export function decidePayWithdrawal(
  state: State,
  command: PayWithdrawal,
  context: Context,
): Decision<(typeof PAY_WITHDRAWAL_REJECTIONS)[number]> {
  const { id, merchant, reference, approval } = command
  const found = findCashRequest(state, context.past, 'withdrawal', id)
  if (found === null || (merchant !== null && found.account !== merchant)) return { refusal: 'not_found' }
  if (merchant !== null && state.merchants.isSuspended(merchant)) return { refusal: 'merchant_suspended' }
  const { request, account } = found
  if (request.state !== 'requested') return { refusal: 'request_not_open' }
  if (approval === undefined && state.approvals.waitingFor(id) !== null) return { refusal: 'approval_waiting' }
  const movement = { kind: 'withdrawal_payment', amount: request.amount, reference } as const
  const asked = merchant === null ? askSecondPerson(state, found, command, movement, context) : null
  if (asked !== null) return asked
  const { amount, environment } = request
  const counted = countedAlone({ ...command, by: 'operator', environment, amount }, context)
  const settlement = state.accounts.own('settlement', environment, state.accounts.currency(account))
  const rules = new MovementRules(state, context)
  const captured = rules.captured(state.holds.capturePosting(id, settlement, amount), found.heldFee)
  return endRequest(context, {
    found,
    kind: 'withdrawal',
    outcome: { state: 'paid', settlement_reference: reference },
    moved: { rules, movement: captured },
    more: merchant === null ? [acted(state, context, 'pay', found, { amount, reference, ...approval }, reference), ...counted] : [],
  })
}

export const REFUSE_WITHDRAWAL_REJECTIONS = ['not_found', 'request_not_open', 'approval_waiting'] as const

/** Returns `ok` and the withdrawal; its amount may be spent again. Rejections: not_found, request_not_open, approval_waiting. */
export function decideRefuseWithdrawal(
  state: State,
  { id, reason }: RefuseWithdrawal,
  context: Context,
): Decision<(typeof REFUSE_WITHDRAWAL_REJECTIONS)[number]> {
  const found = findCashRequest(state, context.past, 'withdrawal', id)
  if (found === null) return { refusal: 'not_found' }
  if (found.request.state !== 'requested') return { refusal: 'request_not_open' }
  if (state.approvals.waitingFor(found.request.id) !== null) return { refusal: 'approval_waiting' }
  const more = [acted(state, context, 'refuse', found, { reason }, found.request.reference)]
  return endRequest(context, { found, kind: 'withdrawal', outcome: { state: 'refused', reason }, moved: null, more })
}

function acted(
  state: State,
  context: Context,
  what: 'pay' | 'refuse',
  { request, account }: FoundCashRequest<'withdrawal'>,
  details: Act['details'],
  reference: string,
): StoredEvent {
  const { id: target, environment } = request
  const subject = subjectOfAccount(state, account)
  return operatorActed(context, { action: `withdrawal.${what}`, target, subject, environment, details, money: { ...request, reference } })
}
