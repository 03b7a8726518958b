// Index keys that records of every noun have: idempotency key, transactions, stream frames.
import type { IndexKey } from '../kernel/index-key.ts'
import type { AccountNumber } from '../ledger/transaction.ts'

/** Index keys for records of any noun. Archives store these numbers: add new ones, never change or reuse one. */
export const RECORD_INDEX_KEYS = {
  idempotency: 1,
  transaction: 10,
  transactions: 11,
  transactionsByType: 12,
  transactionsByReference: 13,
  frames: 14,
} as const

const KEYS = RECORD_INDEX_KEYS

/** `owner` 0: the scope is part of the value. */
export function idempotencyIndexKey(scope: string, key: string): IndexKey {
  return { kind: KEYS.idempotency, owner: 0, value: `${scope}:${key}` }
}

export function transactionIndexKey(id: string): IndexKey {
  return { kind: KEYS.transaction, owner: 0, value: id }
}

/** All transactions of an account, or those of the type or with the reference. */
export function transactionsIndexKey(account: AccountNumber, filter?: 'type' | 'reference', value = ''): IndexKey {
  if (filter === undefined) return { kind: KEYS.transactions, owner: account, value: '' }
  return {
    kind: filter === 'type' ? KEYS.transactionsByType : KEYS.transactionsByReference,
    owner: account,
    value,
  }
}

/** The stream frames of a wallet; the index of a hit counts within the record's frames. */
export function framesIndexKey(wallet: AccountNumber): IndexKey {
  return { kind: KEYS.frames, owner: wallet, value: '' }
}
