// Deciders of deliveries: results of attempts that the dispatcher made, and redelivery by hand.
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { merchantEventOf } from '../merchant-events.ts'
import { quotaExceeded } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { deliveriesOf, eventText, type KnownDelivery } from './deliveries.ts'
import { DeliveryRoom } from './delivery-room.ts'
import { savedEndpoint } from './endpoint-decide.ts'
import type { DeliveryAttempt, MerchantEvent, ReopenedDelivery } from './webhook-events.ts'
import { OPEN_DELIVERIES, RETRY_AFTER_MAX_MS, RETRY_JITTER, RETRY_WAITS_MS } from './webhook-limits.ts'
import { type Delivery, type MerchantEventType, ONE_ATTEMPT, PING, type WebhookEndpointRow } from './webhook-state.ts'

/** Result of one attempt at one open delivery. */
export interface DeliveryResult {
  readonly deliveryId: string
  readonly eventId: string
  readonly eventType: MerchantEventType
  /** Address of the attempt; empty when it was not sent. */
  readonly url: string
  /** Null when there was no response. */
  readonly httpStatus: number | null
  readonly error: DeliveryAttempt['error']
  readonly durationMs: TimeMs
  /** The receiver's `Retry-After`; null without one. */
  readonly retryAfterMs: TimeMs | null
  /** Random number from 0 to 1 from the caller: the jitter of the next wait. */
  readonly jitter: number
}

/** Results of one environment in one command, so that each costs a row and not a turn. */
export interface RecordDeliveries {
  readonly type: 'RecordDeliveries'
  readonly environment: Environment
  readonly results: readonly DeliveryResult[]
}

export interface Redeliver {
  readonly type: 'Redeliver'
  readonly merchant: AccountNumber
  /** Position of the `merchant_event.recorded` event, or of the payout or batch that has none. */
  readonly position: Position
}

const GONE = 410

/** Returns `ok`. Ignores results of deliveries that are no longer open. */
export function decideRecordDeliveries(state: State, command: RecordDeliveries, context: Context): Decision<never> {
  const { environment, results } = command
  const events: StoredEvent[] = []
  const gone = new Map<string, WebhookEndpointRow>()
  const counted = new Set<string>()
  for (const result of results) {
    const delivery = state.webhooks.deliveries.get(result.deliveryId)
    // One attempt of a delivery at a time: a second result of the same command repeats the first.
    if (delivery === undefined || counted.has(delivery.id)) continue
    counted.add(delivery.id)
    const endpoint = delivery.endpoint_id === null ? null : (state.webhooks.endpoints.get(delivery.endpoint_id) ?? 'deleted')
    const hasGone = result.httpStatus === GONE
    const isOver = hasGone || endpoint === 'deleted' || (endpoint?.status === 'disabled' && result.eventType !== PING)
    events.push(attemptEvent(context, delivery, result, isOver))
    // The endpoint may have a new address since the attempt; then the old address is gone.
    if (hasGone && endpoint !== null && endpoint !== 'deleted' && endpoint.url === result.url) gone.set(endpoint.id, endpoint)
  }
  for (const endpoint of gone.values()) {
    if (endpoint.status === 'enabled') events.push(savedEndpoint({ ...endpoint, status: 'disabled', disabled_reason: 'gone' }))
  }
  return { environment, events, transactions: [], frames: [], kind: 'ok', body: '{}' }
}

export const REDELIVER_REJECTIONS = ['not_found', 'no_webhook_endpoint', 'quota_exceeded'] as const

/**
 * Starts one attempt now for each delivery of the event that has not succeeded, or for all when all have, and for
 * each endpoint that subscribes to the type today and never got it. A delivery whose attempt is running or queued is
 * unchanged. At its share the account's oldest open deliveries give way. Returns `ok` and the event. Rejections:
 * not_found, no_webhook_endpoint, quota_exceeded (no room, and no open delivery to give way).
 */
export function decideRedeliver(state: State, command: Redeliver, context: Context): Decision<(typeof REDELIVER_REJECTIONS)[number]> {
  const { merchant, position } = command
  const recorded = context.past.eventAt(position)
  const found = recorded.account === merchant ? merchantEventOf(recorded, context.past) : null
  if (found === null) return { refusal: 'not_found' }
  const { environment } = found
  const answer = { environment, transactions: [], frames: [], kind: 'ok', body: eventText(found, 'pending') } as const
  if (state.webhooks.waitsForFanOut(position)) return { ...answer, events: [] }
  const targets = targetsOf(state, context, merchant, found)
  if (targets.length === 0) return { refusal: 'no_webhook_endpoint' }
  const missing = targets.filter((target) => target.state !== 'succeeded')
  const events: StoredEvent[] = []
  const room = new DeliveryRoom(state, merchant)
  for (const { id, endpoint_id, url, attempts, open } of missing.length > 0 ? missing : targets) {
    if (open !== null && open.nextAttemptMs <= context.timeMs) continue
    const { dropped, displaces } = open === null ? room.take() : {}
    if (dropped === true) return quotaExceeded(OPEN_DELIVERIES)
    const delivery: Delivery = { id, account: merchant, endpoint_id, url, position, attempts, nextAttemptMs: context.timeMs }
    const payload: ReopenedDelivery = { event_id: found.id, delivery, ...(displaces === undefined ? {} : { displaces }) }
    events.push(event('delivery.reopened', 1, merchant, payload))
  }
  return { ...answer, events }
}

/**
 * Returns known deliveries whose address still accepts any, and new ones for endpoints that subscribe to the type
 * today.
 */
function targetsOf(state: State, context: Context, merchant: AccountNumber, found: MerchantEvent): KnownDelivery[] {
  const known = deliveriesOf(state, context.past, merchant, found)
  const reachable = known.filter(({ endpoint_id }) => {
    const endpoint = endpoint_id === null ? null : state.webhooks.endpoints.get(endpoint_id)
    return endpoint === null || endpoint?.status === 'enabled' || (endpoint !== undefined && found.type === PING)
  })
  if (known.some(({ endpoint_id }) => endpoint_id === null)) return reachable
  const asking = state.webhooks
    .endpointsOf(merchant)
    .filter(
      ({ id, status, events }) =>
        status === 'enabled' && events.includes(found.type) && known.every(({ endpoint_id }) => endpoint_id !== id),
    )
  const fresh = asking.map(
    (endpoint): KnownDelivery => ({ id: context.newId(), endpoint_id: endpoint.id, url: null, attempts: 0, state: 'failed', open: null }),
  )
  return [...reachable, ...fresh]
}

function attemptEvent(context: Context, delivery: Delivery, result: DeliveryResult, isOver: boolean): StoredEvent {
  const { httpStatus, error, durationMs } = result
  const attempt = delivery.attempts + 1
  const hasSucceeded = httpStatus !== null && httpStatus >= 200 && httpStatus < 300
  const waitMs = hasSucceeded || isOver ? null : nextWaitMs(attempt, result)
  const payload: DeliveryAttempt = {
    id: context.newId(),
    delivery_id: delivery.id,
    event_id: result.eventId,
    endpoint_id: delivery.endpoint_id,
    attempt,
    http_status: httpStatus,
    error,
    duration_ms: durationMs,
    state: hasSucceeded ? 'succeeded' : waitMs === null ? 'failed' : 'pending',
    next_attempt_at: waitMs === null ? null : rfc3339(context.timeMs + waitMs),
    created_at: rfc3339(context.timeMs),
  }
  return event('delivery.attempted', 1, delivery.account, payload)
}

/** Returns the wait from this failed attempt to the next; null when it was the last. */
function nextWaitMs(attempt: number, { eventType, retryAfterMs, jitter }: DeliveryResult): TimeMs | null {
  const waitMs = RETRY_WAITS_MS[attempt - 1]
  if (waitMs === undefined || ONE_ATTEMPT.has(eventType)) return null
  const drawnMs = Math.round(waitMs * (1 + RETRY_JITTER * (2 * jitter - 1)))
  return Math.max(drawnMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS))
}
