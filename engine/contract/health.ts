// Health of the service, and the identity of an API key.

import { KeyScope } from './api-key.ts'
import { environment, uuid } from './common.ts'
import { type Static, Type } from './schema.ts'

export const Ping = Type.Object(
  {
    ok: Type.Literal(true, { description: 'Always true.' }),
    merchant_id: uuid({ description: 'Your merchant id.' }),
    environment: environment(),
    scopes: Type.Array(KeyScope, { description: 'Write permissions of the key beside charges.' }),
  },
  { $id: 'Ping' },
)

export type Ping = Static<typeof Ping>

export const Health = Type.Object(
  {
    status: Type.Literal('ok', { description: 'Always `ok`; otherwise the answer is 503.' }),
    database: Type.Literal('ok', { description: 'The log can be read and written.' }),
    version: Type.String({ description: 'Version of the service.', examples: ['0.1.0'] }),
    oldest_append_ms: Type.Integer({
      minimum: 0,
      description:
        'How long the oldest append to the log has waited for the disk; 0 when none is under way. From 2000 on the answer is 503.',
      examples: [2],
    }),
    role: Type.Optional(
      Type.Union([Type.Literal('owner'), Type.Literal('follower')], { description: 'Role of this node. Only in a cluster.' }),
    ),
    epoch: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Epoch of the owner, raised by each takeover. Only in a cluster.', examples: [3] }),
    ),
    sequence: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Sequence of the last record that this node has applied. Only in a cluster, for loopback and private addresses.',
        examples: [1204],
      }),
    ),
    lag_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Time since a follower was known to have the newest records. Above 10000 the answer is 503. Only in a cluster.',
        examples: [12],
      }),
    ),
  },
  { $id: 'Health' },
)

export type Health = Static<typeof Health>
