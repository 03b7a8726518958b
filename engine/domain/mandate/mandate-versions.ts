// The versions of a mandate in the log: how a decision finds the one that counts, and how it writes the next. The first has the
// whole mandate; the others hold what changed.
import { assert } from '../../kernel/assert.ts'
import { type Position, positionOf } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import { mandateIndexKey } from './mandate-index-keys.ts'
import {
  MANDATE_MOVES,
  MANDATE_MOVES_FROM,
  type Mandate,
  type MandateChange,
  type MandateMove,
  type MandatePayment,
  type MandateState,
  type MandateVersion,
} from './mandate-state.ts'
import { dueAt } from './mandate-times.ts'

/** The current version of a mandate. */
export interface FoundMandate extends MandateVersion {
  /** Account number of the merchant. */
  readonly account: AccountNumber
  /** Position of `mandate.created`: the next change names it. */
  readonly createdPosition: Position
}

const TYPES: ReadonlySet<string> = new Set(['mandate.created', ...MANDATE_MOVES.map((move) => `mandate.${move}`)])

export function isMandateVersion(found: StoredEvent): boolean {
  return TYPES.has(found.type)
}

/** Null when there is none with this id. */
export function findMandate(state: State, past: Past, id: string): FoundMandate | null {
  const live = state.mandates.live.get(id)
  const found =
    live === undefined
      ? past.newest(mandateIndexKey(id), (candidate) => isMandateVersion(candidate) && mandateIdOf(candidate) === id)
      : { position: live.position, event: past.eventAt(live.position) }
  if (found === null) return null
  const { event, position } = found
  const version = versionOf(event, past)
  assert(version.mandate.id === id, 'a live mandate knows its newest version')
  const createdPosition = event.type === 'mandate.created' ? position : payloadOf<MandateChange>(event).created_position
  return { ...version, account: event.account, createdPosition }
}

/** Of any version, without reading another. */
export function mandateIdOf(version: StoredEvent): string {
  return payloadOf<MandateVersion | MandateChange>(version).mandate.id
}

/** What was collected or tried in this version, without reading another; null where it is about something else. */
export function paymentOf(version: StoredEvent): MandatePayment | null {
  return payloadOf<MandateVersion | MandateChange>(version).payment
}

function versionOf(event: StoredEvent, past: Pick<Past, 'eventAt'>): MandateVersion {
  if (event.type === 'mandate.created') return payloadOf<MandateVersion>(event)
  const { created_position, mandate: changes, ...rest } = payloadOf<MandateChange>(event)
  const { mandate: created } = payloadOf<MandateVersion>(past.eventAt(created_position))
  assert(created.id === changes.id, 'a change of a mandate knows where the mandate was created')
  // Keys keep the order of the creation, so all versions of a mandate read alike.
  return { mandate: { ...created, ...changes }, ...rest }
}

const mandateText = (event: StoredEvent, past: Pick<Past, 'eventAt'>): string => JSON.stringify(versionOf(event, past).mandate)

/** Data of the webhook event of a change: the mandate, and the payment that the change is about. */
export function mandateEventData(event: StoredEvent, past: Pick<Past, 'eventAt'>): object {
  const { mandate, payment } = versionOf(event, past)
  return payment === null ? mandate : { ...mandate, payment }
}

/** Events whose text is not the mandate. */
export const MANDATE_DOCUMENTS = {
  'mandate.approved@1': mandateText,
  'mandate.rejected@1': mandateText,
  'mandate.cancelled@1': mandateText,
  'mandate.charged@1': mandateText,
  'mandate.charge_failed@1': mandateText,
  'mandate.paused@1': mandateText,
  'mandate.expired@1': mandateText,
} as const

export function mayMove(state: MandateState, move: MandateMove): boolean {
  return (MANDATE_MOVES_FROM[move] as readonly MandateState[]).includes(state)
}

/** What endpoints may ask for. */
const WEBHOOK_TYPES = {
  approved: 'mandate.approved',
  rejected: 'mandate.rejected',
  paused: 'mandate.paused',
  cancelled: 'mandate.cancelled',
  charged: 'mandate.charged',
} as const

export interface NextVersion extends Partial<Pick<MandateVersion, 'anchor_at' | 'occurrence_at' | 'collected'>> {
  readonly mandate: Mandate
  readonly payment?: MandatePayment
}

/** Returns the change event of `next`, then the webhook events of the change. They begin the record. */
export function mandateMoved(state: State, context: Context, found: FoundMandate, move: MandateMove, next: NextVersion): StoredEvent[] {
  const { account, customer } = found
  const { mandate, payment = null, anchor_at = found.anchor_at, occurrence_at = found.occurrence_at, collected = found.collected } = next
  const { id, state: moved, next_charge_at, payments_count, failed_attempts, approved_at, cancelled_at } = mandate
  const change: MandateChange = {
    mandate: { id, state: moved, next_charge_at, payments_count, failed_attempts, approved_at, cancelled_at },
    ...{ customer, anchor_at, occurrence_at, due_at: dueAt(mandate), payment },
    created_position: found.createdPosition,
    ...(collected === undefined ? {} : { collected }),
  }
  const written = event(`mandate.${move}`, 1, account, change)
  const type = WEBHOOK_TYPES[move as keyof typeof WEBHOOK_TYPES] as (typeof WEBHOOK_TYPES)[keyof typeof WEBHOOK_TYPES] | undefined
  if (type === undefined) return [written]
  const about = { document_position: positionOf(context.sequence, 0) }
  return [written, ...outboxEvents(state, context, { account, type, about })]
}

/** A decision that moves no money. `body`: what is answered, or the index of the event whose mandate it is. */
export function answered(found: FoundMandate, events: readonly StoredEvent[], body: object | number): Accepted {
  const text = typeof body === 'number' ? body : JSON.stringify(body)
  return { environment: found.mandate.environment, events, transactions: [], frames: [], kind: 'ok', body: text }
}
