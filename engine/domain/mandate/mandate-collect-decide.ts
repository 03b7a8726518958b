// Deciders that collect for mandates, by timer or by request of the merchant. Payment and mandate change in one
// record, so after a crash a payment is either due or done.
import type { MandateFailure } from '../../contract/mandate.ts'
import type { Amount } from '../../kernel/amount.ts'
import { parseRfc3339, rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Accepted, Context, Decision } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { type AllowedMovement, isBreach, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { paymentFrames } from '../stream/stream-frames.ts'
import { RETRIES_MAX, RETRY_AFTER_MS } from './mandate-limits.ts'
import type { Mandate, MandatePayment } from './mandate-state.ts'
import { hasEnded, isAutomatic, occurrenceAfter } from './mandate-times.ts'
import { answered, type FoundMandate, findMandate, mandateMoved } from './mandate-versions.ts'

/** An attempt to collect, or the mandate's end. */
export interface AdvanceMandate {
  readonly type: 'AdvanceMandate'
  readonly merchant: AccountNumber
  readonly id: string
  /** What its timer was set to; null: the merchant takes the next attempt now, in the test environment. */
  readonly dueMs: TimeMs | null
}

/** The merchant asks for a payment. */
export interface ChargeMandate {
  readonly type: 'ChargeMandate'
  readonly merchant: AccountNumber
  readonly id: string
  /** Null: the mandate's own. */
  readonly amount: Amount | null
  readonly reference: string
}

export const ADVANCE_MANDATE_REJECTIONS = ['not_found', 'mandate_not_active'] as const

/**
 * Returns `ok` and the payment. Missed occurrences become one late payment. Rejections, in this precedence:
 * not_found, mandate_not_active (it has no automatic payments, or the timer came too late).
 */
export function decideAdvanceMandate(
  state: State,
  command: AdvanceMandate,
  context: Context,
): Decision<(typeof ADVANCE_MANDATE_REJECTIONS)[number]> {
  const { dueMs } = command
  const found = findMandate(state, context.past, command.id)
  if (found === null || found.account !== command.merchant) return { refusal: 'not_found' }
  const { mandate } = found
  if (dueMs === null && (mandate.state !== 'active' || !isAutomatic(mandate))) return { refusal: 'mandate_not_active' }
  if (dueMs !== null && state.mandates.live.get(command.id)?.dueMs !== dueMs) return { refusal: 'mandate_not_active' }
  if (hasEnded(mandate, context.timeMs)) {
    const expired: Mandate = { ...mandate, state: 'expired', next_charge_at: null }
    return answered(found, mandateMoved(state, context, found, 'expired', { mandate: expired }), expired)
  }
  const amount = mandate.amount as Amount // Only a mandate that collects by itself has a timer before its end.
  const judged = judgedPayment(state, found, amount, context)
  if (typeof judged === 'string') return attemptFailed(state, context, { found, amount, failure: judged })
  return { ...paid(state, context, found, judged, mandate.reference), kind: 'ok' }
}

export const CHARGE_MANDATE_REJECTIONS = [
  'not_found',
  ...MERCHANT_STOPS,
  'mandate_not_active',
  'mandate_not_on_demand',
  'mandate_not_due',
  'amount_required',
  'amount_out_of_bounds',
  'wallet_blocked',
  'insufficient_balance',
  'limit_exceeded',
  'recipient_limit_exceeded',
] as const

/**
 * Returns `created` and the payment. Rejections, in this precedence: not_found, MERCHANT_STOPS, mandate_not_active,
 * mandate_not_on_demand, mandate_not_due, amount_required, amount_out_of_bounds, wallet_blocked, insufficient_balance,
 * limit_exceeded, recipient_limit_exceeded.
 */
export function decideChargeMandate(
  state: State,
  command: ChargeMandate,
  context: Context,
): Decision<(typeof CHARGE_MANDATE_REJECTIONS)[number]> {
  const found = findMandate(state, context.past, command.id)
  if (found === null || found.account !== command.merchant) return { refusal: 'not_found' }
  const stop = state.merchants.stopOf(found.account)
  if (stop !== null) return { refusal: stop }
  const { mandate } = found
  if (mandate.state !== 'active' || hasEnded(mandate, context.timeMs)) return { refusal: 'mandate_not_active' }
  if (isAutomatic(mandate)) return { refusal: 'mandate_not_on_demand' }
  const dueAt = mandate.next_charge_at ?? mandate.start_at
  if (dueAt !== null && parseRfc3339(dueAt) > context.timeMs) return { refusal: 'mandate_not_due' }
  const amount = command.amount ?? mandate.amount
  if (amount === null) return { refusal: 'amount_required', param: 'amount' }
  const left = (mandate.max_amount ?? (mandate.amount as Amount)) - collectedBefore(found, context.timeMs)
  if (amount > left) return { refusal: 'amount_out_of_bounds', param: 'amount' }
  const judged = judgedPayment(state, found, amount, context)
  if (typeof judged === 'string') return { refusal: judged }
  return paid(state, context, found, judged, command.reference === '' ? mandate.reference : command.reference)
}

/** Returns the movement, or why there is none now. The merchant asks, so it does not learn what is left of its customer's limits. */
function judgedPayment(
  state: State,
  { customer, account }: FoundMandate,
  amount: Amount,
  context: Context,
): AllowedMovement | MandateFailure {
  const { wallets, merchants } = state
  const stop = merchants.stopOf(account)
  if (stop !== null) return stop
  if (wallets.byAccount(customer)?.blocked !== false) return 'wallet_blocked'
  const rules = new MovementRules(state, context)
  if (rules.isShort('mandate', customer, account, amount)) return 'insufficient_balance'
  const judged = rules.judge('mandate', customer, account, amount)
  if (!isBreach(judged)) return judged
  return judged.breach === 'payer' ? 'limit_exceeded' : 'recipient_limit_exceeded'
}

function paid(state: State, context: Context, found: FoundMandate, movement: AllowedMovement, reference: string): Accepted {
  const { mandate, customer } = found
  const { amount } = movement.posting
  const transactionId = context.newId()
  const payment: MandatePayment = { ...paymentStart(context, mandate, amount, reference), state: 'paid', transaction_id: transactionId }
  const { next, isOver } = afterPayment(found, context.timeMs)
  const paidMandate: Mandate = {
    ...mandate,
    state: isOver ? 'expired' : 'active',
    next_charge_at: isOver ? null : next,
    payments_count: mandate.payments_count + 1,
    failed_attempts: 0,
  }
  const collected = isSummed(mandate)
    ? { collected: { month: monthOf(context.timeMs), amount: collectedBefore(found, context.timeMs) + amount } }
    : {}
  return {
    environment: mandate.environment,
    events: mandateMoved(state, context, found, 'charged', { mandate: paidMandate, occurrence_at: next, payment, ...collected }),
    transactions: [new MovementRules(state, context).transaction(movement, { id: transactionId, reference, eventIndex: 0 })],
    frames: paymentFrames(customer, 'payment.sent', 0),
    kind: 'created',
    body: JSON.stringify(payment),
  }
}

/** Whether `max_amount` is the sum of a month; with an interval there is one payment in each. */
function isSummed({ interval, max_amount }: Mandate): boolean {
  return interval === 'on_demand' && max_amount !== null
}

/** What counts against `max_amount` in the month of `timeMs`. */
function collectedBefore({ mandate, collected }: FoundMandate, timeMs: TimeMs): Amount {
  return isSummed(mandate) && collected?.month === monthOf(timeMs) ? collected.amount : 0
}

function monthOf(timeMs: TimeMs): string {
  return rfc3339(timeMs).slice(0, 'YYYY-MM'.length)
}

/** When the next payment may be, and whether there is none: enough payments, or no occurrence before the end. */
function afterPayment(
  { mandate, anchor_at, occurrence_at }: FoundMandate,
  timeMs: TimeMs,
): { readonly next: string | null; readonly isOver: boolean } {
  const isEnough = mandate.max_payments !== null && mandate.payments_count + 1 >= mandate.max_payments
  if (mandate.interval === 'on_demand' || anchor_at === null) return { next: null, isOver: isEnough }
  const paidMs = occurrence_at === null ? timeMs : Math.max(timeMs, parseRfc3339(occurrence_at))
  const nextMs = occurrenceAfter(mandate, parseRfc3339(anchor_at), paidMs)
  return { next: nextMs === null ? null : rfc3339(nextMs), isOver: isEnough || nextMs === null }
}

interface FailedAttempt {
  readonly found: FoundMandate
  readonly amount: Amount
  readonly failure: MandateFailure
}

/** Tries again the next day, three times; then the customer has to approve again. */
function attemptFailed(state: State, context: Context, { found, amount, failure }: FailedAttempt): Accepted {
  const { mandate } = found
  const failed_attempts = mandate.failed_attempts + 1
  const pauses = failed_attempts > RETRIES_MAX
  const start = paymentStart(context, mandate, amount, mandate.reference)
  const payment: MandatePayment = { ...start, state: 'failed', failure_code: failure }
  const next: Mandate = {
    ...mandate,
    state: pauses ? 'paused' : 'active',
    next_charge_at: pauses ? null : rfc3339(context.timeMs + RETRY_AFTER_MS),
    failed_attempts,
  }
  return answered(found, mandateMoved(state, context, found, pauses ? 'paused' : 'charge_failed', { mandate: next, payment }), payment)
}

function paymentStart(
  context: Context,
  { id, currency, environment }: Mandate,
  amount: Amount,
  reference: string,
): Omit<MandatePayment, 'state'> {
  return {
    id: context.newId(),
    mandate_id: id,
    amount,
    currency,
    reference,
    environment,
    created_at: rfc3339(context.timeMs),
  }
}
