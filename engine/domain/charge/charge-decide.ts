// Deciders that create, cancel and expire charges, each in one turn. The first turn to end a pending charge wins;
// later ones find it ended.
import type { Caller } from '../../contract/created-by.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { takesPayments } from '../payment-link/payment-link-state.ts'
import { quotaRefusal } from '../quotas.ts'
import { MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { CHARGE_VALIDITY_MS, PENDING_CHARGES } from './charge-limits.ts'
import { CHARGE_MOVES_FROM, type Charge, type ChargeState } from './charge-state.ts'
import { chargeMoved, customerFrames, type FoundCharge, findCharge } from './charge-versions.ts'

export interface CreateCharge {
  readonly type: 'CreateCharge'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  /** Made by the caller from at least 128 random bits. */
  readonly token: string
  readonly amount: Amount
  readonly reference: string
  readonly description: string
  /** Normalized tag; empty: any payer may pay. */
  readonly customerTag: string
  readonly checkoutUrl: string
  readonly redirectUrl: string
  readonly webhookUrl: string
  readonly metadata: Readonly<Record<string, string>>
  /** Who makes the charge: the caller, or the id of the payment link. */
  readonly madeBy: Caller | { readonly linkId: string }
}

export interface CancelCharge {
  readonly type: 'CancelCharge'
  readonly merchant: AccountNumber
  readonly token: string
}

/** Sent by the charge's timer, or by the merchant in the test environment. */
export interface ExpireCharge {
  readonly type: 'ExpireCharge'
  readonly merchant: AccountNumber
  readonly token: string
}

export const CREATE_CHARGE_REJECTIONS = [...MERCHANT_STOPS, 'payment_link_closed', 'limit_exceeded', 'quota_exceeded'] as const

/**
 * Returns `created` and the charge. Rejections: MERCHANT_STOPS, payment_link_closed, limit_exceeded (above `charge_max`), quota_exceeded.
 */
export function decideCreateCharge(
  state: State,
  command: CreateCharge,
  context: Context,
): Decision<(typeof CREATE_CHARGE_REJECTIONS)[number]> {
  const { merchant, token, amount, reference, description, customerTag, checkoutUrl, redirectUrl, webhookUrl, metadata, madeBy } = command
  const { charges } = state
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const maker = makerOf(state, merchant, madeBy, context.timeMs)
  if (maker === null) return { refusal: 'payment_link_closed' }
  const rules = new MovementRules(state, context)
  const breach = rules.chargeBreach(merchant, amount)
  if (breach !== null) return rules.refused(breach, merchant)
  const full = quotaRefusal(state, PENDING_CHARGES, merchant)
  if (full !== null) return full
  assert(charges.pending.get(token) === undefined, 'tokens are unguessable, so they do not repeat')
  const charge: Charge = {
    id: context.newId(),
    token,
    amount,
    currency: state.accounts.currency(merchant),
    fee: 0,
    state: 'pending',
    reference,
    checkout_url: checkoutUrl,
    redirect_url: redirectUrl,
    webhook_url: webhookUrl,
    customer_tag: customerTag,
    expires_at: rfc3339(context.timeMs + CHARGE_VALIDITY_MS),
    description,
    environment: state.accounts.environment(merchant),
    created_at: rfc3339(context.timeMs),
    paid_at: null,
    cancelled_at: null,
    refunded_at: null,
    transaction_id: null,
    refund_transaction_id: null,
    payer_tag: null,
    metadata,
    ...maker,
  }
  return {
    environment: charge.environment,
    events: [event('charge.created', 1, merchant, charge)],
    transactions: [],
    frames: customerFrames(state, charge),
    kind: 'created',
    body: 0,
  }
}

export const CANCEL_CHARGE_REJECTIONS = ['not_found', 'charge_not_pending'] as const

/** Returns `ok` and the charge, also when it was cancelled before. Rejections: not_found, charge_not_pending. */
export function decideCancelCharge(
  state: State,
  command: CancelCharge,
  context: Context,
): Decision<(typeof CANCEL_CHARGE_REJECTIONS)[number]> {
  const found = findCharge(state, command.token, context)
  if (found === null || found.account !== command.merchant) return { refusal: 'not_found' }
  if (found.state === 'cancelled') return unchanged(found)
  if (found.state !== CHARGE_MOVES_FROM.cancelled) return { refusal: 'charge_not_pending' }
  return ended(state, context, found, 'cancelled')
}

export const EXPIRE_CHARGE_REJECTIONS = ['not_found', 'charge_not_pending'] as const

/** Returns `ok` and the charge, also when it had expired before. Rejections: not_found, charge_not_pending. */
export function decideExpireCharge(
  state: State,
  command: ExpireCharge,
  context: Context,
): Decision<(typeof EXPIRE_CHARGE_REJECTIONS)[number]> {
  const found = findCharge(state, command.token, context)
  if (found === null || found.account !== command.merchant) return { refusal: 'not_found' }
  // The record may still be pending; then this command is from its timer.
  if (found.charge.state === 'expired') return unchanged(found)
  if (found.charge.state !== CHARGE_MOVES_FROM.expired) return { refusal: 'charge_not_pending' }
  return ended(state, context, found, 'expired')
}

/** Returns the fields that say who made the charge; null for a link that the account does not have or that takes no payments. */
function makerOf(
  { paymentLinks }: State,
  account: AccountNumber,
  madeBy: CreateCharge['madeBy'],
  nowMs: TimeMs,
): Pick<Charge, 'created_by' | 'payment_link_id' | 'payment_link_created_by'> | null {
  if ('kind' in madeBy) return { created_by: madeBy }
  const row = paymentLinks.rows.get(madeBy.linkId)
  if (row === undefined || row.account !== account || !takesPayments(row, nowMs)) return null
  const { id, description, created_by } = row.link
  return { created_by: { kind: 'link', id, name: description }, payment_link_id: id, payment_link_created_by: created_by }
}

const PAYMENT_REFUSALS = {
  pending: null,
  paid: 'charge_already_paid',
  expired: 'charge_expired',
  cancelled: 'charge_cancelled',
  refunded: 'charge_already_paid',
} as const satisfies Record<ChargeState, ErrorCode | null>

/** Returns why a charge in this state takes no payment, null when it does. */
export function paymentRefusal(state: ChargeState): (typeof PAYMENT_REFUSALS)[ChargeState] {
  return PAYMENT_REFUSALS[state]
}

function ended(state: State, context: Context, found: FoundCharge, move: 'cancelled' | 'expired'): Accepted {
  const { charge } = found
  const cancelled_at = move === 'cancelled' ? rfc3339(context.timeMs) : null
  const next: Charge = { ...charge, state: move, cancelled_at }
  return {
    environment: charge.environment,
    events: chargeMoved(state, context, found, next, move),
    transactions: [],
    frames: customerFrames(state, charge),
    kind: 'ok',
    body: 0,
  }
}

function unchanged({ charge, text }: FoundCharge): Accepted {
  return { environment: charge.environment, events: [], transactions: [], frames: [], kind: 'ok', body: text }
}
