// Versions of a charge in the log: finds the current one, and writes the next. The first has the whole charge; the others
// hold what changed.
import type { RefundedFor } from '../../contract/payment-reason.ts'
import { assert } from '../../kernel/assert.ts'
import { type Position, positionOf } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent, textOf } from '../record.ts'
import type { FeeTerms } from '../rules/fees.ts'
import type { State } from '../state.ts'
import { plannedFrame } from '../stream/stream-frames.ts'
import type { PlannedFrame } from '../stream/stream-state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import { chargeIndexKey } from './charge-index-keys.ts'
import type { Charge, ChargeChange, ChargeMove, ChargeState, ChargeWithTerms } from './charge-state.ts'

/** The current version of a charge. */
export interface FoundCharge {
  readonly charge: Charge
  /** JSON text of its latest record. */
  readonly text: string
  /** Position of `charge.created`; the next change refers to it. */
  readonly createdPosition: Position
  /** Account number of the merchant. */
  readonly account: AccountNumber
  /** A pending charge past its time is expired, even before its timer fires. */
  readonly state: ChargeState
  /** What a refund needs of the fee; absent without one. */
  readonly feeTerms?: FeeTerms
}

const TYPES: ReadonlySet<string> = new Set(['charge.created', 'charge.paid', 'charge.expired', 'charge.cancelled', 'charge.refunded'])

/** Returns whether the event is a version of a charge, of the one with `token` if given. */
export function isChargeVersion(event: StoredEvent, token?: string): boolean {
  return TYPES.has(event.type) && (token === undefined || payloadOf<Charge>(event).token === token)
}

/** Whether the key, member or link with this id made the charge, or the payment link that made it. */
export function isMadeBy(
  { created_by, payment_link_created_by }: Pick<Charge, 'created_by' | 'payment_link_created_by'>,
  id: string,
): boolean {
  return created_by.id === id || payment_link_created_by?.id === id
}

/** Returns the charge in this version. */
export function chargeOf(event: StoredEvent, past: Pick<Past, 'eventAt'>): Charge {
  return event.type === 'charge.created' ? payloadOf<Charge>(event) : changedCharge(event, past)
}

function changedCharge(event: StoredEvent, past: Pick<Past, 'eventAt'>): Charge {
  const { id, created_position, fee_terms: _, ...changes } = payloadOf<ChargeChange>(event)
  const created = payloadOf<Charge>(past.eventAt(created_position))
  assert(created.id === id, 'a change of a charge knows where the charge was created')
  // Keys keep the order of the creation, so all versions of a charge read alike.
  return { ...created, ...changes }
}

const changedText = (event: StoredEvent, past: Pick<Past, 'eventAt'>): string => JSON.stringify(changedCharge(event, past))

/** Readers of the events whose text is not the charge. */
export const CHARGE_DOCUMENTS = {
  'charge.paid@1': changedText,
  'charge.expired@1': changedText,
  'charge.cancelled@1': changedText,
  'charge.refunded@1': changedText,
} as const

/** Returns null when no charge has the token. */
export function findCharge(state: State, token: string, { past, timeMs }: Pick<Context, 'past' | 'timeMs'>): FoundCharge | null {
  const pending = state.charges.pending.get(token)
  if (pending === undefined) return finishedCharge(past, token)
  const created = past.eventAt(pending.position)
  const charge = payloadOf<Charge>(created)
  assert(charge.token === token, 'a pending charge knows its position')
  const { account, position: createdPosition, expires_at_ms } = pending
  return { charge, text: textOf(created), createdPosition, account, state: expires_at_ms <= timeMs ? 'expired' : 'pending' }
}

/** Returns JSON text of the charge in its state by the clock. Its record stays pending until its timer fires. */
export function shownText({ charge, text, state }: FoundCharge): string {
  return charge.state === state ? text : JSON.stringify({ ...charge, state })
}

function finishedCharge(past: Past, token: string): FoundCharge | null {
  const event = past.latest(chargeIndexKey(token), (one) => isChargeVersion(one, token))
  if (event === null) return null
  assert(event.type !== 'charge.created', 'a charge that only was created is pending')
  const charge = changedCharge(event, past)
  const { created_position: createdPosition, fee_terms: feeTerms } = payloadOf<ChargeChange>(event)
  const found = { charge, text: JSON.stringify(charge), createdPosition, account: event.account, state: charge.state }
  return feeTerms === undefined ? found : { ...found, feeTerms }
}

/** Returns the change event of `charge`, then the webhook events of the change. They begin the record, behind `before` other events. */
export function chargeMoved(
  state: State,
  context: Context,
  found: FoundCharge,
  charge: ChargeWithTerms,
  move: ChargeMove,
  before = 0,
): StoredEvent[] {
  const { account, createdPosition } = found
  const webhookEvents = outboxEvents(state, context, {
    account,
    type: move === 'paid' ? 'charge.succeeded' : `charge.${move}`,
    about: { document_position: positionOf(context.sequence, before), merchant_id: merchantIdOf(state, account) },
    ...(move === 'paid' && charge.webhook_url !== '' ? { onlyTo: charge.webhook_url } : {}),
  })
  return [event(`charge.${move}`, 1, account, changeTo(charge, createdPosition)), ...webhookEvents]
}

function changeTo(charge: ChargeWithTerms, created_position: Position): ChargeChange {
  const { id, token, state, paid_at, cancelled_at, refunded_at, transaction_id, refund_transaction_id, payer_tag, fee, fee_terms } = charge
  const times = { paid_at, cancelled_at, refunded_at }
  const terms = fee_terms === undefined ? {} : { fee_terms }
  return {
    id,
    token,
    state,
    ...times,
    transaction_id,
    refund_transaction_id,
    payer_tag,
    fee,
    ...reasonOf(charge),
    ...terms,
    created_position,
  }
}

function reasonOf({ refund_reason, refund_text }: RefundedFor): RefundedFor {
  return {
    ...(refund_reason === undefined ? {} : { refund_reason }),
    ...(refund_text === undefined ? {} : { refund_text }),
  }
}

function merchantIdOf(state: State, account: AccountNumber): string {
  const merchant = state.merchants.byAccount(account)
  assert(merchant !== undefined, 'a charge belongs to a merchant')
  return merchant.id
}

/**
 * Returns the data of the webhook event of a change: the fields of `charge.succeeded`, then the times of later or
 * alternative states.
 */
export function chargeEventData(event: StoredEvent, past: Pick<Past, 'eventAt'>, merchant_id: string): object {
  const charge = chargeOf(event, past)
  const { id, token, amount, currency, reference, description, customer_tag, payer_tag, transaction_id } = charge
  const { environment, metadata, paid_at, created_at, cancelled_at, refunded_at, refund_transaction_id } = charge
  const succeeded = {
    ...{ id, token, amount, currency, state: charge.state, reference, description, customer_tag, payer_tag, transaction_id },
    ...{ merchant_id, environment, metadata, paid_at, created_at },
  }
  if (charge.state === 'cancelled') return { ...succeeded, cancelled_at }
  return charge.state === 'refunded' ? { ...succeeded, refunded_at, refund_transaction_id, ...reasonOf(charge) } : succeeded
}

/** Returns the frame for the wallet that the charge is for, when that wallet exists. */
export function customerFrames(state: State, { environment, customer_tag }: Charge): PlannedFrame[] {
  const wallet = customer_tag === '' ? undefined : state.wallets.byTag(environment, customer_tag)
  return wallet === undefined ? [] : [chargeFrame(wallet.account)]
}

export function chargeFrame(wallet: AccountNumber): PlannedFrame {
  return plannedFrame(wallet, 'charge.updated', 0)
}
