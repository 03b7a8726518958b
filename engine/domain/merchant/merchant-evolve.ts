// How merchants and API keys change.

import type { PayoutPolicy } from '../../contract/payout-policy.ts'
import { assert } from '../../kernel/assert.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { KEY_LIMITS_MAX } from './merchant-limits.ts'
import { type MerchantLogoDecided, withLogo } from './merchant-logo.ts'
import type {
  ActivationFileRow,
  ApiKeyRow,
  ApiKeyUse,
  MerchantAccountSet,
  MerchantActivation,
  MerchantLimitsSet,
  MerchantNameApproved,
  MerchantNameRefused,
  MerchantNameRequested,
  MerchantRow,
  MerchantSuspension,
} from './merchant-state.ts'
import type { KeyLimitsSet } from './payout-rules-decide.ts'

export const MERCHANT_EVENTS = {
  'merchant.created@1': createMerchant,
  'merchant.activation_required@1': changeActivation,
  'merchant.activation_requested@1': changeActivation,
  'merchant.activation_refused@1': changeActivation,
  'merchant.activated@1': activate,
  'merchant.activation_file_added@1': addActivationFile,
  'merchant.activation_file_deleted@1': deleteActivationFile,
  'merchant.account_set@1': setAccount,
  'merchant.name_requested@1': requestName,
  'merchant.name_approved@1': approveName,
  'merchant.name_refused@1': refuseName,
  'merchant.logo_set@1': setLogo,
  'merchant.logo_approved@1': setLogo,
  'merchant.logo_refused@1': setLogo,
  'merchant.suspended@1': suspendMerchant,
  'merchant.reinstated@1': reinstateMerchant,
  'merchant.limits_set@1': setLimits,
  'api_key.created@1': createApiKey,
  'api_key.revoked@1': revokeApiKey,
  'api_keys.used@1': useApiKeys,
  'api_key.limits_set@1': setKeyLimits,
  'merchant.payout_policy_set@1': setPayoutPolicy,
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

function activate(state: State, changed: ActivationChanged): void {
  changeActivation(state, changed)
  const { activation_files, ...merchant } = knownMerchant(state.merchants, changed.merchant_id)
  if (activation_files === undefined) return
  const kept = activation_files.map((file) => ({ ...file, activated_on: true as const }))
  state.merchants.merchants.set(changed.merchant_id, { ...merchant, activation_files: kept })
}

/** The payload of `merchant.activation_file_added`. `sealed`: the bytes, which live state leaves in the log. */
export interface ActivationFileAdded {
  readonly merchant_id: string
  readonly file: ActivationFileRow
  readonly sealed: string
}

function addActivationFile({ merchants }: State, { merchant_id, file }: ActivationFileAdded): void {
  const merchant = knownMerchant(merchants, merchant_id)
  merchants.merchants.set(merchant_id, { ...merchant, activation_files: [...(merchant.activation_files ?? []), file] })
}

/** The payload of `merchant.activation_file_deleted`. */
export interface ActivationFileDeleted {
  readonly merchant_id: string
  readonly id: string
}

function deleteActivationFile({ merchants }: State, { merchant_id, id }: ActivationFileDeleted): void {
  const { activation_files = [], ...merchant } = knownMerchant(merchants, merchant_id)
  merchants.merchants.set(merchant_id, { ...merchant, activation_files: activation_files.filter((file) => file.id !== id) })
}

function setAccount({ merchants }: State, { merchant_id, address, time_zone, email_language }: MerchantAccountSet): void {
  const profile = { address, time_zone, email_language }
  merchants.merchants.set(merchant_id, { ...knownMerchant(merchants, merchant_id), profile })
}

function requestName({ merchants }: State, { merchant_id, name_change }: MerchantNameRequested): void {
  const { name_change: _, ...merchant } = knownMerchant(merchants, merchant_id)
  merchants.merchants.set(merchant_id, { ...merchant, ...(name_change === null ? {} : { name_change }) })
}

function approveName(
  { merchants }: State,
  { merchant_id, name }: MerchantNameApproved,
  _event: StoredEvent,
  { sequence }: LogRecord,
): void {
  const { name_change: _, ...merchant } = knownMerchant(merchants, merchant_id)
  const past_names = [...(merchant.past_names ?? []), { name: merchant.name, until_sequence: sequence }]
  merchants.merchants.set(merchant_id, { ...merchant, name, past_names })
}

function refuseName({ merchants }: State, { merchant_id, name_change }: MerchantNameRefused): void {
  merchants.merchants.set(merchant_id, { ...knownMerchant(merchants, merchant_id), name_change })
}

function setLogo({ merchants }: State, changed: MerchantLogoDecided): void {
  merchants.merchants.set(changed.merchant_id, withLogo(knownMerchant(merchants, changed.merchant_id), changed))
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

function setKeyLimits({ merchants }: State, { key_id, merchant_id, limits }: KeyLimitsSet): void {
  const { keyLimits } = merchants
  keyLimits.set(key_id, { key_id, merchant_id, limits })
  const rows = merchants.limitsOf(merchant_id)
  if (rows.length <= KEY_LIMITS_MAX) return
  const keys = new Set(merchants.keysOf(merchant_id).map(({ id }) => id))
  const oldest = rows.find((row) => !keys.has(row.key_id))
  if (oldest !== undefined) keyLimits.delete(oldest.key_id)
}

function setPayoutPolicy({ merchants }: State, { approval_above }: PayoutPolicy, { account }: StoredEvent): void {
  merchants.payoutPolicies.set(String(account), { account, approval_above })
}
