// Queries for webhook endpoints: the merchant's list, one by id, and its delivery log.
import type { PageQuery } from '../contract/common.ts'
import { payloadOf, type StoredEvent, textOf } from '../domain/record.ts'
import { publicEndpoint } from '../domain/webhook/endpoint-decide.ts'
import type { DeliveryAttempt } from '../domain/webhook/webhook-events.ts'
import { deliveryAttemptsIndexKey } from '../domain/webhook/webhook-index-keys.ts'
import type { WebhookEndpointRow } from '../domain/webhook/webhook-state.ts'
import type { OfAccount } from './account-queries.ts'
import { historyPage, type ListInput, type ListPage, statePage } from './list-page.ts'
import type { ById } from './merchant-queries.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'

/** Returns JSON text of the merchant's endpoint, without its secret; null when it has none with this id. */
export function getEndpoint({ state }: Reads, { account, id }: OwnId): string | null {
  const endpoint = state.webhooks.endpoints.get(id.toLowerCase())
  return endpoint?.account === account ? JSON.stringify(publicEndpoint(endpoint)) : null
}

/** Returns the address for the dispatcher, with the sealed secret; null for a deleted endpoint. */
export function endpointById({ state }: Reads, { id }: ById): WebhookEndpointRow | null {
  return state.webhooks.endpoints.get(id) ?? null
}

/** Returns the oldest endpoint of the account; null when it has none. */
export function firstEndpoint({ state }: Reads, { account }: OfAccount): WebhookEndpointRow | null {
  return state.webhooks.endpointsOf(account)[0] ?? null
}

/** Lists endpoints without their secrets. Returns null when the cursor belongs to another kind of list. */
export function listEndpoints({ state }: Reads, { account, query }: ListInput): ListPage | null {
  return statePage(query, { rows: state.webhooks.endpointsOf(account), render: publicEndpoint })
}

export interface AttemptsInput extends ListInput<PageQuery> {
  /** Id of the endpoint. */
  readonly id: string
}

/** Returns null when the cursor belongs to another kind of list. */
export function listAttempts(reads: Reads, { account, id: given, query }: AttemptsInput): ListPage | null {
  const id = given.toLowerCase()
  return historyPage(reads.history, query, {
    indexKeys: [deliveryAttemptsIndexKey(account, id)],
    keep: ({ event }) => event.type === 'delivery.attempted' && payloadOf<DeliveryAttempt>(event).endpoint_id === id,
    render: ({ event }) => attemptText(reads, event),
  })
}

/**
 * Returns the recorded state of an attempt. A pending attempt that has a successor, or whose endpoint was deleted,
 * has failed.
 */
function attemptText({ state }: Reads, event: StoredEvent): string {
  const attempt = payloadOf<DeliveryAttempt>(event)
  const isOpen = state.webhooks.deliveries.get(attempt.delivery_id)?.attempts === attempt.attempt
  if (attempt.state !== 'pending' || isOpen) return textOf(event)
  return JSON.stringify({ ...attempt, state: 'failed', next_attempt_at: null })
}
