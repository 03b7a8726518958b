// The `webhooks` section of the document: what merchants receive, from the same schemas as everything else.
import { Type } from '../../engine/contract/schema.ts'
import { WEBHOOK_PAYLOADS } from '../../engine/contract/webhook-payload.ts'
import type { JsonObject, SchemaComponents } from './openapi-schemas.ts'

const HEADERS: readonly (readonly [name: string, description: string, schema: JsonObject])[] = [
  ['X-Service-Signature', 'See the tag.', { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' }],
  ['X-Service-Event-Id', 'The same for all deliveries of the event.', { type: 'string', format: 'uuid' }],
  ['X-Service-Delivery-Id', 'The same over all attempts of the delivery.', { type: 'string', format: 'uuid' }],
  ['X-Service-Attempt', 'From 1.', { type: 'integer', minimum: 1 }],
]

/** One entry for each event type, rendered into the components that the rest of the document uses. */
export function webhooksSection(schemas: SchemaComponents): JsonObject {
  return Object.fromEntries(
    Object.entries(WEBHOOK_PAYLOADS).map(([type, { when, data }]) => {
      const body = Type.Object({ type: Type.Literal(type), data })
      const post: JsonObject = {
        operationId: `on${type.split(/[._]/).map(capital).join('')}`,
        tags: ['Webhooks'],
        summary: when,
        security: [],
        parameters: HEADERS.map(([name, description, schema]) => ({ name, in: 'header', required: true, description, schema })),
        requestBody: { required: true, content: { 'application/json': { schema: schemas.render(body) } } },
        responses: {
          '2XX': { description: 'Taken. The body is not read.' },
          '410': { description: 'The endpoint is disabled.' },
          default: { description: 'Tried again later, unless this type is sent once.' },
        },
      }
      return [type, { post }]
    }),
  )
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
