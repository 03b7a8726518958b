// Index keys of charges.
import type { IndexKey } from '../../kernel/index-key.ts'
import { foldReference } from '../../kernel/reference.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries, IndexEvent } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { CHARGE_MOVES, type Charge, type ChargeChange, type ChargeMove } from './charge-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const CHARGE_INDEX_KEYS = {
  charge: 30,
  chargeById: 31,
  charges: 32,
  chargesByState: 33,
  chargesByReference: 34,
  chargesByCustomer: 35,
  chargesByMaker: 36,
} as const

const KEYS = CHARGE_INDEX_KEYS

export const CHARGE_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'charge.created': indexCreation,
  ...Object.fromEntries(CHARGE_MOVES.map((move) => [`charge.${move}`, indexMove])),
}

function indexCreation(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { token, id, reference, customer_tag, created_by, payment_link_created_by } = payloadOf<Charge>(event)
  const merchant = event.account
  entries.addEntry(KEYS.charge, 0, token, index)
  entries.addEntry(KEYS.chargeById, 0, id, index)
  entries.addEntry(KEYS.charges, merchant, '', index)
  if (reference !== '') entries.addEntry(KEYS.chargesByReference, merchant, foldReference(reference), index)
  if (customer_tag !== '') entries.addEntry(KEYS.chargesByCustomer, merchant, customer_tag, index)
  entries.addEntry(KEYS.chargesByMaker, merchant, created_by.id, index)
  if (payment_link_created_by !== undefined) entries.addEntry(KEYS.chargesByMaker, merchant, payment_link_created_by.id, index)
}

function indexMove(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { token, state } = payloadOf<Charge | ChargeChange>(event)
  entries.addEntry(KEYS.charge, 0, token, index)
  entries.addEntry(KEYS.chargesByState, event.account, state, index)
}

/** Every version of the charge that goes by this token. */
export function chargeIndexKey(token: string): IndexKey {
  return { kind: KEYS.charge, owner: 0, value: token }
}

/** The first version of the charge with this id: it says the token. */
export function chargeByIdIndexKey(id: string): IndexKey {
  return { kind: KEYS.chargeById, owner: 0, value: id }
}

const FILTERS = { reference: KEYS.chargesByReference, customer_tag: KEYS.chargesByCustomer, created_by: KEYS.chargesByMaker } as const

export type ChargeFilter = keyof typeof FILTERS

/** The first versions of all charges of a merchant's account, or of those with the filter's value, which never changes. */
export function chargesIndexKey(merchant: AccountNumber, filter?: ChargeFilter, value = ''): IndexKey {
  const isReference = filter === 'reference'
  return { kind: filter === undefined ? KEYS.charges : FILTERS[filter], owner: merchant, value: isReference ? foldReference(value) : value }
}

/** The versions by which charges of a merchant's account came into this state; some have left it since. */
export function chargesInStateIndexKey(merchant: AccountNumber, state: ChargeMove): IndexKey {
  return { kind: KEYS.chargesByState, owner: merchant, value: state }
}
