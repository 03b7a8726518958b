// Index keys of sign-ins: the devices that a wallet registered.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEvent } from '../noun-module.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const AUTH_INDEX_KEYS = { deviceRegistrations: 131 } as const

export const AUTH_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'device.registered': (event, index, entries) => entries.addEntry(AUTH_INDEX_KEYS.deviceRegistrations, event.account, '', index),
}

export function deviceRegistrationsIndexKey(wallet: AccountNumber): IndexKey {
  return { kind: AUTH_INDEX_KEYS.deviceRegistrations, owner: wallet, value: '' }
}
