// Examples of webhooks in the OpenAPI document. One test validates each against its schema, another one verifies the
// signature.
import type {
  CreateEndpointBody,
  DeliveryAttempt,
  Event,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../../../engine/contract/webhook.ts'
import { PAID_CHARGE } from '../charges/charge-examples.ts'

export const ENDPOINT_REQUEST: CreateEndpointBody = {
  url: 'https://boutique.example/hooks/cauri',
  events: ['charge.succeeded', 'charge.refunded'],
  description: 'Caisse',
}

export const ENDPOINT: WebhookEndpoint = {
  id: '019aa0f0-2a00-7b11-8c2d-3e4f50617283',
  url: 'https://boutique.example/hooks/cauri',
  events: ['charge.succeeded', 'charge.refunded'],
  description: 'Caisse',
  status: 'enabled',
  disabled_reason: null,
  environment: 'live',
  created_at: '2026-11-20T09:51:12.000Z',
}

export const WEBHOOK_SECRET = 'whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'

export const ENDPOINT_WITH_SECRET: WebhookEndpointWithSecret = { ...ENDPOINT, secret: WEBHOOK_SECRET }

export const DELIVERY_ATTEMPT: DeliveryAttempt = {
  id: '019aa0fb-f7b2-7c01-9d5e-6f708192a3b4',
  delivery_id: '019aa0fb-f5e9-7a2d-8e4f-5a6b7c8d9e0f',
  event_id: '019aa0fb-f5e9-7a2c-9c3d-4e5f60718293',
  endpoint_id: ENDPOINT.id,
  attempt: 1,
  http_status: 503,
  error: null,
  duration_ms: 184,
  state: 'pending',
  next_attempt_at: '2026-11-20T10:04:18.012Z',
  created_at: '2026-11-20T10:04:12.530Z',
}

const { id, token, amount, currency, reference, description, customer_tag, payer_tag, transaction_id, environment } = PAID_CHARGE

/** Example of `data` for `charge.succeeded`. */
export const SUCCEEDED_CHARGE = {
  ...{ id, token, amount, currency, state: 'paid', reference, description, customer_tag, payer_tag, transaction_id },
  merchant_id: '019aa0e0-0000-7a11-8b2c-3d4e5f607182',
  environment,
  metadata: PAID_CHARGE.metadata,
  paid_at: PAID_CHARGE.paid_at,
  created_at: PAID_CHARGE.created_at,
}

export const EVENT: Event = {
  id: '019aa0fb-f5e9-7a2c-9c3d-4e5f60718293',
  type: 'charge.succeeded',
  environment: 'live',
  created_at: '2026-11-20T10:04:12.345Z',
  data: SUCCEEDED_CHARGE,
  delivery_state: 'pending',
}
