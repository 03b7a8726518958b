// Queries for the webhook events of a merchant, newest first, each with the state of its deliveries. An event of a
// payout or batch without its own record is derived from the payout or batch.
import type { Hit } from '../actor/index-hit.ts'
import type { ListEventsQuery } from '../contract/webhook.ts'
import type { Past } from '../domain/decision.ts'
import { DerivedEvent, derivedOf, isMerchantEvent, merchantEventOf, recordedBeside } from '../domain/merchant-events.ts'
import { batchesIndexKey, batchIndexKey, payoutIndexKey, payoutsIndexKeys } from '../domain/payout/payout-index-keys.ts'
import { payloadOf, type StoredEvent } from '../domain/record.ts'
import { deliveriesOf, deliveryState, eventText } from '../domain/webhook/deliveries.ts'
import {
  type DeliveryAttempt,
  type MerchantEvent,
  type MerchantEventHead,
  type ReopenedDelivery,
  webhookBody,
} from '../domain/webhook/webhook-events.ts'
import { merchantEventIndexKey, merchantEventsIndexKey, undeliveredIndexKey } from '../domain/webhook/webhook-index-keys.ts'
import type { MerchantEventType } from '../domain/webhook/webhook-state.ts'
import { assert } from '../kernel/assert.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import { type Position, sequenceOf } from '../kernel/position.ts'
import { parseRfc3339 } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { OfAccount } from './account-queries.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import { type ListInput, type PageWindow, pageWindow } from './list-page.ts'
import type { OwnId } from './payout-queries.ts'
import type { HistoryReads, Reads } from './reads.ts'

const DELIVERY_EVENTS: ReadonlySet<string> = new Set(['delivery.attempted', 'delivery.reopened'])

/** Maximum of undelivered events that are read one by one. Beyond it the list reads all events. */
const FEW_MAX = 512

/** Returns JSON text of the event for its merchant; null when the account has none with this id. */
export function getWebhookEvent(reads: Reads, { account, id }: OwnId): string | null {
  const hit = webhookEventHit(reads.history, account, id.toLowerCase())
  return hit === null
    ? null
    : listedText(reads, account, { event: eventOf(hit.event, reads.history), position: hit.position, wanted: undefined })
}

export interface SentEvent {
  readonly type: MerchantEventType
  /** JSON text that endpoints receive. */
  readonly body: string
  /** Deliveries planned with the event; the address is null for a delivery to an endpoint. */
  readonly deliveries: readonly { readonly id: string; readonly url: string | null }[]
}

/** Returns the event for endpoints; null when the account has none with this id. */
export function sentEvent({ history }: Reads, { account, id }: OwnId): SentEvent | null {
  const hit = webhookEventHit(history, account, id)
  if (hit === null) return null
  const event = eventOf(hit.event, history)
  return { type: event.type, body: webhookBody(event), deliveries: event.deliveries.map(({ id, url }) => ({ id, url })) }
}

/** Returns the position of the event, which commands take. Null when the account has none with this id. */
export function webhookEventPosition({ history }: Reads, { account, id }: OwnId): Position | null {
  return webhookEventHit(history, account, id.toLowerCase())?.position ?? null
}

/** Returns null when the cursor belongs to another kind of list. */
export function listWebhookEvents(reads: Reads, { account, query }: SliceInput<ListEventsQuery>): DocumentSlice | null {
  const { type, delivery_success } = query
  const window = pageWindow(query)
  if (window === null) return null
  const seen = new SeenEvents(window.below, reads.history)
  return documentSlice(reads.history, query, {
    indexKeys: [eventIndexKeys(account, type)],
    keep: (hit) => hit.event.account === account && isMerchantEvent(hit.event) && seen.isOwn(hit, type),
    current: ({ event, position }) =>
      listedText(reads, account, { event: eventOf(event, reads.history), position, wanted: delivery_success }),
  })
}

/**
 * Returns the positions of all events that have, or once had, an open or failed delivery, newest first; null when
 * there are too many.
 */
export function undeliveredEvents({ state, history }: Reads, { account }: OfAccount): Position[] | null {
  const positions = new Set<Position>()
  for (const id of state.webhooks.openOf(account)) {
    const delivery = state.webhooks.deliveries.get(id)
    if (delivery !== undefined) positions.add(delivery.position)
    if (positions.size > FEW_MAX) return null
  }
  const eventIds = new Set<string>()
  const keep = ({ event }: Hit): boolean => event.account === account && (isMerchantEvent(event) || DELIVERY_EVENTS.has(event.type))
  const { hits, next } = history.page({ indexKeys: [undeliveredIndexKey(account)], keep, limit: FEW_MAX })
  if (next !== null) return null
  for (const { event, position } of hits) {
    for (const displaced of displacedBy(event)) positions.add(displaced)
    if (isMerchantEvent(event)) positions.add(position)
    else if (event.type === 'delivery.attempted') eventIds.add(payloadOf<DeliveryAttempt>(event).event_id)
  }
  for (const id of eventIds) {
    const found = webhookEventHit(history, account, id)
    if (found !== null) positions.add(found.position)
  }
  return [...positions].sort((one, other) => other - one)
}

/** Returns the positions of the events whose deliveries ended for those of this event. */
function displacedBy(event: StoredEvent): Position[] {
  if (event.type === 'delivery.attempted') return []
  const { deliveries = [], displaces } = payloadOf<Partial<MerchantEventHead> & Partial<ReopenedDelivery>>(event)
  return [...deliveries.map((planned) => planned.displaces), displaces].flatMap((displaced) => displaced?.position ?? [])
}

export interface UndeliveredInput extends ListInput<ListEventsQuery> {
  /** Positions from `webhookEvents.undelivered`, newest first. The caller keeps slices short. */
  readonly positions: readonly Position[]
}

/**
 * Returns those of the positions that match the query and whose deliveries have not succeeded. Null for a cursor of
 * another list.
 */
export function undeliveredSlice(reads: Reads, { account, query, positions }: UndeliveredInput): DocumentSlice | null {
  const window = pageWindow(query)
  if (window === null) return null
  const rows: string[] = []
  const rowPositions: Position[] = []
  for (const position of positions) {
    if (position >= (window.below ?? Number.POSITIVE_INFINITY)) continue
    const event = eventOf(reads.history.eventAt(position), reads.history)
    if ((query.type !== undefined && event.type !== query.type) || !isWithin(event, window)) continue
    const text = listedText(reads, account, { event, position, wanted: false })
    if (text === null) continue
    rows.push(text)
    rowPositions.push(position)
  }
  return { rows, positions: rowPositions, candidates: positions.length, nextCursor: null }
}

/** Returns the index keys of events of the type, or of all types. */
export function eventIndexKeys(account: AccountNumber, type?: MerchantEventType): IndexKey[] {
  const recorded = merchantEventsIndexKey(account, type)
  switch (type) {
    case undefined:
      return [recorded, ...payoutsIndexKeys(account).flat(), batchesIndexKey(account)]
    case 'payout.paid':
      return [recorded, ...payoutsIndexKeys(account, { state: 'paid' }).flat()]
    case 'payout.failed':
      return [recorded, ...payoutsIndexKeys(account, { state: 'failed' }).flat()]
    case 'batch.completed':
      return [recorded, batchesIndexKey(account)]
    default:
      return [recorded]
  }
}

/**
 * Drops payouts and batches that have their own event in the same record. That event comes later in the record, so it
 * is read first.
 */
class SeenEvents {
  /**
   * The record in which the slice begins, -1 when it begins with a whole record. The previous slice holds the
   * positions above.
   */
  readonly #cutSequence: number
  readonly #past: Pick<Past, 'eventAt'>
  #sequence = -1
  #recorded = new Set<Position>()

  constructor(below: Position | undefined, past: Pick<Past, 'eventAt'>) {
    this.#past = past
    this.#cutSequence = below === undefined ? -1 : sequenceOf(below)
  }

  /** Returns whether the payout or batch has its own event; false for other types. Hits come newest first. */
  isOwn(hit: Hit, type: MerchantEventType | undefined): boolean {
    const sequence = sequenceOf(hit.position)
    if (sequence !== this.#sequence) {
      this.#sequence = sequence
      this.#recorded = new Set(sequence === this.#cutSequence ? recordedBeside(hit.record) : [])
    }
    const seen = eventOf(hit.event, this.#past)
    if (type !== undefined && seen.type !== type) return false
    if (seen instanceof DerivedEvent) return !this.#recorded.has(hit.position)
    const derived = derivedOf(hit.event)
    if (derived !== null) this.#recorded.add(derived)
    return true
  }
}

function eventOf(event: StoredEvent, past: Pick<Past, 'eventAt'>): MerchantEvent {
  const found = merchantEventOf(event, past)
  assert(found !== null, 'the list holds merchant events')
  return found
}

/** Returns the hit of the merchant's event with this id. */
function webhookEventHit(history: HistoryReads, account: AccountNumber, id: string): Hit | null {
  const isIt = ({ event }: Hit): boolean => event.account === account && merchantEventOf(event, history)?.id === id
  const recorded = history.first(merchantEventIndexKey(id), (hit) => hit.event.type === 'merchant_event.recorded' && isIt(hit))
  if (recorded !== null) return recorded
  const derived = history.byId(payoutIndexKey(id), isIt) ?? history.first(batchIndexKey(id), isIt)
  if (derived === null) return null
  const beside = recordedBeside(derived.record)
  return beside.has(derived.position) ? null : derived
}

interface Listed {
  readonly event: MerchantEvent
  readonly position: Position
  /** True: all deliveries succeeded; false: not all; undefined: either. An event without deliveries is neither. */
  readonly wanted: boolean | undefined
}

function listedText({ state, history }: Reads, account: AccountNumber, { event, position, wanted }: Listed): string | null {
  const deliveries = deliveriesOf(state, history, account, event)
  const waits = state.webhooks.waitsForFanOut(position)
  const outcome = deliveryState(deliveries, waits)
  const isListed = wanted === undefined || ((waits || deliveries.length > 0) && (outcome === 'succeeded') === wanted)
  return isListed ? eventText(event, outcome) : null
}

function isWithin({ created_at }: MerchantEvent, { createdFromMs, createdToMs }: PageWindow): boolean {
  const createdMs = parseRfc3339(created_at)
  return createdMs >= (createdFromMs ?? Number.NEGATIVE_INFINITY) && createdMs < (createdToMs ?? Number.POSITIVE_INFINITY)
}
