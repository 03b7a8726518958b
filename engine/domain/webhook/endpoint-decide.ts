// Deciders of webhook endpoints. Secrets arrive encrypted, so this file cannot sign.
import type { SuccessKind } from '../../contract/outcome-kind.ts'
import type { Environment } from '../../kernel/environment.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { quotaRefusal } from '../quotas.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { eventText } from './deliveries.ts'
import { merchantEvent } from './merchant-event.ts'
import type { MerchantEvent } from './webhook-events.ts'
import { ENDPOINTS_MAX, WEBHOOK_ENDPOINTS } from './webhook-limits.ts'
import { type MerchantEventType, PING, type WebhookEndpointRow } from './webhook-state.ts'

/** Fields of an endpoint that the merchant sets. */
interface EndpointFields {
  readonly url: string
  readonly events: readonly MerchantEventType[]
  readonly description: string
}

export interface CreateEndpoint extends EndpointFields {
  readonly type: 'CreateEndpoint'
  readonly merchant: AccountNumber
  readonly sealedSecret: string
}

type Unchanged<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | null }

/** Null leaves the field unchanged. */
export interface UpdateEndpoint extends Unchanged<EndpointFields> {
  readonly type: 'UpdateEndpoint'
  readonly merchant: AccountNumber
  readonly id: string
  readonly status: WebhookEndpointRow['status'] | null
}

export interface DeleteEndpoint {
  readonly type: 'DeleteEndpoint'
  readonly merchant: AccountNumber
  readonly id: string
}

export interface RotateSecret {
  readonly type: 'RotateSecret'
  readonly merchant: AccountNumber
  readonly id: string
  readonly sealedSecret: string
  /** Time for which the previous secret signs beside the new one; 0: not at all. */
  readonly overlapS: number
}

export interface PingEndpoint {
  readonly type: 'PingEndpoint'
  readonly merchant: AccountNumber
  readonly id: string
}

/** An endpoint for its merchant. */
export interface PublicEndpoint {
  readonly id: string
  readonly url: string
  readonly events: readonly MerchantEventType[]
  readonly description: string
  readonly status: WebhookEndpointRow['status']
  readonly disabled_reason: WebhookEndpointRow['disabled_reason']
  readonly environment: Environment
  readonly created_at: string
}

export const CREATE_ENDPOINT_REJECTIONS = ['too_many_webhook_endpoints', 'quota_exceeded'] as const

/** Returns `created` and the endpoint with its secret, sealed. Rejections: too_many_webhook_endpoints, quota_exceeded (of all). */
export function decideCreateEndpoint(
  state: State,
  command: CreateEndpoint,
  context: Context,
): Decision<(typeof CREATE_ENDPOINT_REJECTIONS)[number]> {
  const { merchant, url, events, description, sealedSecret } = command
  if (state.webhooks.endpointsOf(merchant).length >= ENDPOINTS_MAX) return { refusal: 'too_many_webhook_endpoints' }
  const full = quotaRefusal(state, WEBHOOK_ENDPOINTS, merchant)
  if (full !== null) return full
  const endpoint: WebhookEndpointRow = {
    id: context.newId(),
    account: merchant,
    url,
    events,
    description,
    status: 'enabled',
    disabled_reason: null,
    sealed_secret: sealedSecret,
    previous_secret: null,
    environment: state.accounts.environment(merchant),
    created_at: rfc3339(context.timeMs),
  }
  return accept(endpoint.environment, [savedEndpoint(endpoint)], 'created', withSecret(endpoint))
}

export const UPDATE_ENDPOINT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the endpoint. Rejections: not_found. */
export function decideUpdateEndpoint(
  state: State,
  command: UpdateEndpoint,
  _context: Context,
): Decision<(typeof UPDATE_ENDPOINT_REJECTIONS)[number]> {
  const before = endpointOf(state, command)
  if (before === null) return { refusal: 'not_found' }
  const { url, events, description } = before
  const fields = { url: command.url ?? url, events: command.events ?? events, description: command.description ?? description }
  const status = command.status ?? before.status
  const disabled_reason = status === 'enabled' ? null : before.status === 'disabled' ? before.disabled_reason : 'by_merchant'
  const endpoint: WebhookEndpointRow = { ...before, ...fields, status, disabled_reason }
  return accept(endpoint.environment, [savedEndpoint(endpoint)], 'ok', publicEndpoint(endpoint))
}

export const DELETE_ENDPOINT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and `{id, deleted: true}`. Rejections: not_found. */
export function decideDeleteEndpoint(
  state: State,
  command: DeleteEndpoint,
  _context: Context,
): Decision<(typeof DELETE_ENDPOINT_REJECTIONS)[number]> {
  const endpoint = endpointOf(state, command)
  if (endpoint === null) return { refusal: 'not_found' }
  const { id, account, environment } = endpoint
  return accept(environment, [event('webhook_endpoint.deleted', 1, account, { id, account })], 'ok', { id, deleted: true })
}

export const ROTATE_SECRET_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the endpoint with its new secret, sealed. Rejections: not_found. */
export function decideRotateSecret(
  state: State,
  command: RotateSecret,
  context: Context,
): Decision<(typeof ROTATE_SECRET_REJECTIONS)[number]> {
  const before = endpointOf(state, command)
  if (before === null) return { refusal: 'not_found' }
  const { sealedSecret, overlapS } = command
  const untilMs = context.timeMs + overlapS * 1000
  const previous_secret = overlapS === 0 ? null : { sealed: before.sealed_secret, untilMs }
  const endpoint: WebhookEndpointRow = { ...before, sealed_secret: sealedSecret, previous_secret }
  return accept(endpoint.environment, [savedEndpoint(endpoint)], 'ok', withSecret(endpoint))
}

export const PING_ENDPOINT_REJECTIONS = ['not_found'] as const

/** Sends a test event even when the endpoint is disabled. Returns `ok` and the event. Rejections: not_found. */
export function decidePingEndpoint(
  state: State,
  command: PingEndpoint,
  context: Context,
): Decision<(typeof PING_ENDPOINT_REJECTIONS)[number]> {
  const endpoint = endpointOf(state, command)
  if (endpoint === null) return { refusal: 'not_found' }
  const { id, account, environment } = endpoint
  const ping = merchantEvent(state, context, { account, type: PING, about: { data: { endpoint_id: id } } }, [
    { endpoint_id: id, url: null },
  ])
  const payload = payloadOf<MerchantEvent>(ping)
  const isDropped = payload.deliveries.some(({ dropped }) => dropped === true)
  return accept(environment, [ping], 'ok', eventText(payload, isDropped ? 'none' : 'pending'))
}

/** Returns the event that saves the endpoint. */
export function savedEndpoint(endpoint: WebhookEndpointRow): StoredEvent {
  return event('webhook_endpoint.saved', 1, endpoint.account, endpoint)
}

/** Returns the endpoint without account number and secrets. */
export function publicEndpoint(endpoint: WebhookEndpointRow): PublicEndpoint {
  const { id, url, events, description, status, disabled_reason, environment, created_at } = endpoint
  return { id, url, events, description, status, disabled_reason, environment, created_at }
}

function withSecret(endpoint: WebhookEndpointRow): object {
  return { ...publicEndpoint(endpoint), secret: endpoint.sealed_secret }
}

/** Returns null when the endpoint does not exist or belongs to another merchant. */
function endpointOf(state: State, { merchant, id }: { readonly merchant: AccountNumber; readonly id: string }): WebhookEndpointRow | null {
  const endpoint = state.webhooks.endpoints.get(id)
  return endpoint?.account === merchant ? endpoint : null
}

function accept(environment: Environment, events: readonly StoredEvent[], kind: SuccessKind, body: object | string): Accepted {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { environment, events, transactions: [], frames: [], kind, body: text }
}
