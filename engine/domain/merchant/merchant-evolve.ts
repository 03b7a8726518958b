// How merchants and API keys change.
import { assert } from '../../kernel/assert.ts'
import type { EventTable } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { MerchantLimitsSet } from './limits-decide.ts'
import type { ApiKeyRow, ApiKeyUse, MerchantActivation, MerchantRow, MerchantSuspension } from './merchant-state.ts'

export const MERCHANT_EVENTS = {
  'merchant.created@1': createMerchant,
  'merchant.activation_required@1': changeActivation,
  'merchant.activation_requested@1': changeActivation,
  'merchant.activation_refused@1': changeActivation,
  'merchant.activated@1': changeActivation,
  'merchant.suspended@1': suspendMerchant,
  'merchant.reinstated@1': reinstateMerchant,
  'merchant.limits_set@1': setLimits,
  'api_key.created@1': createApiKey,
  'api_key.revoked@1': revokeApiKey,
  'api_keys.used@1': useApiKeys,
} satisfies EventTable

function createMerchant(state: State, merchant: MerchantRow): void {
  const live = state.accounts.open('merchant', 'live', merchant.currency)
  const test = state.accounts.open('merchant', 'test', merchant.currency)
  assert(live === merchant.accounts.live && test === merchant.accounts.test, 'account numbers follow the log')
  state.merchants.merchants.set(merchant.id, merchant)
}

/** The payload of the events of an activation: all of it, as it is from then on. */
export interface ActivationChanged {
  readonly merchant_id: string
  readonly activation: MerchantActivation
}

function changeActivation({ merchants }: State, { merchant_id, activation }: ActivationChanged): void {
  merchants.merchants.set(merchant_id, { ...knownMerchant(merchants, merchant_id), activation })
}

/** The payload of `merchant.suspended`. */
export interface MerchantSuspended extends MerchantSuspension {
  readonly merchant_id: string
}

function suspendMerchant({ merchants }: State, { merchant_id, ...suspension }: MerchantSuspended): void {
  merchants.merchants.set(merchant_id, { ...knownMerchant(merchants, merchant_id), suspension })
}

function reinstateMerchant({ merchants }: State, { merchant_id }: Pick<MerchantSuspended, 'merchant_id'>): void {
  const { suspension: _, ...merchant } = knownMerchant(merchants, merchant_id)
  merchants.merchants.set(merchant_id, merchant)
}

function setLimits({ merchants }: State, { merchant_id, limits }: MerchantLimitsSet): void {
  merchants.merchants.set(merchant_id, { ...knownMerchant(merchants, merchant_id), limits })
}

function knownMerchant({ merchants }: State['merchants'], id: string): MerchantRow {
  const merchant = merchants.get(id)
  assert(merchant !== undefined, 'the merchant is there')
  return merchant
}

function createApiKey(state: State, key: ApiKeyRow): void {
  state.merchants.apiKeys.set(key.public_key, key)
}

function revokeApiKey(state: State, { public_key }: Pick<ApiKeyRow, 'public_key'>): void {
  const { apiKeys, keyUses } = state.merchants
  apiKeys.delete(public_key)
  if (keyUses.get(public_key) !== undefined) keyUses.delete(public_key)
}

interface ApiKeysUsed extends Pick<ApiKeyUse, 'used_at'> {
  readonly public_keys: readonly string[]
}

function useApiKeys({ merchants }: State, { public_keys, used_at }: ApiKeysUsed): void {
  for (const public_key of public_keys) merchants.keyUses.set(public_key, { public_key, used_at })
}
