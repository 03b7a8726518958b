// Mandates: asked for by merchants, approved, rejected or cancelled by customers, cancelled by merchants. What they
// collect is in mandate-collect-decide.ts.
import type { Amount } from '../../kernel/amount.ts'
import { parseRfc3339, rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event, rejectedBy } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { quotaRefusal } from '../quotas.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { State } from '../state.ts'
import { plannedFrame } from '../stream/stream-frames.ts'
import { LIVE_MANDATES, PENDING_FULL_RETRY_S, PENDING_PER_CUSTOMER_MAX } from './mandate-limits.ts'
import type { Mandate, MandateInterval, MandateVersion } from './mandate-state.ts'
import { dueAt, hasEnded, occurrenceAfter } from './mandate-times.ts'
import { answered, type FoundMandate, findMandate, mandateMoved, mayMove } from './mandate-versions.ts'

export interface CreateMandate {
  readonly type: 'CreateMandate'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  /** Made by the caller from at least 128 random bits. */
  readonly token: string
  /** Normalized tag. */
  readonly customerTag: string
  readonly amount: Amount | null
  readonly maxAmount: Amount | null
  readonly interval: MandateInterval
  readonly startMs: TimeMs | null
  readonly endMs: TimeMs | null
  readonly maxPayments: number | null
  readonly reference: string
  readonly description: string
  readonly redirectUrl: string
  readonly approvalUrl: string
}

/** By the customer whose PIN was right. */
export interface ApproveMandate {
  readonly type: 'ApproveMandate'
  readonly customer: AccountNumber
  readonly id: string
  /** Of the one-time code that was shown on the approval page: the approval uses it up. */
  readonly challengeId: string | null
}

export interface RejectMandate {
  readonly type: 'RejectMandate'
  readonly customer: AccountNumber
  readonly id: string
}

export interface CancelMandate {
  readonly type: 'CancelMandate'
  /** The merchant or the customer. */
  readonly by: AccountNumber
  readonly id: string
}

export const CREATE_MANDATE_REJECTIONS = [
  ...MERCHANT_STOPS,
  'amount_required',
  'amount_out_of_bounds',
  'invalid_request',
  'customer_not_found',
  'currency_mismatch',
  'rate_limited',
  'quota_exceeded',
] as const

/**
 * Returns `created` and the mandate. Rejections, in this precedence: MERCHANT_STOPS, amount_required, amount_out_of_bounds,
 * invalid_request (an end before the start or now), rate_limited (the budget of unknown recipients is spent),
 * customer_not_found, currency_mismatch, rate_limited (too many of the merchant's wait for that wallet), quota_exceeded.
 */
export function decideCreateMandate(
  state: State,
  command: CreateMandate,
  context: Context,
): Decision<(typeof CREATE_MANDATE_REJECTIONS)[number]> {
  const { merchant, customerTag, amount, maxAmount, startMs, endMs } = command
  const { mandates, accounts } = state
  const environment = accounts.environment(merchant)
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  if (amount === null && maxAmount === null) return { refusal: 'amount_required', param: 'amount' }
  if (amount !== null && maxAmount !== null && amount > maxAmount) return { refusal: 'amount_out_of_bounds', param: 'amount' }
  if (endMs !== null && endMs <= Math.max(context.timeMs, startMs ?? 0))
    return { refusal: 'invalid_request', param: 'end_at', reason: 'end_too_early' }
  const checks = new RecipientChecks(state, merchant, context)
  const wallet = checks.walletOf(customerTag)
  if (wallet === 'recipient_check_limited') return checks.limited('customer_tag')
  if (wallet === 'recipient_not_found') {
    const counted: Accepted = { environment, events: checks.events(), transactions: [], frames: [], kind: 'ok', body: '' }
    return rejectedBy(counted, 'customer_not_found', { param: 'customer_tag' })
  }
  if (!accounts.isSameLedger(merchant, wallet.account)) return { refusal: 'currency_mismatch', param: 'customer_tag' }
  if (mandates.pendingOf(merchant, wallet.account) >= PENDING_PER_CUSTOMER_MAX)
    return { refusal: 'rate_limited', param: 'customer_tag', retryAfterS: PENDING_FULL_RETRY_S }
  const full = quotaRefusal(state, LIVE_MANDATES, merchant)
  if (full !== null) return full
  const mandate: Mandate = {
    id: context.newId(),
    token: command.token,
    state: 'pending',
    customer_tag: customerTag,
    amount,
    max_amount: maxAmount,
    currency: state.accounts.currency(merchant),
    interval: command.interval,
    start_at: startMs === null ? null : rfc3339(startMs),
    end_at: endMs === null ? null : rfc3339(endMs),
    max_payments: command.maxPayments,
    reference: command.reference,
    description: command.description,
    redirect_url: command.redirectUrl,
    approval_url: command.approvalUrl,
    environment,
    next_charge_at: null,
    payments_count: 0,
    failed_attempts: 0,
    created_at: rfc3339(context.timeMs),
    approved_at: null,
    cancelled_at: null,
  }
  const start = { anchor_at: null, occurrence_at: null, due_at: dueAt(mandate), payment: null }
  const version: MandateVersion = { mandate, customer: wallet.account, ...start }
  return {
    environment,
    events: [event('mandate.created', 1, merchant, version)],
    transactions: [],
    frames: [plannedFrame(wallet.account, 'mandate.requested', 0)],
    kind: 'created',
    body: JSON.stringify(mandate),
  }
}

export const APPROVE_MANDATE_REJECTIONS = ['not_found', 'wallet_blocked', ...MERCHANT_STOPS, 'mandate_not_active', 'otp_expired'] as const

/**
 * Returns `ok` and the mandate as the customer sees it, also when it was approved before. The first payment is at
 * `start_at`, or now when that has passed; a paused mandate goes on with its next occurrence. Rejections, in this
 * precedence: not_found, wallet_blocked, MERCHANT_STOPS, mandate_not_active, otp_expired.
 */
export function decideApproveMandate(
  state: State,
  command: ApproveMandate,
  context: Context,
): Decision<(typeof APPROVE_MANDATE_REJECTIONS)[number]> {
  const found = findMandate(state, context.past, command.id)
  if (found === null || found.customer !== command.customer) return { refusal: 'not_found' }
  const { mandate } = found
  if (mandate.state === 'active') return answered(found, [], seenByCustomer(state, found))
  if (state.wallets.byAccount(command.customer)?.blocked === true) return { refusal: 'wallet_blocked' }
  const stop = state.merchants.stopOf(found.account)
  if (stop !== null) return { refusal: stop }
  if (!mayMove(mandate.state, 'approved') || hasEnded(mandate, context.timeMs)) return { refusal: 'mandate_not_active' }
  const { timeMs } = context
  const { challengeId } = command
  const code = { subject: approvalSubject(mandate.token), account: command.customer }
  if (challengeId !== null && !state.auth.isGoodFor(challengeId, code, timeMs)) return { refusal: 'otp_expired' }
  const startMs = mandate.start_at === null ? timeMs : Math.max(timeMs, parseRfc3339(mandate.start_at))
  const anchorMs = found.anchor_at === null ? startMs : parseRfc3339(found.anchor_at)
  const nextMs = mandate.state === 'pending' ? occurrenceAfter(mandate, anchorMs, anchorMs - 1) : occurrenceAfter(mandate, anchorMs, timeMs)
  const next_charge_at = nextMs === null ? null : rfc3339(nextMs)
  const approved: Mandate = { ...mandate, state: 'active', next_charge_at, failed_attempts: 0, approved_at: rfc3339(timeMs) }
  const next = { mandate: approved, anchor_at: rfc3339(anchorMs), occurrence_at: next_charge_at }
  const used = event('otp.used', 1, state.settlementAccount(mandate.environment), { id: challengeId })
  const events = [...mandateMoved(state, context, found, 'approved', next), ...(challengeId === null ? [] : [used])]
  return answered(found, events, seenByCustomer(state, { ...found, mandate: approved }))
}

export const REJECT_MANDATE_REJECTIONS = ['not_found', 'mandate_not_active'] as const

/**
 * Returns `ok` and the mandate as the customer sees it, also when it was rejected before. Rejections: not_found,
 * mandate_not_active.
 */
export function decideRejectMandate(
  state: State,
  command: RejectMandate,
  context: Context,
): Decision<(typeof REJECT_MANDATE_REJECTIONS)[number]> {
  const found = findMandate(state, context.past, command.id)
  if (found === null || found.customer !== command.customer) return { refusal: 'not_found' }
  if (found.mandate.state === 'rejected') return answered(found, [], seenByCustomer(state, found))
  if (!mayMove(found.mandate.state, 'rejected')) return { refusal: 'mandate_not_active' }
  const mandate: Mandate = { ...found.mandate, state: 'rejected', next_charge_at: null }
  return answered(found, mandateMoved(state, context, found, 'rejected', { mandate }), seenByCustomer(state, { ...found, mandate }))
}

export const CANCEL_MANDATE_REJECTIONS = ['not_found', 'mandate_not_active'] as const

/**
 * Returns `ok` and the mandate for its merchant or customer, also when it was cancelled before. Rejections:
 * not_found, mandate_not_active.
 */
export function decideCancelMandate(
  state: State,
  command: CancelMandate,
  context: Context,
): Decision<(typeof CANCEL_MANDATE_REJECTIONS)[number]> {
  const found = findMandate(state, context.past, command.id)
  if (found === null || (found.account !== command.by && found.customer !== command.by)) return { refusal: 'not_found' }
  const isCustomer = found.customer === command.by
  const seen = (cancelled: FoundMandate): object => (isCustomer ? seenByCustomer(state, cancelled) : cancelled.mandate)
  if (found.mandate.state === 'cancelled') return answered(found, [], seen(found))
  if (!mayMove(found.mandate.state, 'cancelled')) return { refusal: 'mandate_not_active' }
  const mandate: Mandate = { ...found.mandate, state: 'cancelled', next_charge_at: null, cancelled_at: rfc3339(context.timeMs) }
  const events = mandateMoved(state, context, found, 'cancelled', { mandate })
  return answered(found, events, isCustomer ? seen({ ...found, mandate }) : 0)
}

/** What a one-time code for the approval page is good for: no payment, and no other mandate. */
export function approvalSubject(token: string): string {
  return `mandate:${token}`
}

/** What a customer sees: who asks, and not the merchant's own handles. */
export function seenByCustomer(state: State, { mandate, account }: Pick<FoundMandate, 'mandate' | 'account'>): object {
  const { token: _token, approval_url: _approvalUrl, ...rest } = mandate
  return { ...rest, merchant_name: state.merchants.byAccount(account)?.name ?? '' }
}
