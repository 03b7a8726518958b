// The versions of a charge in the log: how a decision finds the one that counts, and how it writes the next. The first is
// whole; the others hold what changed. Logs of release 1.0.0 hold whole versions only, and read the same.
import { assert } from '../../kernel/assert.ts'
import { type Position, positionOf } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { FrameType, PlannedFrame } from '../stream/stream-state.ts'
import { chargeTerm } from '../terms.ts'
import { tellMerchant } from '../webhook/merchant-event.ts'
import type { Charge, ChargeChange, ChargeMove, ChargeState } from './charge-state.ts'

/** A charge as a turn, or whoever reads, finds it. */
export interface FoundCharge {
  readonly charge: Charge
  /** JSON text of it, as its last record has it. */
  readonly text: string
  /** Of a version that is written whole: the next change names it. */
  readonly wholePosition: Position
  /** The merchant's. */
  readonly account: AccountNumber
  /** A pending charge past its time is expired, whether its timer has fired or not. */
  readonly state: ChargeState
}

const TYPES: ReadonlySet<string> = new Set(['charge.created', 'charge.paid', 'charge.expired', 'charge.cancelled', 'charge.refunded'])

/** Whether the event is a version of a charge, of the one that goes by `token` where one is given. */
export function isChargeVersion(event: StoredEvent, token?: string): boolean {
  return TYPES.has(event.type) && (token === undefined || payloadOf<Charge>(event).token === token)
}

/** The charge as this version of it has it. */
export function chargeOf(event: StoredEvent, past: Pick<Past, 'eventAt'>): Charge {
  return event.version === 1 ? payloadOf<Charge>(event) : changedCharge(event, past)
}

function changedCharge(event: StoredEvent, past: Pick<Past, 'eventAt'>): Charge {
  const { id, whole_position, ...changes } = payloadOf<ChargeChange>(event)
  const whole = payloadOf<Charge>(past.eventAt(whole_position))
  assert(whole.id === id, 'a change of a charge knows where the charge is written whole')
  // The keys keep the order of the whole version, so the text of a charge reads the same whichever way it was written.
  return { ...whole, ...changes }
}

const changedText = (event: StoredEvent, past: Pick<Past, 'eventAt'>): string => JSON.stringify(changedCharge(event, past))

/** Events whose text is not the charge. */
export const CHARGE_DOCUMENTS = {
  'charge.paid@2': changedText,
  'charge.expired@2': changedText,
  'charge.cancelled@2': changedText,
  'charge.refunded@2': changedText,
} as const

/** Null when nothing goes by that token. */
export function findCharge(state: State, token: string, { past, timeMs }: Pick<Context, 'past' | 'timeMs'>): FoundCharge | null {
  const pending = state.charges.pending.get(token)
  if (pending === undefined) return finishedCharge(past, token)
  const created = past.eventAt(pending.position)
  const charge = payloadOf<Charge>(created)
  assert(charge.token === token, 'a pending charge knows its position')
  const { account, position: wholePosition, expires_at_ms } = pending
  return { charge, text: created.text, wholePosition, account, state: expires_at_ms <= timeMs ? 'expired' : 'pending' }
}

/** JSON text of the charge in the state that it has by the clock: its record says pending until its timer has fired. */
export function shownText({ charge, text, state }: FoundCharge): string {
  return charge.state === state ? text : JSON.stringify({ ...charge, state })
}

function finishedCharge(past: Past, token: string): FoundCharge | null {
  const found = past.newest(chargeTerm(token), (event) => isChargeVersion(event, token))
  if (found === null) return null
  const { event, position } = found
  if (event.version === 1) {
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
  const told = tellMerchant(state, context, {
    account,
    type: move === 'paid' ? 'charge.succeeded' : `charge.${move}`,
    about: { document_position: positionOf(context.sequence, 0), merchant_id: merchantIdOf(state, account) },
    ...(move === 'paid' && charge.webhook_url !== '' ? { onlyTo: charge.webhook_url } : {}),
  })
  return [event(`charge.${move}`, 2, account, changeTo(charge, wholePosition)), ...told]
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

/** Data of the webhook event of a change: the fields of `charge.succeeded`, then the times of what can follow a payment or take its place. */
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

/** Tells the one customer that the charge is for, when that wallet exists. */
export function customerFrames(state: State, { environment, customer_tag }: Charge): PlannedFrame[] {
  const wallet = customer_tag === '' ? undefined : state.wallets.byTag(environment, customer_tag)
  return wallet === undefined ? [] : [chargeFrame(wallet.account)]
}

const UPDATED: FrameType = 'charge.updated'

export function chargeFrame(wallet: AccountNumber): PlannedFrame {
  return { account: wallet, type: UPDATED, eventIndex: 0 }
}
