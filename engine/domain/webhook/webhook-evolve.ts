// Appliers of webhook endpoints and open deliveries.
import { assert } from '../../kernel/assert.ts'
import { positionOf, sequenceOf } from '../../kernel/position.ts'
import { parseRfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
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
import { FAN_OUT_AHEAD, FAN_OUT_PAUSE_MS, FAN_OUT_WAIT_MS } from './webhook-limits.ts'
import type { WebhookEndpointRow, Webhooks } from './webhook-state.ts'

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

function recordAttempt({ webhooks }: State, result: DeliveryAttempt, { account }: StoredEvent, { timeMs }: LogRecord): void {
  const { delivery_id, endpoint_id, attempt, next_attempt_at } = result
  const delivery = webhooks.deliveries.get(delivery_id)
  if (delivery === undefined) return
  if (next_attempt_at === null) webhooks.deliveries.delete(delivery_id)
  else webhooks.deliveries.set(delivery_id, { ...delivery, attempts: attempt, nextAttemptMs: parseRfc3339(next_attempt_at) })
  if (attempt === 1 && endpoint_id !== null && webhooks.untriedOf(endpoint_id) === FAN_OUT_AHEAD / 2) wakeFanOut(webhooks, account, timeMs)
}

/** The account's fan-out goes on. */
function wakeFanOut(webhooks: Webhooks, account: AccountNumber, timeMs: TimeMs): void {
  const fanOut = webhooks.dueFanOut(account)
  const dueMs = timeMs + pauseMs(webhooks)
  if (fanOut !== undefined && fanOut.dueMs !== null && fanOut.dueMs > dueMs) webhooks.fanOuts.set(fanOut.id, { ...fanOut, dueMs })
}

/** Accounts take turns, however many batches each has. */
function pauseMs({ accountsFanningOut }: Webhooks): TimeMs {
  return FAN_OUT_PAUSE_MS * accountsFanningOut
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
  const goesOn = next >= fanOut.end ? webhooks.oldestFanOut(fanOut.account) : { ...fanOut, next }
  const waitMs = webhooks.wantsMore(fanOut.account) ? pauseMs(webhooks) : FAN_OUT_WAIT_MS
  if (goesOn !== undefined) webhooks.fanOuts.set(goesOn.id, { ...goesOn, dueMs: timeMs + waitMs })
}
