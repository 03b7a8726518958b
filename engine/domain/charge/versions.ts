// The versions of a charge in the log: how a decision finds the one that counts, and how it writes the next.
import { assert } from '../../kernel/assert.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { FrameType, PlannedFrame } from '../stream/state.ts'
import { chargeTerm } from '../terms.ts'
import { tellMerchant } from '../webhook/merchant-event.ts'
import type { Charge, ChargeMove, ChargeState } from './state.ts'

/** A charge as a turn, or whoever reads, finds it. */
export interface FoundCharge {
  readonly charge: Charge
  /** JSON text of it, as its last record has it. */
  readonly text: string
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

/** Null when nothing goes by that token. */
export function findCharge(state: State, token: string, { past, timeMs }: Pick<Context, 'past' | 'timeMs'>): FoundCharge | null {
  const pending = state.charges.pending.get(token)
  if (pending === undefined) return finishedCharge(past, token)
  const created = past.eventAt(pending.position)
  const charge = payloadOf<Charge>(created)
  assert(charge.token === token, 'a pending charge knows its position')
  return { charge, text: created.text, account: pending.account, state: pending.expires_at_ms <= timeMs ? 'expired' : 'pending' }
}

/** JSON text of the charge in the state that it has by the clock: its record says pending until its timer has fired. */
export function shownText({ charge, text, state }: FoundCharge): string {
  return charge.state === state ? text : JSON.stringify({ ...charge, state })
}

function finishedCharge(past: Past, token: string): FoundCharge | null {
  const found = past.latest(chargeTerm(token), (event) => isChargeVersion(event, token))
  if (found === null) return null
  const charge = payloadOf<Charge>(found)
  return { charge, text: found.text, account: found.account, state: charge.state }
}

/** The next version, and what the merchant is told of it. The version comes first. */
export function chargeMoved(state: State, context: Context, account: AccountNumber, charge: Charge, move: ChargeMove): StoredEvent[] {
  const told = tellMerchant(state, context, {
    account,
    type: move === 'paid' ? 'charge.succeeded' : `charge.${move}`,
    data: toldData(state, account, charge),
    ...(move === 'paid' && charge.webhook_url !== '' ? { onlyTo: charge.webhook_url } : {}),
  })
  return [event(`charge.${move}`, 1, account, charge), ...told]
}

/** What webhooks carry: the fields of `charge.succeeded`, then the times of what can follow a payment or take its place. */
function toldData(state: State, account: AccountNumber, charge: Charge): object {
  const { id, token, amount, currency, reference, description, customer_tag, payer_tag, transaction_id } = charge
  const merchant = state.merchants.byAccount(account)
  assert(merchant !== undefined, 'a charge belongs to a merchant')
  const { environment, metadata, paid_at, created_at, cancelled_at, refunded_at, refund_transaction_id } = charge
  const succeeded = {
    ...{ id, token, amount, currency, state: charge.state, reference, description, customer_tag, payer_tag, transaction_id },
    ...{ merchant_id: merchant.id, environment, metadata, paid_at, created_at },
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
