// Index keys of the dashboard: the sessions that members of a merchant opened.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEvent } from '../noun-module.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const DASHBOARD_INDEX_KEYS = { sessions: 130 } as const

export const DASHBOARD_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'dashboard_session.opened': (event, index, entries) => entries.addEntry(DASHBOARD_INDEX_KEYS.sessions, event.account, '', index),
}

/** Sessions stand under the live account of their merchant. */
export function sessionsIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: DASHBOARD_INDEX_KEYS.sessions, owner: merchant, value: '' }
}
