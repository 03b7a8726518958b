// Versions of a charge in the log: finds the current one, and writes the next. The first is whole; the others hold
// what changed. Logs of release 1.0.0 hold whole versions only, and are read the same way.
import { assert } from '../../kernel/assert.ts'
import { type Position, positionOf } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { FrameType, PlannedFrame } from '../stream/stream-state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import { chargeIndexKey } from './charge-index-keys.ts'
import type { Charge, ChargeChange, ChargeMove, ChargeState } from './charge-state.ts'

/** The current version of a charge. */
export interface FoundCharge {
  readonly charge: Charge
  /** JSON text of its latest record. */
  readonly text: string
  /** Position of a whole version; the next change refers to it. */
  readonly wholePosition: Position
  /** Account number of the merchant. */
  readonly account: AccountNumber
  /** A pending charge past its time is expired, even before its timer fires. */
  readonly state: ChargeState
}

const TYPES: ReadonlySet<string> = new Set(['charge.created', 'charge.paid', 'charge.expired', 'charge.cancelled', 'charge.refunded'])

/** Returns whether the event is a version of a charge, of the one with `token` if given. */
export function isChargeVersion(event: StoredEvent, token?: string): boolean {
  return TYPES.has(event.type) && (token === undefined || payloadOf<Charge>(event).token === token)
}

/** Returns the charge in this version. */
export function chargeOf(event: StoredEvent, past: Pick<Past, 'eventAt'>): Charge {
  return isWhole(event) ? payloadOf<Charge>(event) : changedCharge(event, past)
}

/** Whether the event has the whole charge and not only what changed. */
function isWhole({ type, version }: StoredEvent): boolean {
  return version === 1 || type === 'charge.created'
}

function changedCharge(event: StoredEvent, past: Pick<Past, 'eventAt'>): Charge {
  const { id, whole_position, ...changes } = payloadOf<ChargeChange>(event)
  const whole = payloadOf<Charge>(past.eventAt(whole_position))
  assert(whole.id === id, 'a change of a charge knows where the charge is written whole')
  // Keys keep the order of the whole version, so the text is the same for whole and changed versions.
  return { ...whole, ...changes }
}

const changedText = (event: StoredEvent, past: Pick<Past, 'eventAt'>): string => JSON.stringify(changedCharge(event, past))

/** Readers of the events whose text is not the charge. */
export const CHARGE_DOCUMENTS = {
  'charge.paid@2': changedText,
  'charge.expired@2': changedText,
  'charge.cancelled@2': changedText,
  'charge.refunded@2': changedText,
} as const

/** Returns null when no charge has the token. */
export function findCharge(state: State, token: string, { past, timeMs }: Pick<Context, 'past' | 'timeMs'>): FoundCharge | null {
  const pending = state.charges.pending.get(token)
  if (pending === undefined) return finishedCharge(past, token)
  const created = past.eventAt(pending.position)
  const charge = payloadOf<Charge>(created)
  assert(charge.token === token, 'a pending charge knows its position')
  const { account, position: wholePosition, expires_at_ms } = pending
  return { charge, text: created.text, wholePosition, account, state: expires_at_ms <= timeMs ? 'expired' : 'pending' }
}

/** Returns JSON text of the charge in its state by the clock. Its record stays pending until its timer fires. */
export function shownText({ charge, text, state }: FoundCharge): string {
  return charge.state === state ? text : JSON.stringify({ ...charge, state })
}

function finishedCharge(past: Past, token: string): FoundCharge | null {
  const found = past.newest(chargeIndexKey(token), (event) => isChargeVersion(event, token))
  if (found === null) return null
  const { event, position } = found
  if (isWhole(event)) {
    const charge = payloadOf<Charge>(event)
    return { charge, text: event.text, wholePosition: position, account: event.account, state: charge.state }
  }
  const charge = changedCharge(event, past)
  const wholePosition = payloadOf<ChargeChange>(event).whole_position
  return { charge, text: JSON.stringify(charge), wholePosition, account: event.account, state: charge.state }
}

/** Returns the change event of `charge`, then the webhook events of the change. They begin the record. */
export function chargeMoved(state: State, context: Context, found: FoundCharge, charge: Charge, move: ChargeMove): StoredEvent[] {
  const { account, wholePosition } = found
  const webhookEvents = outboxEvents(state, context, {
    account,
    type: move === 'paid' ? 'charge.succeeded' : `charge.${move}`,
    about: { document_position: positionOf(context.sequence, 0), merchant_id: merchantIdOf(state, account) },
    ...(move === 'paid' && charge.webhook_url !== '' ? { onlyTo: charge.webhook_url } : {}),
  })
  return [event(`charge.${move}`, 2, account, changeTo(charge, wholePosition)), ...webhookEvents]
}

function changeTo(charge: Charge, whole_position: Position): ChargeChange {
  const { id, token, state, paid_at, cancelled_at, refunded_at, transaction_id, refund_transaction_id, payer_tag } = charge
  const times = { paid_at, cancelled_at, refunded_at }
  return { id, token, state, ...times, transaction_id, refund_transaction_id, payer_tag, whole_position }
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
  return charge.state === 'refunded' ? { ...succeeded, refunded_at, refund_transaction_id } : succeeded
}

/** Returns the frame for the wallet that the charge is for, when that wallet exists. */
export function customerFrames(state: State, { environment, customer_tag }: Charge): PlannedFrame[] {
  const wallet = customer_tag === '' ? undefined : state.wallets.byTag(environment, customer_tag)
  return wallet === undefined ? [] : [chargeFrame(wallet.account)]
}

const UPDATED: FrameType = 'charge.updated'

export function chargeFrame(wallet: AccountNumber): PlannedFrame {
  return { account: wallet, type: UPDATED, eventIndex: 0 }
}
