// The realtime stream of a merchant's events.

import type { EngineApi, MerchantPlace } from '../../../engine/api.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { MerchantStreamQuery } from '../../../engine/contract/stream.ts'
import { type Call, type MerchantPrincipal, type Route, route, type SessionPrincipal } from '../../server/route.ts'
import type { MerchantHub, MerchantStreamRequest } from './merchant-hub.ts'
import { MERCHANT_STREAM_EXAMPLE } from './stream-examples.ts'
import { STREAM_REPLAYS } from './stream-limits.ts'
import { EVENT_ID, STREAM_FIRST, STREAM_HEADERS } from './stream-routes.ts'

export interface MerchantStreamRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly outside: { readonly merchantStreams: Pick<MerchantHub, 'open'> }
}

export function merchantStreamRoutes(parts: MerchantStreamRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/events/stream',
      operationId: 'streamMerchantEvents',
      tag: 'Webhooks',
      summary: 'Events, as they happen',
      description: DESCRIPTION,
      auth: 'key-or-session',
      idempotency: 'none',
      query: MerchantStreamQuery,
      responses: [
        {
          status: 200,
          description: 'Server-sent events, until one side ends it.',
          contentType: 'text/event-stream',
          example: MERCHANT_STREAM_EXAMPLE,
        },
      ],
      takesLong: true,
      errors: ['quota_exceeded'],
      handle: (call) => openStream(parts, call),
    }),
  ]
}

const DESCRIPTION = `One frame for each event of \`GET /v1/biz/events\` as it becomes durable, whether or not an endpoint asks for its type. Frames have \`id\` (an
integer that grows by one with each event of the merchant in the environment), \`event\` (the type) and \`data\`: \`{"id", "type", "created_at", "data"}\`, where \`id\` is the event's. Reconnect with \`Last-Event-ID\`
(or \`last_event_id\` in the query) to get everything since, however long ago; 0 begins with the first event. Without one the stream begins now, and its first lines have the \`id\` that it begins behind. An id that no frame has had yet is rejected. A comment comes every 5 s.

A reader that takes nothing for some seconds, or falls far behind, is cut off and resumes by id. An account has 16 streams at most: with one more, the
oldest ends. Two replays of what was missed run at a time for an account; one more is 429 \`quota_exceeded\`. A stream ends when its key is revoked, when its session ends, and when the service stops. With a session, \`X-Environment\` chooses.`

type StreamCall = Call<unknown, MerchantStreamQuery, MerchantPrincipal>

function openStream(parts: MerchantStreamRoutesParts, call: StreamCall): void {
  const given = call.lastEventId === '' ? (call.query.last_event_id ?? '') : call.lastEventId
  if (given !== '' && !(EVENT_ID.test(given) && Number.isSafeInteger(Number(given)))) return refuseId(call)
  openMerchantStream(parts, call, call.principal, { lastEventId: given === '' ? null : Number(given) })
}

/** Opens a stream that ends with the principal's key or session. */
export function openMerchantStream(
  { engine, outside }: MerchantStreamRoutesParts,
  call: Pick<Call, 'stream' | 'refuse' | 'lastEventId'>,
  principal: MerchantPrincipal | SessionPrincipal,
  how: Pick<MerchantStreamRequest, 'lastEventId' | 'withChanges' | 'namesOf'>,
): void {
  const hasIds = how.namesOf === undefined
  const rejection = outside.merchantStreams.open({
    ...how,
    account: principal.account,
    isValid: validity(engine, principal),
    open: (listener, from) => call.stream(STREAM_HEADERS, hasIds && how.lastEventId === null ? firstText(from) : STREAM_FIRST, listener),
  })
  if (rejection === 'unknown_id') refuseId(call)
  else if (rejection !== null) call.refuse(rejection, rejection === 'quota_exceeded' ? STREAM_REPLAYS.name : undefined)
}

function refuseId(call: Pick<Call, 'refuse' | 'lastEventId'>): void {
  if (call.lastEventId === '') call.refuse('invalid_parameter', 'last_event_id', because('last_event_id'))
  else call.refuse('invalid_request', 'Last-Event-ID', because('last_event_id'))
}

/**
 * Returns the first text of a stream that begins now, with the id that it begins behind (HTML, section 9.2.6: an `id` without data
 * sets the last event id). A client that loses the connection before its first event resumes from there.
 */
function firstText({ id }: MerchantPlace): string {
  return `${STREAM_FIRST.trimEnd()}\nid: ${id}\n\n`
}

/** Returns the check whether key or session are still valid. */
function validity(engine: Pick<EngineApi, 'query'>, principal: MerchantPrincipal | SessionPrincipal): () => boolean {
  if ('session' in principal) {
    const { token_hash: tokenHash } = principal.session
    return () => {
      const session = engine.query('dashboardSessions.byToken', { tokenHash })
      return session !== null && session.expires_at_ms > engine.query('engine.time', null)
    }
  }
  const { publicKey = '' } = principal
  return () => engine.query('apiKeys.byPublicKey', { publicKey }) !== null
}
