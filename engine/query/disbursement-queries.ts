// Queries for disbursements: one by id, and the list.
import type { ListDisbursementsQuery } from '../contract/disbursement.ts'
import { disbursementsIndexKey } from '../domain/disbursement/disbursement-index-keys.ts'
import { type DisbursementCreated, type DisbursementRow, disbursementOf } from '../domain/disbursement/disbursement-state.ts'
import { findDisbursement } from '../domain/disbursement/disbursement-versions.ts'
import { payloadOf } from '../domain/record.ts'
import { foldReference, isReference } from '../kernel/reference.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'

/** Returns JSON text of the disbursement; null when the merchant has none with this id. */
export function getDisbursement(reads: Reads, input: OwnId): string | null {
  const row = ownDisbursement(reads, input)
  return row === null ? null : JSON.stringify(disbursementOf(row.plan, row.status))
}

/** Returns the person behind `created_by`, who is no second person: a member, the member who made its key, or a key of an operator; null without it. */
export function makerOfDisbursement(reads: Reads, input: OwnId): string | null {
  return ownDisbursement(reads, input)?.person ?? null
}

/** Returns null when the cursor belongs to another kind of list. */
export function listDisbursements({ state, history }: Reads, { account, query }: SliceInput<ListDisbursementsQuery>): DocumentSlice | null {
  const reference = query.reference === undefined ? undefined : foldReference(query.reference)
  const search = searchOf(query.q)
  return documentSlice(history, query, {
    indexKeys: [disbursementsIndexKey(account)],
    keep: ({ event }) => event.type === 'disbursement.created' && event.account === account,
    current: ({ event }) => {
      const { plan } = payloadOf<DisbursementCreated>(event)
      if (reference !== undefined && !isReference(plan.reference, reference)) return null
      if (search !== null && !isFoundIn(search, [plan.id, plan.reference])) return null
      const row = findDisbursement(state, history, plan.id)
      if (row === null || (query.state !== undefined && row.status.state !== query.state)) return null
      return JSON.stringify(disbursementOf(plan, row.status))
    },
  })
}

/** Null where the merchant has no such disbursement. */
export function ownDisbursement({ state, history }: Reads, { account, id }: OwnId): DisbursementRow | null {
  const row = findDisbursement(state, history, id.toLowerCase())
  return row?.account === account ? row : null
}

export const DISBURSEMENT_QUERIES = {
  'disbursements.get': getDisbursement,
  'disbursements.list': listDisbursements,
  'disbursements.maker': makerOfDisbursement,
} as const
