// Index keys of merchants: what a merchant asked operators for, and what its owners did.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries, IndexEvent } from '../noun-module.ts'
import type { StoredEvent } from '../record.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const MERCHANT_INDEX_KEYS = { activationRequests: 132, ownerActs: 133 } as const

export const MERCHANT_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'merchant.activation_requested': (event, index, entries) =>
    entries.addEntry(MERCHANT_INDEX_KEYS.activationRequests, event.account, '', index),
  'api_key.created': addOwnerAct,
  'api_key.limits_set': addOwnerAct,
  'api_key.revoked': addOwnerAct,
  'merchant.payout_policy_set': addOwnerAct,
  'merchant.account_set': addOwnerAct,
  'merchant.name_requested': addRequest,
  'merchant.logo_set': addRequest,
}

/** What an owner did, and operators decide about. */
function addRequest(event: StoredEvent, index: number, entries: IndexEntries): void {
  addOwnerAct(event, index, entries)
  entries.addEntry(MERCHANT_INDEX_KEYS.activationRequests, event.account, '', index)
}

/** Activations, names and logos stand under the live account of their merchant. */
export function activationRequestsIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: MERCHANT_INDEX_KEYS.activationRequests, owner: merchant, value: '' }
}

function addOwnerAct(event: StoredEvent, index: number, entries: IndexEntries): void {
  entries.addEntry(MERCHANT_INDEX_KEYS.ownerActs, event.account, '', index)
}

/** What owners did with the account, its API keys and its payout policy. */
export function ownerActsIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: MERCHANT_INDEX_KEYS.ownerActs, owner: merchant, value: '' }
}
