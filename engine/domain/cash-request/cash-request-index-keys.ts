// Index keys of top-ups and withdrawals.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries, IndexEvent } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { CASH_REQUEST_ENDS, type CashRequest, type CashRequestChange, type CashRequestKind } from './cash-request-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const CASH_REQUEST_INDEX_KEYS = {
  cashRequest: 100,
  topUps: 101,
  topUpsByReference: 102,
  withdrawals: 103,
  withdrawalsByReference: 104,
} as const

const KEYS = CASH_REQUEST_INDEX_KEYS

const LISTS = {
  top_up: { all: KEYS.topUps, byReference: KEYS.topUpsByReference },
  withdrawal: { all: KEYS.withdrawals, byReference: KEYS.withdrawalsByReference },
} as const satisfies Record<CashRequestKind, object>

export const CASH_REQUEST_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'top_up.requested': (event, index, entries) => indexRequest('top_up', event, index, entries),
  'withdrawal.requested': (event, index, entries) => indexRequest('withdrawal', event, index, entries),
  ...Object.fromEntries(CASH_REQUEST_ENDS.top_up.map((end) => [`top_up.${end}`, indexEnd])),
  ...Object.fromEntries(CASH_REQUEST_ENDS.withdrawal.map((end) => [`withdrawal.${end}`, indexEnd])),
}

function indexRequest(kind: CashRequestKind, event: StoredEvent, index: number, entries: IndexEntries): void {
  const { reference } = payloadOf<CashRequest>(event)
  entries.addEntry(LISTS[kind].all, event.account, '', index)
  if (reference !== '') entries.addEntry(LISTS[kind].byReference, event.account, reference.toLowerCase(), index)
}

function indexEnd(event: StoredEvent, index: number, entries: IndexEntries): void {
  entries.addEntry(KEYS.cashRequest, 0, payloadOf<CashRequestChange>(event).id, index)
}

/** What became of the request with this id. */
export function cashRequestIndexKey(id: string): IndexKey {
  return { kind: KEYS.cashRequest, owner: 0, value: id }
}

/** All requests of a merchant's account, or those with the reference in any case of letters. */
export function cashRequestsIndexKey(kind: CashRequestKind, merchant: AccountNumber, reference?: string): IndexKey {
  const { all, byReference } = LISTS[kind]
  if (reference === undefined || reference === '') return { kind: all, owner: merchant, value: '' }
  return { kind: byReference, owner: merchant, value: reference.toLowerCase() }
}
