// Queries for contacts: one by id, the list, and a group.
import { groupNamed, type ListContactsQuery } from '../contract/contact.ts'
import { encodeCursor } from '../contract/cursor.ts'
import { ownContact } from '../domain/contact/contact-decide.ts'
import type { Contact } from '../domain/contact/contact-state.ts'
import { POSITION_MAX, type Position } from '../kernel/position.ts'
import { parseRfc3339 } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { DocumentSlice, SliceInput } from './document-slice.ts'
import { type PageWindow, pageWindow } from './list-page.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, type Search, searchOf } from './search.ts'

/** Contacts that one query looks at: about 1 ms of a search. */
const CONTACTS_PER_SLICE = 500
/** A contact is in memory: looking at so many costs what a candidate in the log costs. */
const CONTACTS_PER_CANDIDATE = 20

/** Returns JSON text of the merchant's contact; null when the merchant has none with this id. */
export function getContact({ state }: Reads, { account, id }: OwnId): string | null {
  const row = ownContact(state, account, id.toLowerCase())
  return row === null ? null : JSON.stringify(row.contact)
}

/** Returns null when the cursor belongs to another kind of list. */
export function listContacts({ state }: Reads, { account, query }: SliceInput<ListContactsQuery>): DocumentSlice | null {
  const window = pageWindow(query)
  if (window === null) return null
  const group = query.group === undefined ? null : groupNamed(query.group)
  const search = searchOf(query.q)
  const rows: string[] = []
  const positions: Position[] = []
  let seen = 0
  const sliceUpTo = (last: Position | null): DocumentSlice => ({
    ...{ rows, positions, candidates: Math.ceil(seen / CONTACTS_PER_CANDIDATE) },
    nextCursor: last === null ? null : encodeCursor({ position: last }),
  })
  let last = window.below ?? POSITION_MAX
  for (const { position, contact } of state.contacts.below(account, last)) {
    if (rows.length === window.limit || seen === CONTACTS_PER_SLICE) return sliceUpTo(last)
    seen++
    last = position
    if (!isWanted(contact, { window, group, search })) continue
    rows.push(JSON.stringify(contact))
    positions.push(position)
  }
  return sliceUpTo(null)
}

interface Wanted {
  readonly window: PageWindow
  readonly group: string | null
  readonly search: Search | null
}

function isWanted({ id, recipient, name, reference, groups, created_at }: Contact, { window, group, search }: Wanted): boolean {
  if (group !== null && !groups.includes(group)) return false
  const { createdFromMs, createdToMs } = window
  if (createdFromMs !== undefined || createdToMs !== undefined) {
    const createdMs = parseRfc3339(created_at)
    if (createdMs < (createdFromMs ?? 0) || createdMs >= (createdToMs ?? Number.POSITIVE_INFINITY)) return false
  }
  return search === null || isFoundIn(search, [id, recipient, name, reference])
}

export interface GroupInput {
  readonly account: AccountNumber
  readonly group: string
}

/** Returns the contacts of the group, oldest first: 100 000 contacts take about 2 ms. */
export function contactsOfGroup({ state }: Reads, { account, group }: GroupInput): readonly Contact[] {
  return state.contacts.ofGroup(account, groupNamed(group))
}

/** Returns the names of the merchant's groups with their sizes, by name: 100 000 contacts take some milliseconds. */
export function contactGroups({ state }: Reads, { account }: Pick<GroupInput, 'account'>): readonly ContactGroup[] {
  const counts = new Map<string, number>()
  for (const { contact } of state.contacts.below(account, POSITION_MAX))
    for (const name of contact.groups) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => ({ name, count })).sort((one, other) => (one.name < other.name ? -1 : 1))
}

export interface ContactGroup {
  readonly name: string
  /** Number of its contacts. */
  readonly count: number
}

export const CONTACT_QUERIES = {
  'contacts.get': getContact,
  'contacts.groups': contactGroups,
  'contacts.list': listContacts,
  'contacts.ofGroup': contactsOfGroup,
} as const
