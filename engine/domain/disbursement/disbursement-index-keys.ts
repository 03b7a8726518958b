// Index keys of disbursements.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { DisbursementChanged, DisbursementCreated } from './disbursement-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const DISBURSEMENT_INDEX_KEYS = { disbursement: 140, disbursements: 141, disbursementActs: 142 } as const

const KEYS = DISBURSEMENT_INDEX_KEYS

export const DISBURSEMENT_INDEXED = {
  'disbursement.created': (event: StoredEvent, index: number, entries: IndexEntries): void => {
    const { plan, run } = payloadOf<DisbursementCreated>(event)
    entries.addEntry(KEYS.disbursement, 0, plan.id, index)
    entries.addEntry(KEYS.disbursements, event.account, '', index)
    if (run === undefined) entries.addEntry(KEYS.disbursementActs, event.account, '', index)
  },
  'disbursement.changed': (event: StoredEvent, index: number, entries: IndexEntries): void => {
    const { disbursement_id, act } = payloadOf<DisbursementChanged>(event)
    entries.addEntry(KEYS.disbursement, 0, disbursement_id, index)
    if (act !== undefined) entries.addEntry(KEYS.disbursementActs, event.account, '', index)
  },
} as const

/** The creation and each change of a disbursement. */
export function disbursementIndexKey(id: string): IndexKey {
  return { kind: KEYS.disbursement, owner: 0, value: id }
}

/** The creation of each disbursement of a merchant's account. */
export function disbursementsIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: KEYS.disbursements, owner: merchant, value: '' }
}

/** What keys and members did with the disbursements of a merchant's account: creations and their acts. */
export function disbursementActsIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: KEYS.disbursementActs, owner: merchant, value: '' }
}
