// Parameters of the realtime streams of wallets and merchants, and the ticket of a wallet's.
import { type Static, Type } from './schema.ts'

export const StreamQuery = Type.Object({
  ticket: Type.Optional(Type.String({ maxLength: 64, description: 'Replaces the Authorization header: see `POST /v1/me/events/ticket`.' })),
  last_event_id: Type.Optional(
    Type.String({ maxLength: 15, description: 'The same as the header `Last-Event-ID`, for clients that cannot set it; the header wins.' }),
  ),
})

export type StreamQuery = Static<typeof StreamQuery>

export const MerchantStreamQuery = Type.Object({ last_event_id: StreamQuery.properties.last_event_id })

export type MerchantStreamQuery = Static<typeof MerchantStreamQuery>

export const Ticket = Type.Object(
  {
    ticket: Type.String({ description: 'Value of `ticket` in the query of the stream. It opens one stream, once.' }),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds.', examples: [60] }),
  },
  { $id: 'Ticket' },
)

export type Ticket = Static<typeof Ticket>
