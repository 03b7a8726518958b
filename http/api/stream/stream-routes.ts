// The realtime stream of a wallet, and the tickets for clients that cannot send a header.

import type { EngineApi } from '../../../engine/api.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { StreamQuery, Ticket } from '../../../engine/contract/stream.ts'
import { REPLAYED_HEADER } from '../../server/kept-answers.ts'
import { later } from '../../server/later.ts'
import { type Call, type Header, type PublicPrincipal, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { STREAM_EXAMPLE } from './stream-examples.ts'
import { STREAM_TICKETS, TICKET_LIFETIME_MS } from './stream-limits.ts'
import type { StreamTickets } from './tickets.ts'
import type { StreamHub } from './wallet-hub.ts'
import type { StreamHolder } from './wallet-stream.ts'

export interface StreamRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly outside: { readonly streams: Pick<StreamHub, 'open'>; readonly tickets: StreamTickets }
}

export function streamRoutes(parts: StreamRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/me/events',
      operationId: 'streamEvents',
      tag: 'Wallet stream',
      summary: 'What happens, as it happens',
      description: STREAM_DESCRIPTION,
      auth: 'stream',
      idempotency: 'none',
      query: StreamQuery,
      responses: [
        {
          status: 200,
          description: 'Server-sent events, until one side ends it.',
          contentType: 'text/event-stream',
          example: STREAM_EXAMPLE,
        },
        {
          status: 307,
          description: 'This node of a cluster stops or starts. Another one answers at the same address; the ticket is still good.',
        },
      ],
      errors: [],
      handle: (call) => openStream(parts, call),
    }),
    route({
      method: 'POST',
      path: '/v1/me/events/ticket',
      operationId: 'createStreamTicket',
      tag: 'Wallet stream',
      summary: 'A ticket for a stream',
      description:
        'For browsers, whose `EventSource` sends no header: it opens one stream, once, within a minute. An Idempotency-Key gives the same ticket for as long as it opens a stream. Memory alone knows the key: after a restart or a change of the owner it gives another ticket, and each opens one stream.',
      auth: 'wallet',
      idempotency: 'accepted',
      responses: [
        {
          status: 201,
          description: 'The ticket.',
          schema: Ticket,
          example: { ticket: 'n4kQ0xTz7mN1rYp4LwHs8DgJf2CeA6uV', expires_in: 60 },
        },
      ],
      errors: ['quota_exceeded'],
      handle: (call) => {
        const issued = parts.outside.tickets.issue(holderOf(call.principal), call.idempotency)
        if (issued === 'idempotency_key_reused') return call.refuse(issued)
        if (issued === 'quota_exceeded') return call.refuse(issued, STREAM_TICKETS.name)
        const body = JSON.stringify({ ticket: issued.ticket, expires_in: TICKET_LIFETIME_MS / 1000 })
        call.answerAs(201, body, issued.isReplay ? [REPLAYED_HEADER] : [])
      },
    }),
  ]
}

const STREAM_DESCRIPTION = `Frames have \`id\` (an integer that grows by one), \`event\` and \`data\`: \`{"id", "type", "created_at", "data"}\`. Inside:

| event | data |
|---|---|
| \`payment.received\`, \`payment.sent\` | \`transaction_id, amount, currency, counterparty, reference, note, balance_after\` |
| \`balance.updated\` | \`available, balance, currency, transaction_id\` |
| \`charge.updated\` | \`token\` and the checkout record, as \`POST /v1/me/charges/scan\` answers it |
| \`bill.paid\` | the paid bill |
| \`bill.refunded\` | \`biller, product, amount, currency, charge_id, transaction_id, refunded_at, refund_transaction_id\` |
| \`mandate.requested\` | the mandate, as you find it in your list |
| \`problem.answered\` | the problem with a payment, answered, as \`GET /v1/me/transactions/{id}/problem\` |
| \`limit.near\` | \`limit, max, used, left, currency\`: 80 % of a limit of \`GET /v1/me/limits\` are used; once in its day or month |
| \`device.added\` | \`id, name, platform\` |
| \`session.revoked\` | \`id, name, platform, reason\`: \`logout\`, \`pin_changed\` or \`removed\` |
| \`stream.reset\` | \`oldest_id, latest_id\` |

A comment comes every 5 s. Reconnect with \`Last-Event-ID\` (or \`last_event_id\` in the query) to get the frames since. The last 256 frames of a wallet
are kept. When the id is older, or is one that the wallet has not had yet, the stream begins with one \`stream.reset\` and all kept frames: request balance
and transactions again. A \`Last-Event-ID\` that is not a number of at most 15 digits is rejected. Without one the stream begins now. Ids have no gaps, so a
client can tell that it missed nothing.

A reader that takes nothing for some seconds, or falls 64 KB behind, is cut off and resumes by id. A wallet has 8 streams at most: with one more, the
oldest ends. A stream ends with the session that opened it (logout, the device removed, the PIN changed elsewhere), when the access token that it was
opened by does, and when the service stops: renew the token where it is over, and come back. A ticket is spent with its first use: come back with
another one and \`last_event_id\`.`

/** `X-Accel-Buffering` turns response buffering off: a buffering proxy would delay frames without end. */
export const STREAM_HEADERS: readonly Header[] = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['X-Accel-Buffering', 'no'],
  // A connection serves no other request after a stream.
  ['Connection', 'close'],
]

/** First text, sent with the headers: the client knows at once that the stream is open. `retry` is its reconnection delay. */
export const STREAM_FIRST = 'retry: 2000\n\n'

export const EVENT_ID = /^[0-9]{1,15}$/

type StreamCall = Call<unknown, StreamQuery, WalletPrincipal | PublicPrincipal>

function openStream(parts: StreamRoutesParts, call: StreamCall): void {
  const { last_event_id = '', ticket } = call.query
  const given = call.lastEventId === '' ? last_event_id : call.lastEventId
  if (given !== '' && !EVENT_ID.test(given)) {
    return call.lastEventId === ''
      ? call.refuse('invalid_parameter', 'last_event_id', because('last_event_id'))
      : call.refuse('invalid_request', 'Last-Event-ID', because('last_event_id'))
  }
  const lastEventId = given === '' ? null : Number(given)
  if (call.principal.kind === 'wallet') return openFor(parts, call, holderOf(call.principal), lastEventId)
  const holder = ticket === undefined ? null : parts.outside.tickets.redeem(ticket)
  if (!(holder instanceof Promise)) return openFor(parts, call, goodNow(parts.engine, holder), lastEventId)
  later(call, async () => {
    const redeemed = await holder
    if (redeemed === 'unavailable') return call.refuse('unavailable')
    openFor(parts, call, goodNow(parts.engine, redeemed), lastEventId)
  })
}

function openFor(parts: StreamRoutesParts, call: StreamCall, holder: StreamHolder | null, lastEventId: number | null): void {
  if (holder === null) return call.refuse('unauthorized')
  const isOpen = parts.outside.streams.open({
    holder,
    lastEventId,
    open: (listener) => call.stream(STREAM_HEADERS, STREAM_FIRST, listener),
  })
  if (!isOpen) call.refuse('unavailable')
}

/** Returns the holder while the access token that its ticket was issued for is valid. */
function goodNow(engine: StreamRoutesParts['engine'], holder: StreamHolder | null): StreamHolder | null {
  if (holder === null || holder.expiresAtMs <= engine.query('engine.time', null)) return null
  return engine.query('devices.ofSession', { sessionId: holder.sessionId })?.account === holder.account ? holder : null
}

function holderOf({ account, device, expiresAtMs }: WalletPrincipal): StreamHolder {
  return { account, deviceId: device.id, sessionId: device.session_id, expiresAtMs }
}
