// Appliers of webhook endpoints and open deliveries.
import { assert } from '../../kernel/assert.ts'
import { positionOf, sequenceOf } from '../../kernel/position.ts'
import { parseRfc3339 } from '../../kernel/time.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type {
  AdvancedFanOut,
  DeliveryAttempt,
  DisplacedDelivery,
  MerchantEventHead,
  PlannedFanOut,
  ReopenedDelivery,
} from './webhook-events.ts'
import { FAN_OUT_PAUSE_MS } from './webhook-limits.ts'
import type { WebhookEndpointRow } from './webhook-state.ts'

export const WEBHOOK_EVENTS = {
  'webhook_endpoint.saved@1': saveEndpoint,
  'webhook_endpoint.deleted@1': deleteEndpoint,
  'merchant_event.recorded@1': openDeliveries,
  'delivery.reopened@1': reopenDelivery,
  'delivery.attempted@1': recordAttempt,
  'fan_out.planned@1': planFanOut,
  'fan_out.advanced@1': advanceFanOut,
} satisfies EventTable

function saveEndpoint(state: State, endpoint: WebhookEndpointRow): void {
  state.webhooks.endpoints.set(endpoint.id, endpoint)
}

/** Deletes the endpoint only. Its open deliveries end one by one: there may be too many for one turn. */
function deleteEndpoint(state: State, { id }: Pick<WebhookEndpointRow, 'id'>): void {
  state.webhooks.endpoints.delete(id)
}

function openDeliveries(state: State, { deliveries }: MerchantEventHead, event: StoredEvent, record: LogRecord): void {
  if (deliveries.length === 0) return
  const position = positionOf(record.sequence, record.events.indexOf(event))
  for (const { id, endpoint_id, url, dropped, displaces } of deliveries) {
    if (dropped === true) continue
    displace(state, displaces)
    state.webhooks.deliveries.set(id, {
      id,
      account: event.account,
      endpoint_id,
      url,
      position,
      attempts: 0,
      nextAttemptMs: record.timeMs,
    })
  }
}

/** Reopens a delivery by hand, in any earlier state. */
function reopenDelivery(state: State, { delivery, displaces }: ReopenedDelivery): void {
  displace(state, displaces)
  state.webhooks.deliveries.set(delivery.id, delivery)
}

function displace({ webhooks }: State, displaced: DisplacedDelivery | undefined): void {
  if (displaced !== undefined && webhooks.deliveries.get(displaced.id) !== undefined) webhooks.deliveries.delete(displaced.id)
}

function recordAttempt(state: State, { delivery_id, attempt, next_attempt_at }: DeliveryAttempt): void {
  const delivery = state.webhooks.deliveries.get(delivery_id)
  if (delivery === undefined) return
  if (next_attempt_at === null) state.webhooks.deliveries.delete(delivery_id)
  else state.webhooks.deliveries.set(delivery_id, { ...delivery, attempts: attempt, nextAttemptMs: parseRfc3339(next_attempt_at) })
}

function planFanOut({ webhooks }: State, { first, end }: PlannedFanOut, { account }: StoredEvent, { timeMs }: LogRecord): void {
  const id = String(sequenceOf(first))
  const dueMs = webhooks.oldestFanOut(account) === undefined ? timeMs : null
  webhooks.fanOuts.set(id, { id, account, next: first, end, dueMs })
}

function advanceFanOut({ webhooks }: State, { id, next }: AdvancedFanOut, _event: StoredEvent, { timeMs }: LogRecord): void {
  const fanOut = webhooks.fanOuts.get(id)
  assert(fanOut !== undefined, 'only a fan-out that goes on advances')
  if (next >= fanOut.end) webhooks.fanOuts.delete(id)
  // Accounts take turns, however many batches each has.
  const goesOn = next >= fanOut.end ? webhooks.oldestFanOut(fanOut.account) : { ...fanOut, next }
  if (goesOn !== undefined) webhooks.fanOuts.set(goesOn.id, { ...goesOn, dueMs: timeMs + FAN_OUT_PAUSE_MS * webhooks.accountsFanningOut })
}
