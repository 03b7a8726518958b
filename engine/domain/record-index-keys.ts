// Index keys that records of every noun have: idempotency key, transactions, stream frames.
import { TRANSACTION_TYPES } from '../contract/transaction.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import { foldReference } from '../kernel/reference.ts'
import type { AccountNumber } from '../ledger/transaction.ts'

/** Index keys for records of any noun. Archives store these numbers: add new ones, never change or reuse one. */
export const RECORD_INDEX_KEYS = {
  /** Owner 0. The value is `scope:key`. */
  idempotency: 1,
  transaction: 10,
  transactionsByType: 12,
  frames: 14,
  transactionsByReference: 15,
  transactionRuns: 16,
} as const

const KEYS = RECORD_INDEX_KEYS

/** Only for ids that their time does not find (see id-search.ts). */
export function transactionIndexKey(id: string): IndexKey {
  return { kind: KEYS.transaction, owner: 0, value: id }
}

export interface TransactionFilters {
  readonly type?: string | undefined
  readonly reference?: string | undefined
}

/** Type of the transactions that one record may hold hundreds of, all from one account. */
export const RUN_TYPE = 'payout'

/** Whether a transaction of the type stands in such a record: a payout, or the fee of one. */
export function isInRun(type: string): boolean {
  return type === RUN_TYPE || type === 'fee'
}

/** The transactions of an account that have the filters' values have one of these. A transaction has one entry for its type, which is in all lists. */
export function transactionsIndexKeys(account: AccountNumber, { type, reference }: TransactionFilters = {}): IndexKey[] {
  const types = type === undefined ? TRANSACTION_TYPES : [type]
  if (reference !== undefined)
    return types.map((itsType) => ({ kind: KEYS.transactionsByReference, owner: account, value: referenceValue(itsType, reference) }))
  const single = types.map((itsType) => ({ kind: KEYS.transactionsByType, owner: account, value: itsType }))
  if (type !== undefined && !isInRun(type)) return single
  return [...single, { kind: KEYS.transactionRuns, owner: account, value: RUN_TYPE, isRun: true }]
}

let lastType = ''
let lastReference = ''
let lastValue = ''

/** References are found in any case of letters. Caches the last one: payouts that are sent together often have the same. */
export function referenceValue(type: string, reference: string): string {
  if (reference !== lastReference || type !== lastType) {
    lastValue = `${type}:${foldReference(reference)}`
    lastReference = reference
    lastType = type
  }
  return lastValue
}

/** The records with stream frames of a wallet have one of these: a transaction of the wallet, or its own entry. */
export function framesIndexKeys(wallet: AccountNumber): IndexKey[] {
  return [{ kind: KEYS.frames, owner: wallet, value: '' }, ...transactionsIndexKeys(wallet).filter(({ isRun }) => isRun !== true)]
}
