// Webhooks as the API accepts and returns them: endpoints, their delivery attempts, and events.
import { address } from './charge.ts'
import { environment, httpStatus, listOf, NOTE_LENGTH_MAX, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { choice, nullable, type Static, Type, text } from './schema.ts'

/** Event types that an endpoint may subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'charge.succeeded',
  'bill.paid',
  'charge.expired',
  'charge.cancelled',
  'charge.refunded',
  'payout.paid',
  'payout.failed',
  'batch.completed',
  'schedule.run_failed',
  'disbursement.awaiting_approval',
  'disbursement.paused',
  'disbursement.completed',
  'disbursement.cancelled',
  'disbursement.rejected',
  'biller.approved',
  'biller.rejected',
  'mandate.approved',
  'mandate.rejected',
  'mandate.paused',
  'mandate.cancelled',
  'mandate.charged',
  'problem.opened',
] as const

const WebhookEventType = choice(WEBHOOK_EVENT_TYPES, {
  $id: 'WebhookEventType',
  description: 'Event type that an endpoint may subscribe to.',
})

/** All event types, with `ping`, which is sent on request. */
export const EVENT_TYPES = [...WEBHOOK_EVENT_TYPES, 'ping'] as const

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const
export const DISABLED_REASONS = ['by_merchant', 'gone'] as const
export const ATTEMPT_STATES = ['succeeded', 'failed', 'pending'] as const
export const EVENT_DELIVERY_STATES = ['none', 'pending', 'succeeded', 'failed'] as const

/** Reasons why an attempt has no HTTP status. More may be added. */
export const ATTEMPT_ERRORS = [
  'timeout',
  'connection_failed',
  'tls_failed',
  'name_not_found',
  'name_unresolved',
  'forbidden_address',
  'invalid_url',
  'https_required',
  'answer_too_large',
  'invalid_answer',
  'invalid_request',
  'stopped',
  'endpoint_disabled',
  'endpoint_deleted',
] as const

const ENDPOINT_FIELDS = {
  url: address({
    minLength: 1,
    description: 'Where events are sent: HTTPS. Redirects are not followed and private addresses are not called.',
    examples: ['https://boutique.example/hooks/cauri'],
  } as object),
  events: Type.Array(WebhookEventType, {
    minItems: 1,
    maxItems: WEBHOOK_EVENT_TYPES.length,
    uniqueItems: true,
    description: 'Event types that are sent to it.',
  }),
  description: Type.Optional(text({ lines: 'many', maxLength: NOTE_LENGTH_MAX, description: 'For your own lists.', examples: ['Caisse'] })),
}

export const CreateEndpointBody = Type.Object(ENDPOINT_FIELDS, { $id: 'CreateEndpointBody' })

export type CreateEndpointBody = Static<typeof CreateEndpointBody>

/** Changes of an endpoint. Absent members stay unchanged. */
export const UpdateEndpointBody = Type.Object(
  {
    url: Type.Optional(ENDPOINT_FIELDS.url),
    events: Type.Optional(ENDPOINT_FIELDS.events),
    description: ENDPOINT_FIELDS.description,
    status: Type.Optional(choice(ENDPOINT_STATUSES, { description: '`enabled` resumes deliveries after a 410 or after you disabled it.' })),
  },
  { $id: 'UpdateEndpointBody' },
)

export type UpdateEndpointBody = Static<typeof UpdateEndpointBody>

export const WebhookEndpoint = Type.Object(
  {
    id: uuid({ description: 'Id of the endpoint.' }),
    url: Type.String({ description: 'Where events are sent.', examples: ['https://boutique.example/hooks/cauri'] }),
    events: Type.Array(WebhookEventType, { description: 'Types that are sent to it.' }),
    description: Type.String({ description: 'As sent; empty when none was sent.' }),
    status: choice(ENDPOINT_STATUSES, { description: 'A disabled endpoint receives only pings.' }),
    disabled_reason: nullable(choice(DISABLED_REASONS), { description: '`gone`: it answered 410.' }),
    environment: environment(),
    created_at: timestamp(),
  },
  { $id: 'WebhookEndpoint' },
)

export type WebhookEndpoint = Static<typeof WebhookEndpoint>

function secret(description: string) {
  return Type.String({ pattern: '^whsec_[A-Za-z0-9_-]{43}$', description })
}

export const WebhookEndpointWithSecret = Type.Object(
  { ...WebhookEndpoint.properties, secret: secret('The whole text is the key of the signature. Shown on creation and rotation only.') },
  { $id: 'WebhookEndpointWithSecret' },
)

export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

export const WebhookEndpointList = listOf(WebhookEndpoint, 'WebhookEndpointList')

export const DeletedEndpoint = Type.Object(
  { id: uuid({ description: 'Id of the endpoint.' }), deleted: Type.Literal(true, { description: 'Always true.' }) },
  { $id: 'DeletedEndpoint' },
)

export const RotateSecretBody = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 86_400,
        description: 'How long deliveries carry a second signature by the replaced secret. Use 0 when it has leaked.',
      }),
    ),
  },
  { $id: 'RotateSecretBody' },
)

export type RotateSecretBody = Static<typeof RotateSecretBody>

export const DefaultWebhookSecret = Type.Object(
  { secret: secret('Signs deliveries to the `webhook_url` of a charge while you have no endpoint. It never changes.') },
  { $id: 'DefaultWebhookSecret' },
)

export const DeliveryAttempt = Type.Object(
  {
    id: uuid({ description: 'Id of this attempt.' }),
    delivery_id: uuid({ description: 'Id of the delivery of the event to this endpoint: the same for all attempts.' }),
    event_id: uuid({ description: 'Id of the event.' }),
    endpoint_id: nullable(uuid(), { description: 'Id of the endpoint; null for the `webhook_url` of a charge.' }),
    attempt: Type.Integer({ minimum: 1, description: 'From 1.' }),
    http_status: nullable(httpStatus(), { description: 'Null when there was no answer.' }),
    error: nullable(choice(ATTEMPT_ERRORS), { description: 'Reason why there was no answer. More values may be added.' }),
    duration_ms: Type.Integer({ minimum: 0, description: 'Milliseconds that the attempt took.' }),
    state: choice(ATTEMPT_STATES, { description: '`pending`: it failed and is tried again at `next_attempt_at`.' }),
    next_attempt_at: nullable(timestamp(), { description: 'When it is tried again; null when it is not.' }),
    created_at: timestamp(),
  },
  { $id: 'DeliveryAttempt' },
)

export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const DeliveryAttemptList = listOf(DeliveryAttempt, 'DeliveryAttemptList')

export const Event = Type.Object(
  {
    id: uuid({ description: 'Value of the header X-Service-Event-Id. Id of the payout or batch when no endpoint subscribed to its type.' }),
    type: choice(EVENT_TYPES, { description: 'What happened.' }),
    environment: environment(),
    created_at: timestamp(),
    data: Type.Object({}, { additionalProperties: true, description: 'As it was sent: see `webhooks` for each type.' }),
    delivery_state: choice(EVENT_DELIVERY_STATES, {
      description: '`none`: the event had no recipient. `pending`: a delivery is in progress. `failed`: a delivery was given up.',
    }),
  },
  { $id: 'Event' },
)

export type Event = Static<typeof Event>

export const EventList = listOf(Event, 'EventList')

export const ListEventsQuery = Type.Object({
  ...PAGE_QUERY,
  type: Type.Optional(choice(EVENT_TYPES, { description: 'Only events of this type.' })),
  delivery_success: Type.Optional(
    Type.Boolean({
      description:
        '`false`: a delivery is pending or has failed. `true`: all deliveries succeeded. Events without a recipient are in neither.',
    }),
  ),
})

export type ListEventsQuery = Static<typeof ListEventsQuery>
