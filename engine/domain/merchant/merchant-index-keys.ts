// Index keys of merchants: the activations that a merchant asked for.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEvent } from '../noun-module.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const MERCHANT_INDEX_KEYS = { activationRequests: 132 } as const

export const MERCHANT_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'merchant.activation_requested': (event, index, entries) =>
    entries.addEntry(MERCHANT_INDEX_KEYS.activationRequests, event.account, '', index),
}

/** Activations stand under the live account of their merchant. */
export function activationRequestsIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: MERCHANT_INDEX_KEYS.activationRequests, owner: merchant, value: '' }
}
