// Appliers of contacts.
import { assert } from '../../kernel/assert.ts'
import { positionOf } from '../../kernel/position.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { Contact } from './contact-state.ts'

export const CONTACT_EVENTS = {
  'contact.added@1': add,
  'contact.replaced@1': replace,
  'contact.deleted@1': remove,
} satisfies EventTable

function add({ contacts }: State, contact: Contact, event: StoredEvent, record: LogRecord): void {
  const position = positionOf(record.sequence, record.events.indexOf(event))
  contacts.rows.set(contact.id, { account: event.account, position, contact })
}

function replace({ contacts }: State, contact: Contact): void {
  const row = contacts.rows.get(contact.id)
  assert(row !== undefined, 'a contact that is replaced was added')
  contacts.rows.set(contact.id, { ...row, contact })
}

function remove({ contacts }: State, { id }: Pick<Contact, 'id'>): void {
  contacts.rows.delete(id)
}
