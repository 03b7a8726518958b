// Is it up, and who am I.

import { SCOPES } from './api-key.ts'
import { environment, uuid } from './common.ts'
import { choice, type Static, Type } from './schema.ts'

export const Ping = Type.Object(
  { ok: Type.Literal(true), merchant_id: uuid(), environment: environment(), scopes: Type.Array(choice(SCOPES)) },
  { $id: 'Ping' },
)

export type Ping = Static<typeof Ping>

export const Health = Type.Object(
  {
    status: Type.Literal('ok'),
    database: Type.Literal('ok'),
    version: Type.String({ examples: ['0.1.0'] }),
    oldest_append_ms: Type.Integer({
      minimum: 0,
      description:
        'How long the oldest append to the log has waited for the disk; 0 when none is under way. From 2000 on the answer is 503.',
      examples: [2],
    }),
  },
  { $id: 'Health' },
)

export type Health = Static<typeof Health>
