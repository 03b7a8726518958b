// Queries for open webhook deliveries: all of them after a start, one by id, those of an endpoint, and the request of
// one.
import { merchantEventOf } from '../domain/merchant-events.ts'
import { type MerchantEvent, webhookBody } from '../domain/webhook/webhook-events.ts'
import type { Delivery } from '../domain/webhook/webhook-state.ts'
import { assert } from '../kernel/assert.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { ById } from './merchant-queries.ts'
import type { Reads } from './reads.ts'

export interface OpenDeliveriesInput {
  /** Number of rows to skip. */
  readonly offset: number
  readonly limit: number
}

/** Lists deliveries in table order. Pages are consistent as long as no delivery ends between two of them. */
export function openDeliveries({ state }: Reads, { offset, limit }: OpenDeliveriesInput): Delivery[] {
  const rows: Delivery[] = []
  let index = 0
  for (const delivery of state.webhooks.deliveries.values()) {
    if (index++ < offset) continue
    if (rows.length === limit) break
    rows.push(delivery)
  }
  return rows
}

/** Returns null when the delivery has succeeded or has failed for good. */
export function openDelivery({ state }: Reads, { id }: ById): Delivery | null {
  return state.webhooks.deliveries.get(id) ?? null
}

export interface OfEndpoint {
  readonly account: AccountNumber
  readonly endpointId: string
}

/** Returns the ids of the open deliveries to an endpoint, among all open ones of the account. */
export function deliveriesOfEndpoint({ state }: Reads, { account, endpointId }: OfEndpoint): string[] {
  return [...state.webhooks.openOf(account)].filter((id) => state.webhooks.deliveries.get(id)?.endpoint_id === endpointId)
}

export interface DeliveryMessage {
  readonly eventId: string
  readonly eventType: MerchantEvent['type']
  /** The signed bytes: exactly this text in UTF-8. */
  readonly body: string
}

/** Returns the request of an open delivery; null when it has ended. */
export function deliveryMessage({ state, history }: Reads, { id }: ById): DeliveryMessage | null {
  const delivery = state.webhooks.deliveries.get(id)
  if (delivery === undefined) return null
  const event = merchantEventOf(history.eventAt(delivery.position), history)
  assert(event !== null, 'a delivery knows its event')
  return { eventId: event.id, eventType: event.type, body: webhookBody(event) }
}
