// Webhook endpoints: one row for each route. Decisions are in engine/domain/webhook.

import type { EngineApi } from '../../../engine/api.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import {
  CreateEndpointBody,
  DefaultWebhookSecret,
  DeletedEndpoint,
  DeliveryAttemptList,
  Event,
  RotateSecretBody,
  UpdateEndpointBody,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
} from '../../../engine/contract/webhook.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { webhookFault } from '../../outbound/merchant-addresses.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import type { WebhookSecrets } from '../../workers/webhooks/secrets.ts'
import { DELIVERY_ATTEMPT, ENDPOINT, ENDPOINT_REQUEST, ENDPOINT_WITH_SECRET, EVENT, WEBHOOK_SECRET } from './webhook-examples.ts'

export interface WebhookRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly webhookSecrets: Pick<WebhookSecrets, 'defaultOf' | 'newSealed'>
  /** The setting OUTBOUND_ALLOW_PRIVATE. */
  readonly outboundAllowPrivate: boolean
}

export function webhookRoutes(parts: WebhookRoutesParts): readonly Route[] {
  return [...writingRoutes(parts), ...readingRoutes(parts), ...actingRoutes(parts)]
}

const PATH = '/v1/biz/webhook-endpoints'
const TAG = 'Webhooks'
const OVERLAP_DEFAULT_S = 86_400

function writingRoutes(parts: WebhookRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      operationId: 'createWebhookEndpoint',
      tag: TAG,
      summary: 'Create a webhook endpoint',
      description: 'One account can have at most 16 endpoints. Keep the secret: it is shown here and on rotation, and nowhere else.',
      auth: 'key-or-session',
      idempotency: 'accepted',
      body: CreateEndpointBody,
      bodyExample: ENDPOINT_REQUEST,
      sealedField: 'secret',
      responses: [{ status: 201, description: 'The endpoint, enabled.', schema: WebhookEndpointWithSecret, example: ENDPOINT_WITH_SECRET }],
      commands: ['CreateEndpoint'],
      errors: ['webhook_url_must_be_https'],
      handle: (call) => create(parts, call),
    }),
    route({
      method: 'PUT',
      path: `${PATH}/{id}`,
      operationId: 'updateWebhookEndpoint',
      tag: TAG,
      summary: 'Change an endpoint',
      description:
        'What you leave out stays as it is. What is open goes to the new address with its next attempt. A disabled endpoint loses what is open.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the endpoint.' }) },
      body: UpdateEndpointBody,
      bodyExample: { ...ENDPOINT_REQUEST, status: 'enabled' },
      responses: [{ status: 200, description: 'The endpoint.', schema: WebhookEndpoint, example: ENDPOINT }],
      commands: ['UpdateEndpoint'],
      errors: ['webhook_url_must_be_https'],
      handle: (call) => update(parts, call),
    }),
    route({
      method: 'DELETE',
      path: `${PATH}/{id}`,
      operationId: 'deleteWebhookEndpoint',
      tag: TAG,
      summary: 'Delete an endpoint',
      description: 'What is open for it is given up.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the endpoint.' }) },
      responses: [{ status: 200, description: 'Gone.', schema: DeletedEndpoint, example: { id: ENDPOINT.id, deleted: true } }],
      commands: ['DeleteEndpoint'],
      errors: [],
      handle: (call) => call.submit({ type: 'DeleteEndpoint', ...named(call) }, call.principal.account),
    }),
  ]
}

function readingRoutes(parts: WebhookRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listWebhookEndpoints',
      tag: TAG,
      summary: 'List endpoints',
      description: "Those of the key's environment. Their secrets are returned on creation and rotation only.",
      auth: 'key-or-session',
      idempotency: 'none',
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: WebhookEndpointList,
          example: { data: [ENDPOINT], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => list(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{id}`,
      operationId: 'getWebhookEndpoint',
      tag: TAG,
      summary: 'Get an endpoint',
      description: 'Its secret is returned on creation and rotation only.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the endpoint.' }) },
      responses: [{ status: 200, description: 'The endpoint.', schema: WebhookEndpoint, example: ENDPOINT }],
      errors: [],
      handle: (call) => {
        const endpoint = parts.engine.query('endpoints.get', own(call))
        if (endpoint === null) return call.refuse('not_found')
        call.answer(200, endpoint)
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/{id}/deliveries`,
      operationId: 'listDeliveries',
      tag: TAG,
      summary: 'The delivery log of an endpoint',
      description: 'One row for each attempt, newest first.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the endpoint.' }) },
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, one row for each attempt, newest first.',
          schema: DeliveryAttemptList,
          example: { data: [DELIVERY_ATTEMPT], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listAttempts(parts, call),
    }),
  ]
}

function actingRoutes(parts: WebhookRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/webhook-secret',
      operationId: 'getWebhookSecret',
      tag: TAG,
      summary: 'Get the default secret',
      description:
        'What goes to a charge’s own `webhook_url` is signed with the secret of your oldest endpoint, or with this one while you have none. A key needs one scope at least.',
      auth: 'key-or-session',
      scope: 'any',
      memberRole: 'owner',
      idempotency: 'none',
      responses: [{ status: 200, description: 'The secret.', schema: DefaultWebhookSecret, example: { secret: WEBHOOK_SECRET } }],
      errors: [],
      handle: (call) => call.answer(200, JSON.stringify({ secret: parts.webhookSecrets.defaultOf(call.principal.account) })),
    }),
    route({
      method: 'POST',
      path: `${PATH}/{id}/rotate-secret`,
      operationId: 'rotateWebhookSecret',
      tag: TAG,
      summary: 'Replace the secret of an endpoint',
      description:
        'While both overlap, deliveries carry two `v1=` signatures: the new one first. Only the one that was replaced last signs on. A key needs one scope at least.',
      auth: 'key-or-session',
      scope: 'any',
      idempotency: 'accepted',
      params: { id: uuid({ description: 'Id of the endpoint.' }) },
      body: RotateSecretBody,
      bodyExample: { overlap_seconds: 3600 },
      bodyOptional: true,
      sealedField: 'secret',
      responses: [{ status: 200, description: 'The endpoint.', schema: WebhookEndpointWithSecret, example: ENDPOINT_WITH_SECRET }],
      commands: ['RotateSecret'],
      errors: [],
      handle: (call) => {
        const overlapS = call.body.overlap_seconds ?? OVERLAP_DEFAULT_S
        const sealedSecret = parts.webhookSecrets.newSealed()
        call.submit({ type: 'RotateSecret', ...named(call), sealedSecret, overlapS }, call.principal.account)
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/{id}/ping`,
      operationId: 'pingWebhookEndpoint',
      tag: TAG,
      summary: 'Send a ping',
      description: 'An event of type `ping` to this endpoint, once, whether it is enabled or not. What came of it is in its delivery log.',
      auth: 'key-or-session',
      idempotency: 'accepted',
      params: { id: uuid({ description: 'Id of the endpoint.' }) },
      responses: [
        {
          status: 200,
          description: 'The event, on its way.',
          schema: Event,
          example: { ...EVENT, type: 'ping', data: { endpoint_id: ENDPOINT.id } },
        },
      ],
      commands: ['PingEndpoint'],
      errors: [],
      handle: (call) => call.submit({ type: 'PingEndpoint', ...named(call) }, call.principal.account),
    }),
  ]
}

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function named(call: MerchantCall): { readonly merchant: number; readonly id: string } {
  return { merchant: call.principal.account, id: String(call.params[0]).toLowerCase() }
}

function own(call: MerchantCall<unknown, unknown>): { readonly account: number; readonly id: string } {
  return { account: call.principal.account, id: String(call.params[0]) }
}

function create(parts: WebhookRoutesParts, call: MerchantCall<CreateEndpointBody>): void {
  const { url, events, description = '' } = call.body
  const { account, environment } = call.principal
  const fault = webhookFault(url, environment, parts.outboundAllowPrivate)
  if (fault !== null) return call.refuse(fault.code, 'url', fault.extras)
  const sealedSecret = parts.webhookSecrets.newSealed()
  call.submit({ type: 'CreateEndpoint', merchant: account, url, events, description, sealedSecret }, account)
}

function update(parts: WebhookRoutesParts, call: MerchantCall<UpdateEndpointBody>): void {
  const { url = null, events = null, description = null, status = null } = call.body
  const { account, environment } = call.principal
  const fault = url === null ? null : webhookFault(url, environment, parts.outboundAllowPrivate)
  if (fault !== null) return call.refuse(fault.code, 'url', fault.extras)
  call.submit({ type: 'UpdateEndpoint', ...named(call), url, events, description, status }, account)
}

function list({ engine }: WebhookRoutesParts, call: MerchantCall<unknown, PageQuery>): void {
  answerPage(call, engine.query('endpoints.list', { account: call.principal.account, query: call.query }))
}

function listAttempts({ engine }: WebhookRoutesParts, call: MerchantCall<unknown, PageQuery>): void {
  if (engine.query('endpoints.get', own(call)) === null) return call.refuse('not_found')
  answerPage(call, engine.query('endpoints.attempts', { ...own(call), query: call.query }))
}
