// The `webhooks` section of the document: every call that leaves the service, and what hosted code receives in its place,
// from the same schemas as everything else.
import { EmailMessage, PushMessage, SmsMessage } from '../../engine/contract/gateway.ts'
import { FulfillmentContext, LookupFound, LookupRefused, LookupRequest } from '../../engine/contract/lookup.ts'
import { type Schema, Type } from '../../engine/contract/schema.ts'
import { EVENT_TYPES } from '../../engine/contract/webhook.ts'
import { WEBHOOK_PAYLOADS } from '../../engine/contract/webhook-payload.ts'
import { FULFILLMENT_CONTEXT, LOOKUP_REFUSAL, LOOKUP_REQUEST, LOOKUP_SUCCESS } from '../api/billers/code-run-examples.ts'
import { EMAIL_MESSAGE, PUSH_MESSAGE, SMS_MESSAGE } from '../api/webhooks/gateway-examples.ts'
import { EVENT_DATA } from '../api/webhooks/webhook-event-examples.ts'
import type { Json, JsonObject, SchemaComponents } from './openapi-schemas.ts'
import { CONTEXT_ABOUT, GATEWAY_RESPONSES, HOSTED_LOOKUP_ABOUT, LOOKUP_ABOUT, LOOKUP_FAILURES } from './webhook-prose.ts'

/** One entry of the section. */
interface Call {
  readonly name: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly headers: readonly JsonObject[]
  readonly body: Schema
  readonly example: object
  readonly responses: JsonObject
}

/** Rendered into the components that the rest of the document uses. */
export function webhooksSection(schemas: SchemaComponents, isShown: (tag: string) => boolean): JsonObject {
  const calls = [...EVENT_TYPES.map(eventCall), lookupCall(schemas), hostedLookup(schemas), hostedFulfillment(), ...gatewayCalls()].filter(
    ({ tag }) => isShown(tag),
  )
  return Object.fromEntries(calls.map((call) => [call.name, { post: operation(call, schemas) }]))
}

/** Tags of the section, in its order. */
export const WEBHOOK_TAGS = ['Webhook events', 'Lookup exchange', 'Hosted code', 'Gateways'] as const

function operation(
  { operationId, tag, summary, description, headers, body, example, responses }: Call,
  schemas: SchemaComponents,
): JsonObject {
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [],
    parameters: headers.map((header) => ({ in: 'header', ...header })),
    requestBody: { required: true, content: json(schemas.render(body), example) },
    responses,
  }
}

function json(schema: JsonObject, example: object): JsonObject {
  return { 'application/json': { schema, example: example as Json } }
}

const SIGNATURE: JsonObject = {
  name: 'X-Service-Signature',
  required: true,
  description: '`t=<unix seconds>,v1=<hex>`. The tag Webhooks says how to check it.',
  schema: { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
  example: 't=1763633100,v1=961d68af16e9fafd2c21f55acce254553448104c305f89cfe9131d4720036878',
}

const EVENT_HEADERS: readonly JsonObject[] = [
  SIGNATURE,
  {
    name: 'X-Service-Event-Id',
    required: true,
    description: 'The same for all deliveries of the event.',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'X-Service-Delivery-Id',
    required: true,
    description: 'The same over all attempts of the delivery.',
    schema: { type: 'string', format: 'uuid' },
  },
  { name: 'X-Service-Attempt', required: true, description: 'From 1.', schema: { type: 'integer', format: 'int32', minimum: 1 } },
]

function eventCall(type: (typeof EVENT_TYPES)[number]): Call {
  const { when, data } = WEBHOOK_PAYLOADS[type]
  const name = type.split(/[._]/).map(capital).join('')
  const fields = { type: Type.Literal(type, { description: 'Type of the event.' }), data }
  return {
    name: type,
    operationId: `on${name}`,
    tag: 'Webhook events',
    summary: when,
    headers: EVENT_HEADERS,
    body: Type.Object(fields, { $id: `${name}Event`, description: when }),
    example: { type, data: EVENT_DATA[type] },
    responses: {
      '2XX': { description: 'Taken. The body is not read.' },
      '410': { description: 'The endpoint is disabled.' },
      default: { description: 'Tried again later, unless this type is sent once.' },
    },
  }
}

function lookupCall(schemas: SchemaComponents): Call {
  return {
    name: 'lookup',
    operationId: 'onLookup',
    tag: 'Lookup exchange',
    summary: 'What has this customer to pay?',
    description: LOOKUP_ABOUT,
    headers: [{ ...SIGNATURE, required: false, description: `${SIGNATURE.description} The key is \`lookup_secret\`; absent without one.` }],
    body: LookupRequest,
    example: LOOKUP_REQUEST,
    responses: { '200': lookupAnswer(schemas), default: { description: LOOKUP_FAILURES } },
  }
}

function lookupAnswer(schemas: SchemaComponents): JsonObject {
  const examples = {
    found: { summary: 'Something is due', value: LOOKUP_SUCCESS },
    refused: { summary: 'Nothing can be paid', value: LOOKUP_REFUSAL },
  }
  const schema: JsonObject = { anyOf: [schemas.render(LookupFound), schemas.render(LookupRefused)] }
  return { description: 'What is due, or why nothing can be paid.', content: { 'application/json': { schema, examples } } }
}

function hostedLookup(schemas: SchemaComponents): Call {
  return {
    name: 'hosted-code.lookup',
    operationId: 'hostedLookup',
    tag: 'Hosted code',
    summary: '`lookup(args)`: what has this customer to pay?',
    description: HOSTED_LOOKUP_ABOUT,
    headers: [],
    body: LookupRequest,
    example: LOOKUP_REQUEST,
    responses: { '200': lookupAnswer(schemas), default: { description: LOOKUP_FAILURES } },
  }
}

function hostedFulfillment(): Call {
  return {
    name: 'hosted-code.onPaid',
    operationId: 'hostedOnPaid',
    tag: 'Hosted code',
    summary: '`onPaid(ctx)`: a bill was paid',
    description: CONTEXT_ABOUT,
    headers: [],
    body: FulfillmentContext,
    example: FULFILLMENT_CONTEXT,
    responses: { '2XX': { description: 'The function returned. What it returns is not kept.' } },
  }
}

const GATEWAY_HEADERS: readonly JsonObject[] = [
  {
    ...SIGNATURE,
    required: false,
    description: `${SIGNATURE.description} The key is the setting GATEWAY_SECRET; absent without one.`,
  },
  {
    name: 'X-Service-Message-Id',
    required: true,
    description: 'The `id` of the body. The same over all attempts.',
    schema: { type: 'string' },
  },
  { name: 'X-Service-Attempt', required: true, description: 'From 1.', schema: { type: 'integer', format: 'int32', minimum: 1 } },
]

function gatewayCalls(): readonly Call[] {
  const shared = { tag: 'Gateways', headers: GATEWAY_HEADERS, responses: GATEWAY_RESPONSES }
  return [
    { name: 'gateway.sms', operationId: 'onSms', summary: 'Send a text message', body: SmsMessage, example: SMS_MESSAGE, ...shared },
    {
      name: 'gateway.push',
      operationId: 'onPush',
      summary: 'Send a push notification',
      body: PushMessage,
      example: PUSH_MESSAGE,
      ...shared,
    },
    { name: 'gateway.email', operationId: 'onEmail', summary: 'Send an e-mail', body: EmailMessage, example: EMAIL_MESSAGE, ...shared },
  ]
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
