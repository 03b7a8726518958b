// How merchants and API keys change.
import { assert } from '../../kernel/assert.ts'
import type { EventTable } from '../event-table.ts'
import type { State } from '../state.ts'
import type { ApiKey, Merchant } from './state.ts'

export const MERCHANT_EVENTS = {
  'merchant.created@1': createMerchant,
  'api_key.created@1': createApiKey,
  'api_key.revoked@1': revokeApiKey,
} satisfies EventTable

function createMerchant(state: State, merchant: Merchant): void {
  const live = state.accounts.open('merchant', 'live')
  const test = state.accounts.open('merchant', 'test')
  assert(live === merchant.accounts.live && test === merchant.accounts.test, 'account numbers follow the log')
  state.merchants.merchants.set(merchant.id, merchant)
}

function createApiKey(state: State, key: ApiKey): void {
  state.merchants.apiKeys.set(key.public_key, key)
}

function revokeApiKey(state: State, { public_key }: Pick<ApiKey, 'public_key'>): void {
  state.merchants.apiKeys.delete(public_key)
}
