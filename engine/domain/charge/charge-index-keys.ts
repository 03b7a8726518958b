// Index keys of charges.
import type { Filing, IndexEvent } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { CHARGE_MOVES, type Charge, type ChargeChange } from './charge-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const CHARGE_INDEX_KEYS = {
  charge: 30,
  chargeById: 31,
  charges: 32,
  chargesByState: 33,
  chargesByReference: 34,
  chargesByCustomer: 35,
} as const

const KEYS = CHARGE_INDEX_KEYS

export const CHARGE_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'charge.created': indexCreation,
  ...Object.fromEntries(CHARGE_MOVES.map((move) => [`charge.${move}`, indexMove])),
}

function indexCreation(event: StoredEvent, index: number, filing: Filing): void {
  const { token, id, reference, customer_tag } = payloadOf<Charge>(event)
  const merchant = event.account
  filing.file(KEYS.charge, 0, token, index)
  filing.file(KEYS.chargeById, 0, id, index)
  filing.file(KEYS.charges, merchant, '', index)
  if (reference !== '') filing.file(KEYS.chargesByReference, merchant, reference, index)
  if (customer_tag !== '') filing.file(KEYS.chargesByCustomer, merchant, customer_tag, index)
}

function indexMove(event: StoredEvent, index: number, filing: Filing): void {
  const { token, state } = payloadOf<Charge | ChargeChange>(event)
  filing.file(KEYS.charge, 0, token, index)
  filing.file(KEYS.chargesByState, event.account, state, index)
}
