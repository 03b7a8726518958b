// Index keys of mandates and what they collected.
import type { IndexKey } from '../../kernel/index-key.ts'
import { foldReference } from '../../kernel/reference.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries, IndexEvent } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { MANDATE_MOVES, type MandateChange, type MandateVersion } from './mandate-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const MANDATE_INDEX_KEYS = {
  mandate: 50,
  mandateByToken: 51,
  mandates: 52,
  mandatesByCustomer: 53,
  mandatesByReference: 54,
  mandatesOfWallet: 55,
  mandatePayments: 56,
} as const

const KEYS = MANDATE_INDEX_KEYS

export const MANDATE_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'mandate.created': indexCreation,
  ...Object.fromEntries(MANDATE_MOVES.map((move) => [`mandate.${move}`, indexVersion])),
}

function indexCreation(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { mandate, customer } = payloadOf<MandateVersion>(event)
  const merchant = event.account
  indexVersion(event, index, entries)
  entries.addEntry(KEYS.mandateByToken, 0, mandate.token, index)
  entries.addEntry(KEYS.mandates, merchant, '', index)
  entries.addEntry(KEYS.mandatesByCustomer, merchant, mandate.customer_tag, index)
  if (mandate.reference !== '') entries.addEntry(KEYS.mandatesByReference, merchant, foldReference(mandate.reference), index)
  entries.addEntry(KEYS.mandatesOfWallet, customer, '', index)
}

function indexVersion(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { mandate, payment } = payloadOf<MandateVersion | MandateChange>(event)
  entries.addEntry(KEYS.mandate, 0, mandate.id, index)
  if (payment !== null) entries.addEntry(KEYS.mandatePayments, event.account, mandate.id, index)
}

/** Every version of a mandate. */
export function mandateIndexKey(id: string): IndexKey {
  return { kind: KEYS.mandate, owner: 0, value: id }
}

/** The creation of the mandate that goes by this token. */
export function mandateByTokenIndexKey(token: string): IndexKey {
  return { kind: KEYS.mandateByToken, owner: 0, value: token }
}

const FILTERS = { customer_tag: KEYS.mandatesByCustomer, reference: KEYS.mandatesByReference } as const

export type MandateFilter = keyof typeof FILTERS

/** The creation of each mandate of a merchant's account, or of those with the filter's value, which never changes. */
export function mandatesIndexKey(merchant: AccountNumber, filter?: MandateFilter, value = ''): IndexKey {
  const isReference = filter === 'reference'
  return {
    kind: filter === undefined ? KEYS.mandates : FILTERS[filter],
    owner: merchant,
    value: isReference ? foldReference(value) : value,
  }
}

/** The creation of each mandate that a wallet was asked for. */
export function mandatesOfWalletIndexKey(wallet: AccountNumber): IndexKey {
  return { kind: KEYS.mandatesOfWallet, owner: wallet, value: '' }
}

/** What a mandate collected or tried to. */
export function mandatePaymentsIndexKey(merchant: AccountNumber, id: string): IndexKey {
  return { kind: KEYS.mandatePayments, owner: merchant, value: id }
}
