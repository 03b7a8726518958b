// API keys as their owner sees them. Only the response that creates a key contains its secret.
import { environment, timestamp, uuid } from './common.ts'
import { choice, nameText, type Static, Type } from './schema.ts'

export const SCOPES = ['disbursements.write', 'billers.write'] as const

export type Scope = (typeof SCOPES)[number]

/** A component of its own: for a list of inline enums, Java generators write code that does not compile. */
export const KeyScope = choice(SCOPES, {
  $id: 'KeyScope',
  description: '`disbursements.write` for payouts, batches and schedules; `billers.write` for products.',
})

function scopes() {
  return Type.Array(KeyScope, { maxItems: SCOPES.length, uniqueItems: true, description: 'Write permissions of the key beside charges.' })
}

export const CreateApiKeyBody = Type.Object(
  {
    environment: environment(),
    scopes: scopes(),
    label: Type.Optional(nameText({ minLength: 0, maxLength: 100, description: 'For your own lists.', examples: ['Serveur de paie'] })),
  },
  { $id: 'CreateApiKeyBody' },
)

export type CreateApiKeyBody = Static<typeof CreateApiKeyBody>

const PUBLIC_KEY = Type.String({ pattern: '^pk_(test|live)_[A-Za-z0-9_-]{16,64}$', description: 'Value of the header X-Api-Key.' })

export const ApiKey = Type.Object(
  {
    id: uuid({ description: 'Id of the key, for revoking it.' }),
    environment: environment(),
    scopes: scopes(),
    label: Type.String({ description: 'As sent; empty when none was sent.', examples: ['Serveur de paie'] }),
    public_key: PUBLIC_KEY,
    created_at: timestamp(),
  },
  { $id: 'ApiKey' },
)

export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    secret_key: Type.String({
      pattern: '^sk_(test|live)_[A-Za-z0-9_-]{43}$',
      description: 'Value of the header X-Api-Secret. Returned only once: keep it on your server.',
    }),
  },
  { $id: 'CreatedApiKey' },
)

export type CreatedApiKey = Static<typeof CreatedApiKey>
