// API keys as their owner sees them. Only the response that creates a key contains its secret.
import { AMOUNT_MAX } from '../kernel/amount.ts'
import { environment, timestamp, uuid } from './common.ts'
import { moneyBody } from './money-body.ts'
import { choice, type Immutable, nameText, nullable, type Static, Type } from './schema.ts'

export const SCOPES = ['disbursements.write', 'disbursements.approve', 'billers.write'] as const

export type Scope = (typeof SCOPES)[number]

/** A component of its own: for a list of inline enums, Java generators write code that does not compile. */
export const KeyScope = choice(SCOPES, {
  $id: 'KeyScope',
  description:
    '`disbursements.write` for payouts, batches, schedules and disbursements; `disbursements.approve` for approving disbursements; `billers.write` for products.',
})

function scopes() {
  return Type.Array(KeyScope, { maxItems: SCOPES.length, uniqueItems: true, description: 'Write permissions of the key beside charges.' })
}

function limit(description: string) {
  const number = Type.Integer({ format: 'int64', minimum: 1, maximum: AMOUNT_MAX, examples: [250_000] })
  return nullable(number, { description: `${description} Null: none.` })
}

const PAYOUT_MAX = limit('Maximum of one payout or line.')
const DAY_MAX = limit('Maximum sum that the key pays in a day (UTC). Failed payouts do not count.')

/** Both are replaced together: what is absent is none. Strict, so that a misspelled limit does not become none. */
export const SetKeyLimitsBody = moneyBody(
  { payout_max: Type.Optional(PAYOUT_MAX), day_max: Type.Optional(DAY_MAX) },
  { $id: 'SetKeyLimitsBody', description: 'What a key may pay.' },
)

export type SetKeyLimitsBody = Static<typeof SetKeyLimitsBody>

export const KeyLimits = Type.Object(
  { payout_max: PAYOUT_MAX, day_max: DAY_MAX },
  { $id: 'KeyLimits', description: 'What the key may pay. A payout or line above it fails with `key_limit_exceeded`.' },
)

export type KeyLimits = Immutable<Static<typeof KeyLimits>>

export const NO_KEY_LIMITS: KeyLimits = { payout_max: null, day_max: null }

/** Returns both limits; null stands for one that is absent. */
export function wholeKeyLimits({ payout_max = null, day_max = null }: Immutable<SetKeyLimitsBody> = {}): KeyLimits {
  return { payout_max, day_max }
}

export const CreateApiKeyBody = Type.Object(
  {
    environment: environment(),
    scopes: scopes(),
    label: Type.Optional(nameText({ minLength: 0, maxLength: 100, description: 'For your own lists.', examples: ['Serveur de paie'] })),
    limits: Type.Optional(SetKeyLimitsBody),
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
    limits: KeyLimits,
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
