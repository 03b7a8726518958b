// Queries for API keys: one by its public key, on the hot path of every request, and the keys of a merchant. Lists
// contain no hash of a secret.
import type { PageQuery } from '../contract/common.ts'
import type { ListApiKeysQuery } from '../contract/dashboard.ts'
import type { ApiKeyRow } from '../domain/merchant/merchant-state.ts'
import type { Environment } from '../kernel/environment.ts'
import { type ListPage, statePage } from './list-page.ts'
import type { Reads } from './reads.ts'

export interface ApiKeysInput {
  readonly merchantId: string
  readonly query: PageQuery & Pick<ListApiKeysQuery, 'environment'>
}

export interface ByPublicKey {
  readonly publicKey: string
}

/** Returns null for an unknown or revoked key. The secret is a hash. */
export function apiKeyByPublicKey({ state }: Reads, { publicKey }: ByPublicKey): ApiKeyRow | null {
  return state.merchants.apiKeys.get(publicKey) ?? null
}

/** Returns a number that grows with each change of a merchant or of an API key, so that a caller may keep what it has read. */
export function apiKeyChanges({ state }: Reads): number {
  return state.merchants.changes
}

export interface ApiKeyOfEnvironment {
  readonly merchantId: string
  readonly environment: Environment
}

/** Returns whether the merchant has a key in the environment. */
export function hasApiKey({ state }: Reads, { merchantId, environment }: ApiKeyOfEnvironment): boolean {
  return state.merchants.keysOf(merchantId).some((key) => key.environment === environment)
}

/** Returns null when the cursor belongs to another kind of list. */
export function listApiKeys({ state: { merchants } }: Reads, { merchantId, query }: ApiKeysInput): ListPage | null {
  const { environment } = query
  const keys = merchants.keysOf(merchantId)
  return statePage(query, {
    rows: environment === undefined ? keys : keys.filter((key) => key.environment === environment),
    render: (key) => merchants.listed(key),
  })
}
