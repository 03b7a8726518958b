// The state of an event's deliveries, from live state (open ones) and the log (ended ones).
import type { EVENT_DELIVERY_STATES } from '../../contract/webhook.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Past } from '../decision.ts'
import { DerivedEvent } from '../merchant-events.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { DeliveryAttempt, MerchantEvent, ReopenedDelivery } from './webhook-events.ts'
import { deliveryIndexKey } from './webhook-index-keys.ts'
import { type Delivery, PING } from './webhook-state.ts'

/** State of an event: `pending` while a delivery is pending, else the worst state of its deliveries; `none` without any. */
export type DeliveryState = (typeof EVENT_DELIVERY_STATES)[number]

/** A delivery of an event, started or not. */
export interface KnownDelivery extends Pick<Delivery, 'endpoint_id' | 'url'> {
  readonly id: string
  readonly attempts: number
  /** `none`: the quota had no room for it, or a newer one took its place. */
  readonly state: DeliveryState
  /** The open delivery; null when it is not open. */
  readonly open: Delivery | null
}

/** Returns the deliveries planned with the event, then those that a redelivery started for newer endpoints. */
export function deliveriesOf(state: State, past: Past, account: AccountNumber, event: MerchantEvent): KnownDelivery[] {
  const known = event.deliveries.map((planned): KnownDelivery => {
    const open = state.webhooks.deliveries.get(planned.id) ?? null
    if (open !== null) return { ...addressOf(open), id: open.id, attempts: open.attempts, state: 'pending', open }
    const never: KnownDelivery = { ...addressOf(planned), id: planned.id, attempts: 0, state: 'none', open: null }
    return { ...never, ...ended(lastOf(past, event.id, planned.endpoint_id)), ...addressOf(planned) }
  })
  const isOneOff = event.deliveries.some(({ endpoint_id }) => endpoint_id === null)
  if (isOneOff || event.type === PING) return known
  for (const { id } of state.webhooks.endpointsOf(account)) {
    if (known.some(({ endpoint_id }) => endpoint_id === id)) continue
    const last = lastOf(past, event.id, id)
    if (last === null) continue
    const open = state.webhooks.deliveries.get(last.id) ?? null
    known.push(open === null ? ended(last) : { ...last, attempts: open.attempts, state: 'pending', open })
  }
  return known
}

/** `waits`: deliveries that a fan-out has not opened yet are pending. */
export function deliveryState(deliveries: readonly KnownDelivery[], waits: boolean): DeliveryState {
  if (waits) return 'pending'
  if (deliveries.length === 0) return 'none'
  const has = (wanted: DeliveryState): boolean => deliveries.some(({ state }) => state === wanted)
  return (['pending', 'failed', 'none'] as const).find(has) ?? 'succeeded'
}

/** A delivery that is not open and whose last record leaves it pending was displaced. */
function ended<Known extends KnownDelivery | null>(last: Known): Known {
  return last?.state === 'pending' ? { ...last, state: 'none' } : last
}

/** Returns JSON text of the event for its merchant. */
export function eventText(event: MerchantEvent, deliveryState: DeliveryState): string {
  const { id, type, environment, created_at } = event
  const data = event instanceof DerivedEvent ? event.dataText : JSON.stringify(event.data)
  return `{"id":"${id}","type":"${type}","environment":"${environment}","created_at":"${created_at}","data":${data},"delivery_state":"${deliveryState}"}`
}

/** Returns the newest record of the event's delivery to this endpoint; null when it was never started. */
function lastOf(past: Past, eventId: string, endpointId: string | null): KnownDelivery | null {
  const found = past.latest(deliveryIndexKey(eventId, endpointId), (event) => isOf(event, eventId, endpointId))
  if (found === null) return null
  if (found.type === 'delivery.reopened') {
    const { delivery } = payloadOf<ReopenedDelivery>(found)
    return { ...addressOf(delivery), id: delivery.id, attempts: delivery.attempts, state: 'pending', open: null }
  }
  const { delivery_id, attempt, state } = payloadOf<DeliveryAttempt>(found)
  return { endpoint_id: endpointId, url: null, id: delivery_id, attempts: attempt, state, open: null }
}

function isOf(event: StoredEvent, eventId: string, endpointId: string | null): boolean {
  if (event.type === 'delivery.reopened') {
    const { event_id, delivery } = payloadOf<ReopenedDelivery>(event)
    return event_id === eventId && delivery.endpoint_id === endpointId
  }
  if (event.type !== 'delivery.attempted') return false
  const { event_id, endpoint_id } = payloadOf<DeliveryAttempt>(event)
  return event_id === eventId && endpoint_id === endpointId
}

function addressOf({ endpoint_id, url }: Pick<Delivery, 'endpoint_id' | 'url'>): Pick<Delivery, 'endpoint_id' | 'url'> {
  return { endpoint_id, url }
}
