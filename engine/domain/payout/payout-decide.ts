// One payout: from a merchant's balance to a wallet, decided in one turn. A failure is a result with its own record,
// not an error: the same key shows it for ever.
import type { Amount } from '../../kernel/amount.ts'
import { positionOf } from '../../kernel/position.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Decision } from '../decision.ts'
import { allowanceOf, type KeyAllowance, spendOf } from '../merchant/key-allowance.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { isAbovePolicy } from '../merchant/payout-policy.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { StoredEvent } from '../record.ts'
import { type AllowedMovement, type Breach, isBreach, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { paymentFrames } from '../stream/stream-frames.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import { type Payout, PayoutEvent, type PayoutFailure } from './payout-state.ts'

export interface CreatePayout {
  readonly type: 'CreatePayout'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  /** Normalized tag or phone. */
  readonly recipient: string
  readonly amount: Amount
  readonly reference: string
  readonly note: string
  /** The API key that pays; null or absent: a member does. */
  readonly keyId?: string | null
}

export const CREATE_PAYOUT_REJECTIONS = [...MERCHANT_STOPS, 'approval_required', 'rate_limited'] as const

/** Returns `created` and the payout, paid or failed. Rejections: MERCHANT_STOPS, approval_required, rate_limited (the budget of unknown recipients is spent). */
export function decideCreatePayout(
  state: State,
  command: CreatePayout,
  context: Context,
): Decision<(typeof CREATE_PAYOUT_REJECTIONS)[number]> {
  const { merchant, recipient, amount, reference, note } = command
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  if (isAbovePolicy(state, merchant, amount)) return { refusal: 'approval_required', param: 'amount' }
  const environment = state.accounts.environment(merchant)
  const allowance = allowanceOf(state, command.keyId, context)
  const currency = state.accounts.currency(merchant)
  const checks = checksOf(state, merchant, context)
  // Before the recipient is looked at: failures cost nothing, and would tell which wallets exist.
  const rules = rulesOf(state, context)
  const payee = failureOfPayer(merchant, amount, allowance, rules) ?? checks.payeeOf(recipient)
  if (payee === 'recipient_check_limited') return checks.limited('recipient')
  const movement = typeof payee === 'string' ? payee : judgedPayout(rules, merchant, payee, amount)
  const id = context.newId()
  const created_at = rfc3339(context.timeMs)
  if (typeof movement === 'string') {
    const payout: Payout = {
      ...{ id, recipient, amount, currency, fee: 0, reference, state: 'failed', failure_code: movement },
      ...{ note, environment, batch_id: null, schedule_id: null, disbursement_id: null, created_at },
    }
    const events = [...payoutEvents(state, context, merchant, payout), ...checks.events()]
    return { environment, events, transactions: [], frames: [], kind: 'created', body: 0 }
  }
  const transaction_id = context.newId()
  // Field by field: a spread copies one property after the other, on the hottest path.
  const payout: Payout = {
    id,
    recipient,
    amount,
    currency,
    fee: movement.fee === null ? 0 : movement.fee.posting.amount,
    reference,
    state: 'paid',
    transaction_id,
    note,
    environment,
    batch_id: null,
    schedule_id: null,
    disbursement_id: null,
    created_at,
  }
  return {
    environment,
    events: payoutEvents(state, context, merchant, payout),
    transactions: [rules.transaction(movement, { id: transaction_id, reference, eventIndex: 0 })],
    frames: paymentFrames(movement.posting.credit, 'payment.received', 0),
    kind: 'created',
    body: 0,
    spend: spendOf(command.keyId, amount),
  }
}

/** Those of the engine that decided last. */
let lastRules: MovementRules | null = null
let lastChecks: RecipientChecks | null = null

/** A decision uses its checks until it returns, so all single payouts of an engine use the same. */
function checksOf(state: State, merchant: AccountNumber, context: Context): RecipientChecks {
  if (lastChecks?.begin(state, merchant, context) !== true) lastChecks = new RecipientChecks(state, merchant, context)
  return lastChecks
}

/** Nothing runs along a decision with one movement, so all single payouts of an engine share their rules. */
function rulesOf(state: State, context: Context): MovementRules {
  if (lastRules?.begin(state, context) !== true) lastRules = new MovementRules(state, context)
  return lastRules
}

/** Returns the payout event, and its webhook event when an endpoint subscribes. */
function payoutEvents(state: State, context: Context, merchant: AccountNumber, payout: Payout): StoredEvent[] {
  const event = payoutEvent(merchant, payout)
  if (!state.webhooks.hasEndpoints(merchant)) return [event]
  const type = payout.state === 'paid' ? 'payout.paid' : 'payout.failed'
  return [
    event,
    ...outboxEvents(state, context, { account: merchant, type, about: { document_position: positionOf(context.sequence, 0) } }),
  ]
}

export function payoutEvent(merchant: AccountNumber, payout: Payout): StoredEvent {
  const type = payout.state === 'paid' ? 'payout.paid' : 'payout.failed'
  return new PayoutEvent(type, merchant, payout)
}

/** Returns why the merchant cannot pay the amount and its fee; null when it can. The recipient is not looked at. */
export function failureOfPayer(
  merchant: AccountNumber,
  amount: Amount,
  allowance: KeyAllowance | null,
  rules: MovementRules,
): PayoutFailure | null {
  if (allowance !== null && !allowance.covers(amount)) return 'key_limit_exceeded'
  if (rules.isShort('payout', merchant, null, amount)) return 'insufficient_balance'
  return rules.isAboveMerchant(merchant, amount) ? 'merchant_limit_exceeded' : null
}

/** Returns the movement of a payout or line, or why the rules do not allow it. */
export function judgedPayout(
  rules: MovementRules,
  merchant: AccountNumber,
  payee: AccountNumber,
  amount: Amount,
): AllowedMovement | PayoutFailure {
  const judged = rules.judge('payout', merchant, payee, amount)
  return isBreach(judged) ? PAYOUT_BREACHES[judged.breach] : judged
}

/** A merchant is the payer of its payouts. */
const PAYOUT_BREACHES = {
  payee: 'recipient_limit_exceeded',
  merchant: 'merchant_limit_exceeded',
  payer: 'merchant_limit_exceeded',
} as const satisfies Record<Breach['breach'], PayoutFailure>
