// Contacts in the model: which recipients an account has, in which groups, in the order of their creation.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sent } from '../entry.ts'
import type { Moves } from '../moves.ts'

export interface ModelContact {
  readonly id: string
  readonly account: number
  recipient: string
  groups: readonly string[]
}

type ContactState = 'saved'

interface Saved {
  readonly id: string
  readonly recipient: string
  readonly groups: readonly string[]
}

export class ContactsModel implements NounModel {
  /** By id, oldest first. */
  readonly contacts = new Map<string, ModelContact>()
  readonly #machine: Machine<ContactState>

  constructor(seen: Moves) {
    this.#machine = new Machine('contact', { replaced: ['saved'], deleted: ['saved'] }, seen)
  }

  audit(entry: Entry): void {
    for (const { event, payload } of eventsOf<Saved>(entry, 'contact.added')) {
      assert.equal(this.withRecipient(event.account, payload.recipient), undefined, 'a recipient stands once in an account')
      this.#assertSent(sent(entry, 'AddContact'), payload)
      const { id, recipient, groups } = payload
      this.contacts.set(id, { id, account: event.account, recipient, groups })
    }
    for (const { event, payload } of eventsOf<Saved>(entry, 'contact.replaced')) {
      const contact = this.#moved(event.account, payload.id, 'replaced')
      const other = this.withRecipient(event.account, payload.recipient)
      assert.ok(other === undefined || other === contact, 'a recipient stands once in an account')
      this.#assertSent(sent(entry, 'ReplaceContact'), payload)
      contact.recipient = payload.recipient
      contact.groups = payload.groups
    }
    for (const { event, payload } of eventsOf<{ readonly id: string }>(entry, 'contact.deleted')) {
      this.#moved(event.account, payload.id, 'deleted')
      this.contacts.delete(payload.id)
    }
  }

  compare({ contacts }: State): void {
    assert.equal(contacts.rows.size, this.contacts.size, 'contacts')
    for (const { id, account, recipient, groups } of this.contacts.values()) {
      const row = contacts.byRecipient(account, recipient)
      assert.deepEqual([row?.contact.id, row?.account, row?.contact.groups], [id, account, groups], `contact ${id}`)
      for (const group of groups) {
        const members = this.of(account).filter((one) => one.groups.includes(group))
        assert.deepEqual(
          contacts.ofGroup(account, group).map((one) => one.id),
          members.map((one) => one.id),
          `group ${group}`,
        )
      }
    }
  }

  of(account: number): ModelContact[] {
    return [...this.contacts.values()].filter((one) => one.account === account)
  }

  withRecipient(account: number, recipient: string): ModelContact | undefined {
    return this.of(account).find((one) => one.recipient === recipient)
  }

  #moved(account: number, id: string, move: string): ModelContact {
    const contact = this.contacts.get(id)
    this.#machine.move(contact?.account === account ? 'saved' : undefined, move)
    return contact as ModelContact
  }

  #assertSent(command: Omit<Saved, 'id'> | null, { recipient, groups }: Saved): void {
    if (command !== null) assert.deepEqual([recipient, groups], [command.recipient, command.groups], 'a contact as it was sent')
  }
}
