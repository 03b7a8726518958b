// How endpoints and open deliveries change.
import { parseRfc3339 } from '../../kernel/time.ts'
import type { EventTable } from '../event-table.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { MerchantEvent } from './merchant-event.ts'
import type { Delivery, WebhookEndpoint } from './state.ts'

/** Version 1 of `delivery.attempted`: one row of the delivery log, and what becomes of the delivery. */
export interface DeliveryAttempt {
  readonly id: string
  readonly delivery_id: string
  readonly event_id: string
  readonly endpoint_id: string | null
  readonly attempt: number
  readonly http_status: number | null
  readonly error: string | null
  readonly duration_ms: number
  readonly state: 'succeeded' | 'failed' | 'pending'
  readonly next_attempt_at: string | null
  readonly created_at: string
}

export const WEBHOOK_EVENTS = {
  'webhook_endpoint.saved@1': saveEndpoint,
  'webhook_endpoint.deleted@1': deleteEndpoint,
  'merchant_event.recorded@1': openDeliveries,
  'delivery.reopened@1': reopenDelivery,
  'delivery.attempted@1': recordAttempt,
} satisfies EventTable

function saveEndpoint(state: State, endpoint: WebhookEndpoint): void {
  state.webhooks.endpoints.set(endpoint.id, endpoint)
}

/** Its open deliveries end with it. */
function deleteEndpoint(state: State, { id }: Pick<WebhookEndpoint, 'id'>): void {
  state.webhooks.endpoints.delete(id)
  for (const delivery of [...state.webhooks.deliveries.values()]) {
    if (delivery.endpoint_id === id) state.webhooks.deliveries.delete(delivery.id)
  }
}

function openDeliveries(state: State, merchantEvent: MerchantEvent, event: StoredEvent, record: LogRecord): void {
  const { id: event_id, type } = merchantEvent
  for (const { id, endpoint_id, url } of merchantEvent.deliveries) {
    state.webhooks.deliveries.set(id, {
      id,
      event_id,
      type,
      account: event.account,
      endpoint_id,
      url,
      sequence: record.sequence,
      eventIndex: record.events.indexOf(event),
      attempts: 0,
      nextAttemptMs: record.timeMs,
    })
  }
}

/** By hand: the same delivery once more, whatever became of it before. */
function reopenDelivery(state: State, delivery: Delivery): void {
  state.webhooks.deliveries.set(delivery.id, delivery)
}

function recordAttempt(state: State, attempt: DeliveryAttempt): void {
  const delivery = state.webhooks.deliveries.get(attempt.delivery_id)
  if (delivery === undefined) return
  if (attempt.next_attempt_at === null) state.webhooks.deliveries.delete(delivery.id)
  else
    state.webhooks.deliveries.set(delivery.id, {
      ...delivery,
      attempts: attempt.attempt,
      nextAttemptMs: parseRfc3339(attempt.next_attempt_at),
    })
}
