// The realtime stream of a wallet: how it is asked for.
import { type Static, Type } from './schema.ts'

export const StreamQuery = Type.Object({
  ticket: Type.Optional(Type.String({ maxLength: 64, description: 'In the place of the header: see `POST /v1/me/events/ticket`.' })),
  last_event_id: Type.Optional(
    Type.String({ maxLength: 15, description: 'The same as the header `Last-Event-ID`, for clients that cannot set it; the header wins.' }),
  ),
})

export type StreamQuery = Static<typeof StreamQuery>

export const Ticket = Type.Object(
  {
    ticket: Type.String({ description: '`ticket` in the query of the stream. It opens one stream, once.' }),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds.', examples: [60] }),
  },
  { $id: 'Ticket' },
)

export type Ticket = Static<typeof Ticket>
