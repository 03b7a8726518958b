// The realtime stream of a wallet, and the tickets that open it where a header cannot be sent.
import { StreamQuery, Ticket } from '../../engine/contract/stream.ts'
import type { House } from '../house.ts'
import { type Call, type Header, type PublicPrincipal, type Route, route, type WalletPrincipal } from '../route.ts'
import { TICKET_LIFETIME_MS } from '../stream/limits.ts'
import type { TicketHolder } from '../stream/tickets.ts'

export function streamRoutes(house: House): readonly Route[] {
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
      responses: [{ status: 200, description: 'Server-sent events, until one side ends it.', contentType: 'text/event-stream' }],
      errors: [],
      handle: (call) => openStream(house, call),
    }),
    route({
      method: 'POST',
      path: '/v1/me/events/ticket',
      operationId: 'createStreamTicket',
      tag: 'Wallet stream',
      summary: 'A ticket for a stream',
      description: 'For browsers, whose `EventSource` sends no header: it opens one stream, once, within a minute.',
      auth: 'wallet',
      idempotency: 'none',
      responses: [
        {
          status: 201,
          description: 'The ticket.',
          schema: Ticket,
          example: { ticket: 'n4kQ0xTz7mN1rYp4LwHs8DgJf2CeA6uV', expires_in: 60 },
        },
      ],
      errors: [],
      handle: (call) => {
        const ticket = house.outside.tickets.issue(holderOf(call.principal))
        call.answer(201, JSON.stringify({ ticket, expires_in: TICKET_LIFETIME_MS / 1000 }))
      },
    }),
  ]
}

const STREAM_DESCRIPTION = `Frames have \`id\` (an integer that grows by one), \`event\` and \`data\`: \`{"id", "type", "created_at", "data"}\`. Inside:

| event | data |
|---|---|
| \`payment.received\`, \`payment.sent\` | \`transaction_id, amount, currency, counterparty, reference, note, balance_after\` |
| \`balance.updated\` | \`balance, currency, transaction_id\` |
| \`charge.updated\` | \`id, token, state, amount, currency, description, merchant_name, expires_at, transaction_id\` |
| \`bill.paid\` | the paid bill |
| \`mandate.requested\` | the mandate |
| \`device.added\` | \`id, name, platform\` |
| \`session.revoked\` | \`id, name, platform, reason\` |
| \`stream.reset\` | \`oldest_id, latest_id\` |

A comment comes every 5 s while nothing else does. Come back with \`Last-Event-ID\` (or \`last_event_id\` in the query) to get what came since. The last
256 frames of a wallet are kept; whoever was away for longer gets one \`stream.reset\` and then those: ask for balance and transactions again. Without
an id the stream begins now. A reader that takes nothing for some seconds, or falls 64 KB behind, is cut off and resumes by id. A wallet has 8 streams
at most: with one more, the oldest ends. A stream ends with the session that opened it.`

/** Proxies that gather answers before they pass them on would hold a stream up for ever. */
const HEADERS: readonly Header[] = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['X-Accel-Buffering', 'no'],
  // A stream is the last of its connection.
  ['Connection', 'close'],
]

/** Sent with the head, so that a client knows at once that it listens; and how long it waits before it comes back. */
const FIRST = 'retry: 2000\n\n'

const EVENT_ID = /^[0-9]{1,15}$/

function openStream(house: House, call: Call<unknown, StreamQuery, WalletPrincipal | PublicPrincipal>): void {
  const given = call.lastEventId === '' ? (call.query.last_event_id ?? '') : call.lastEventId
  if (given !== '' && !EVENT_ID.test(given)) return call.refuse('invalid_request', 'Last-Event-ID')
  const holder = holderOfCall(house, call)
  if (holder === null) return call.refuse('unauthorized')
  const isOpen = house.outside.streams.open({
    ...holder,
    lastEventId: given === '' ? null : Number(given),
    open: (listener) => call.stream(HEADERS, FIRST, listener),
  })
  if (!isOpen) call.refuse('unavailable')
}

function holderOfCall(
  house: House,
  { principal, query }: Call<unknown, StreamQuery, WalletPrincipal | PublicPrincipal>,
): TicketHolder | null {
  if (principal.kind === 'wallet') return holderOf(principal)
  const holder = query.ticket === undefined ? null : house.outside.tickets.redeem(query.ticket)
  return holder !== null && house.engine.state.auth.deviceOfSession(holder.sessionId)?.account === holder.account ? holder : null
}

function holderOf({ account, device }: WalletPrincipal): TicketHolder {
  return { account, sessionId: device.session_id }
}
