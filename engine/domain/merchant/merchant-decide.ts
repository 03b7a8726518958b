// Commands about merchants and their API keys.

import { type KeyLimits, NO_KEY_LIMITS } from '../../contract/api-key.ts'
import type { Caller } from '../../contract/created-by.ts'
import type { Merchant } from '../../contract/merchant.ts'
import type { Environment } from '../../kernel/environment.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { aboutMerchant, subjectOfMerchant } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import { merchantQuotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { API_KEYS, API_KEYS_MAX } from './merchant-limits.ts'
import type { ApiKeyRow, MerchantRow, Scope } from './merchant-state.ts'
import { keptCurrency, merchantCreated } from './new-merchant.ts'
import type { KeyLimitsSet } from './payout-rules-decide.ts'

export interface CreateMerchant {
  readonly type: 'CreateMerchant'
  readonly name: string
  readonly email: string
  /** Absent: the default of the deployment. */
  readonly currency?: string
}

export interface CreateApiKey {
  readonly type: 'CreateApiKey'
  readonly merchantId: string
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  readonly label: string
  readonly publicKey: string
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  /** The secret encrypted under the master key: the answer shows it, the log never holds it in clear. */
  readonly sealedSecret: string
  readonly by: 'operator' | 'dashboard'
  /** The member who makes it; null or absent: an operator. */
  readonly madeBy?: string | null
  /** Absent: none. */
  readonly limits?: KeyLimits
}

export const CREATE_MERCHANT_REJECTIONS = ['unsupported_currency'] as const

/** Returns `created` and the merchant. Rejections: unsupported_currency. */
export function decideCreateMerchant(
  state: State,
  command: CreateMerchant,
  context: Context,
): Decision<(typeof CREATE_MERCHANT_REJECTIONS)[number]> {
  const currency = keptCurrency(command.currency, context)
  if (currency === null) return { refusal: 'unsupported_currency', param: 'currency' }
  const { name, email } = command
  const { merchant, created } = merchantCreated(state, { name, email, currency }, context)
  return {
    environment: 'live',
    events: [created, operatorActed(context, { ...aboutMerchant(merchant), action: 'merchant.create', details: { name: merchant.name } })],
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify(publicMerchant(merchant)),
  }
}

export interface RevokeApiKey {
  readonly type: 'RevokeApiKey'
  readonly merchantId: string
  readonly keyId: string
  readonly by: 'operator' | 'dashboard'
  /** The member who revokes it; absent for an operator. */
  readonly actedBy?: Caller
}

/** The payload of `api_key.revoked`. */
export interface ApiKeyRevoked {
  readonly id: string
  readonly public_key: string
  readonly acted_by?: Caller
}

/** What was seen of keys since the last time it was noted. */
export interface NoteKeyUses {
  readonly type: 'NoteKeyUses'
  readonly publicKeys: readonly string[]
}

/** Returns `ok`. Keys that were revoked meanwhile are left out. */
export function decideNoteKeyUses(state: State, { publicKeys }: NoteKeyUses, context: Context): Decision<never> {
  const used = publicKeys.filter((key) => state.merchants.apiKeys.get(key) !== undefined)
  const uses = { public_keys: used, used_at: rfc3339(context.timeMs) }
  return {
    environment: 'live',
    events: used.length === 0 ? [] : [event('api_keys.used', 1, state.settlementAccount('live'), uses)],
    transactions: [],
    frames: [],
    kind: 'ok',
    body: '{"ok":true}',
  }
}

export const CREATE_API_KEY_REJECTIONS = ['not_found', 'too_many_api_keys', 'quota_exceeded'] as const

/** Returns `created` and the key with its sealed secret, this once. Rejections: not_found, too_many_api_keys, quota_exceeded (of all). */
export function decideCreateApiKey(
  state: State,
  command: CreateApiKey,
  context: Context,
): Decision<(typeof CREATE_API_KEY_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(command.merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  if (state.merchants.keysOf(merchant.id).length >= API_KEYS_MAX) return { refusal: 'too_many_api_keys' }
  const full = merchantQuotaRefusal(state, API_KEYS, merchant.id)
  if (full !== null) return full
  const key: ApiKeyRow = {
    id: context.newId(),
    merchant_id: merchant.id,
    environment: command.environment,
    scopes: command.scopes,
    label: command.label,
    public_key: command.publicKey,
    secret_hash: command.secretHash,
    created_at: rfc3339(context.timeMs),
    ...(typeof command.madeBy === 'string' ? { made_by: command.madeBy } : {}),
  }
  const { limits = NO_KEY_LIMITS, sealedSecret: secret_key } = command
  const { id, environment, scopes, label, public_key, created_at } = key
  const account = merchant.accounts[environment]
  const events = [event('api_key.created', 1, account, key)]
  if (limits.payout_max !== null || limits.day_max !== null) {
    events.push(event('api_key.limits_set', 1, account, { key_id: id, merchant_id: merchant.id, limits } satisfies KeyLimitsSet))
  }
  const audit = operatorActed(context, {
    ...{ ...aboutMerchant(merchant), action: 'api_key.create', environment },
    details: { key_id: id, scopes, label },
  })
  return {
    environment,
    events: command.by === 'operator' ? [...events, audit] : events,
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify({ id, environment, scopes, label, limits, public_key, secret_key, created_at }),
  }
}

export const REVOKE_API_KEY_REJECTIONS = ['not_found'] as const

/** Returns `ok` and `{id, deleted: true}`; from then on the pair opens nothing. Rejections: not_found. */
export function decideRevokeApiKey(
  state: State,
  { merchantId, keyId, by, actedBy }: RevokeApiKey,
  context: Context,
): Decision<(typeof REVOKE_API_KEY_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  const key = state.merchants.keysOf(merchantId).find(({ id }) => id === keyId)
  if (merchant === undefined || key === undefined) return { refusal: 'not_found' }
  const { id, environment, public_key } = key
  const gone: ApiKeyRevoked = { id, public_key, ...(actedBy === undefined ? {} : { acted_by: actedBy }) }
  const revoked = event('api_key.revoked', 1, merchant.accounts[environment], gone)
  const audit = (): StoredEvent =>
    operatorActed(context, {
      ...{ action: 'api_key.revoke', target: merchantId, subject: subjectOfMerchant(state, merchantId), environment },
      details: { key_id: id, label: key.label },
    })
  return {
    environment,
    events: by === 'operator' ? [revoked, audit()] : [revoked],
    transactions: [],
    frames: [],
    kind: 'ok',
    body: JSON.stringify({ id, deleted: true }),
  }
}

/** The merchant as the operator sees it: without account numbers. */
export function publicMerchant(merchant: MerchantRow): Merchant {
  const { id, name, email, currency, suspension, activation, created_at } = merchant
  const state = suspension === undefined ? 'active' : 'suspended'
  return {
    id,
    name,
    email,
    currency,
    state,
    activation_state: activation?.state ?? 'active',
    suspend_reason: suspension?.reason ?? null,
    created_at,
  }
}
