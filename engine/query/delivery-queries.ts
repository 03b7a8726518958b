// Queries for open webhook deliveries: all of them after a start, one by id, those of an endpoint, and what one sends.
import { merchantEventOf } from '../domain/merchant-events.ts'
import { type MerchantEvent, webhookBody } from '../domain/webhook/webhook-events.ts'
import type { Delivery } from '../domain/webhook/webhook-state.ts'
import { assert } from '../kernel/assert.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { ById } from './merchant-queries.ts'
import type { Reads } from './reads.ts'

export interface OpenDeliveriesInput {
  /** Rows that are skipped. */
  readonly offset: number
  readonly limit: number
}

/** In the order of their table. Pages fit together as long as no delivery ends between two of them. */
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

/** Null when the delivery has succeeded or has failed for good. */
export function openDelivery({ state }: Reads, { id }: ById): Delivery | null {
  return state.webhooks.deliveries.get(id) ?? null
}

export interface OfEndpoint {
  readonly account: AccountNumber
  readonly endpointId: string
}

/** Ids of the open deliveries to an endpoint. There is a maximum of those (see webhook-limits.ts). */
export function deliveriesOfEndpoint({ state }: Reads, { account, endpointId }: OfEndpoint): string[] {
  return [...state.webhooks.openBeside({ account, endpoint_id: endpointId })]
}

export interface DeliveryMessage {
  readonly eventId: string
  readonly eventType: MerchantEvent['type']
  /** The bytes that are signed: exactly this text in UTF-8. */
  readonly body: string
}

/** What an open delivery sends; null when it is not open any more. */
export function deliveryMessage({ state, history }: Reads, { id }: ById): DeliveryMessage | null {
  const delivery = state.webhooks.deliveries.get(id)
  if (delivery === undefined) return null
  const event = merchantEventOf(history.eventAt(delivery.position), history)
  assert(event !== null, 'a delivery knows its event')
  return { eventId: event.id, eventType: event.type, body: webhookBody(event) }
}
