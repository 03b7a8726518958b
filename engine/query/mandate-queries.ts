// Queries for mandates: one by id or token, its payments, and lists, each mandate in its current version, for
// merchants and wallets.
import type { ListMandatePaymentsQuery, ListMandatesQuery, ListWalletMandatesQuery } from '../contract/mandate.ts'
import { seenByCustomer } from '../domain/mandate/mandate-decide.ts'
import {
  mandateByTokenIndexKey,
  mandatePaymentsIndexKey,
  mandatesIndexKey,
  mandatesOfWalletIndexKey,
} from '../domain/mandate/mandate-index-keys.ts'
import type { MandateVersion } from '../domain/mandate/mandate-state.ts'
import { type FoundMandate, findMandate, isMandateVersion, mandateIdOf, paymentOf } from '../domain/mandate/mandate-versions.ts'
import { payloadOf, type StoredEvent } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'
import { foldReference, isReference } from '../kernel/reference.ts'
import { normalizeTag } from '../kernel/tag.ts'
import type { ByToken } from './charge-queries.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import { historyPage, type ListInput, type ListPage } from './list-page.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'

/** A mandate with the name of its merchant. */
export interface NamedMandate extends FoundMandate {
  readonly merchantName: string
}

/** Returns JSON text of the mandate for its merchant; null when the merchant has none with this id. */
export function getMandate(reads: Reads, { account, id }: OwnId): string | null {
  const found = findMandate(reads.state, reads.history, id.toLowerCase())
  return found !== null && (found.account === account || found.customer === account) ? JSON.stringify(found.mandate) : null
}

/** Returns JSON text of the mandate for its customer; null when the wallet has none with this id. */
export function getWalletMandate(reads: Reads, { account, id }: OwnId): string | null {
  const found = findMandate(reads.state, reads.history, id.toLowerCase())
  const isOwn = found !== null && (found.account === account || found.customer === account)
  return isOwn ? JSON.stringify(seenByCustomer(reads.state, found)) : null
}

/** Returns null when no mandate has the token. */
export function mandateByToken({ state, history }: Reads, { token }: ByToken): NamedMandate | null {
  const created = history.latest(mandateByTokenIndexKey(token), (event) => isCreation(event) && versionOf(event).mandate.token === token)
  const found = created === null ? null : findMandate(state, history, versionOf(created).mandate.id)
  if (found === null) return null
  const merchant = state.merchants.byAccount(found.account)
  assert(merchant !== undefined, 'a mandate belongs to a merchant')
  return { ...found, merchantName: merchant.name }
}

/** Returns null when the cursor belongs to another kind of list. */
export function listMandates(reads: Reads, { account, query }: SliceInput<ListMandatesQuery>): DocumentSlice | null {
  const { reference, state: wanted } = query
  const search = searchOf(query.q)
  const folded = reference === undefined ? undefined : foldReference(reference)
  const tag = query.customer_tag === undefined ? undefined : (normalizeTag(query.customer_tag) ?? '')
  const indexKeys = [
    ...(tag === undefined ? [] : [mandatesIndexKey(account, 'customer_tag', tag)]),
    ...(reference === undefined ? [] : [mandatesIndexKey(account, 'reference', reference)]),
  ]
  return documentSlice(reads.history, query, {
    indexKeys: indexKeys.length === 0 ? [mandatesIndexKey(account)] : indexKeys,
    keep: ({ event }) => {
      if (event.account !== account || !isCreation(event)) return false
      const { mandate } = versionOf(event)
      return (tag === undefined || mandate.customer_tag === tag) && (folded === undefined || isReference(mandate.reference, folded))
    },
    current: ({ event }) => {
      const { id, customer_tag, reference: own, description } = versionOf(event).mandate
      if (search !== null && !isFoundIn(search, [id, customer_tag, own, description])) return null
      return currentText(reads, { created: event, wanted, seen: ({ mandate }) => mandate })
    },
  })
}

/** Lists the mandates of a wallet. Returns null when the cursor belongs to another kind of list. */
export function listWalletMandates(reads: Reads, { account, query }: SliceInput<ListWalletMandatesQuery>): DocumentSlice | null {
  return documentSlice(reads.history, query, {
    indexKeys: [mandatesOfWalletIndexKey(account)],
    keep: ({ event }) => isCreation(event) && versionOf(event).customer === account,
    current: ({ event }) =>
      currentText(reads, { created: event, wanted: query.state, seen: (found) => seenByCustomer(reads.state, found) }),
  })
}

export interface MandatePaymentsInput extends ListInput<ListMandatePaymentsQuery> {
  readonly id: string
}

/** Lists the payments of a mandate, attempts included. Returns null when the cursor belongs to another kind of list. */
export function listMandatePayments({ history }: Reads, { account, id: given, query }: MandatePaymentsInput): ListPage | null {
  const id = given.toLowerCase()
  return historyPage(history, query, {
    indexKeys: [mandatePaymentsIndexKey(account, id)],
    keep: ({ event }) => {
      if (event.account !== account || !isMandateVersion(event)) return false
      return mandateIdOf(event) === id && paymentOf(event) !== null
    },
    render: ({ event }) => JSON.stringify(paymentOf(event)),
  })
}

interface CurrentMandate {
  readonly created: StoredEvent
  readonly wanted: string | undefined
  readonly seen: (found: FoundMandate) => object
}

function currentText({ state, history }: Reads, { created, wanted, seen }: CurrentMandate): string | null {
  const found = findMandate(state, history, versionOf(created).mandate.id)
  return found === null || (wanted !== undefined && found.mandate.state !== wanted) ? null : JSON.stringify(seen(found))
}

function isCreation(event: StoredEvent): boolean {
  return event.type === 'mandate.created'
}

function versionOf(event: StoredEvent): MandateVersion {
  return payloadOf<MandateVersion>(event)
}
