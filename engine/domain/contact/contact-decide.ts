// Deciders of contacts. Their recipients are not looked up: what a recipient is, is decided when it is paid.
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { quotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { CONTACTS } from './contact-limits.ts'
import type { Contact, ContactRow } from './contact-state.ts'

/** What a merchant says of a contact: checked, the recipient normalized, each group once. */
export type ContactFields = Pick<Contact, 'recipient' | 'name' | 'groups' | 'amount' | 'reference'>

export interface AddContact extends ContactFields {
  readonly type: 'AddContact'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
}

export interface ReplaceContact extends ContactFields {
  readonly type: 'ReplaceContact'
  readonly merchant: AccountNumber
  readonly id: string
}

export interface DeleteContact {
  readonly type: 'DeleteContact'
  readonly merchant: AccountNumber
  readonly id: string
}

export const ADD_CONTACT_REJECTIONS = ['contact_exists', 'quota_exceeded'] as const

/** Returns `created` and the contact. Rejections, in this precedence: contact_exists, quota_exceeded. */
export function decideAddContact(
  state: State,
  { merchant, recipient, name, groups, amount, reference }: AddContact,
  context: Context,
): Decision<(typeof ADD_CONTACT_REJECTIONS)[number]> {
  if (state.contacts.byRecipient(merchant, recipient) !== undefined) return { refusal: 'contact_exists' }
  const full = quotaRefusal(state, CONTACTS, merchant)
  if (full !== null) return full
  const { accounts } = state
  const now = rfc3339(context.timeMs)
  const contact: Contact = {
    ...{ id: context.newId(), recipient, name, groups, amount, currency: accounts.currency(merchant), reference },
    ...{ environment: accounts.environment(merchant), created_at: now, updated_at: now },
  }
  return accepted(contact, [event('contact.added', 1, merchant, contact)], 'created')
}

export const REPLACE_CONTACT_REJECTIONS = ['not_found', 'contact_exists'] as const

/** Returns `ok` and the contact. Rejections, in this precedence: not_found, contact_exists. */
export function decideReplaceContact(
  state: State,
  { merchant, id, recipient, name, groups, amount, reference }: ReplaceContact,
  context: Context,
): Decision<(typeof REPLACE_CONTACT_REJECTIONS)[number]> {
  const row = ownContact(state, merchant, id)
  if (row === null) return { refusal: 'not_found' }
  const other = state.contacts.byRecipient(merchant, recipient)
  if (other !== undefined && other.contact.id !== id) return { refusal: 'contact_exists' }
  const contact: Contact = { ...row.contact, recipient, name, groups, amount, reference, updated_at: rfc3339(context.timeMs) }
  return accepted(contact, [event('contact.replaced', 1, merchant, contact)], 'ok')
}

export const DELETE_CONTACT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and `{id, deleted}`. Disbursements that were made of its groups keep their lines. Rejections: not_found. */
export function decideDeleteContact(state: State, { merchant, id }: DeleteContact): Decision<(typeof DELETE_CONTACT_REJECTIONS)[number]> {
  const row = ownContact(state, merchant, id)
  if (row === null) return { refusal: 'not_found' }
  const deleted = accepted(row.contact, [event('contact.deleted', 1, merchant, { id })], 'ok')
  return { ...deleted, body: JSON.stringify({ id, deleted: true }) }
}

/** Returns the merchant's contact; null when it has none with this id. */
export function ownContact({ contacts }: Pick<State, 'contacts'>, merchant: AccountNumber, id: string): ContactRow | null {
  const row = contacts.rows.get(id)
  return row?.account === merchant ? row : null
}

function accepted(contact: Contact, events: readonly StoredEvent[], kind: 'created' | 'ok'): Accepted {
  return { environment: contact.environment, events, transactions: [], frames: [], kind, body: JSON.stringify(contact) }
}
