// Contacts. Live state holds all of them: a recipient stands once in an account, and a disbursement is made of a group at once.
import type { Contact as ShapeContact } from '../../contract/contact.ts'
import type { Immutable } from '../../contract/schema.ts'
import { assert } from '../../kernel/assert.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { CONTACTS } from './contact-limits.ts'

/** The contact as its merchant sees it. */
export type Contact = Immutable<ShapeContact>

export interface ContactRow {
  /** Account number of the merchant. */
  readonly account: AccountNumber
  /** Of its creation: the order of lists. */
  readonly position: Position
  readonly contact: Contact
}

declare module '../state.ts' {
  interface State {
    readonly contacts: Contacts
  }
}

export class Contacts extends SnapshotTables {
  readonly #books = new Map<AccountNumber, ContactBook>()
  /** Keyed by id. */
  readonly rows: Table<ContactRow>

  constructor(shared: SharedState) {
    super()
    this.rows = new Table(this, 'contact', countedByAccount(shared, CONTACTS), (row, before) => {
      const { account } = (row ?? before) as ContactRow
      const book = this.#books.get(account) ?? new ContactBook()
      book.place(row, before)
      if (book.size === 0) this.#books.delete(account)
      else this.#books.set(account, book)
    })
  }

  /** `recipient` is normalized. */
  byRecipient(account: AccountNumber, recipient: string): ContactRow | undefined {
    return this.#books.get(account)?.byRecipient(recipient)
  }

  /** Returns the contacts of an account that were created before the position, newest first. */
  below(account: AccountNumber, position: Position): Iterable<ContactRow> {
    return this.#books.get(account)?.below(position) ?? []
  }

  /** Returns the contacts of a group, oldest first. */
  ofGroup(account: AccountNumber, group: string): readonly Contact[] {
    return this.#books.get(account)?.ofGroup(group) ?? []
  }
}

/** The contacts of one account by recipient and in the order of their creation. */
export class ContactBook {
  readonly #byRecipient = new Map<string, ContactRow>()
  /** By position, once sorted. */
  readonly #rows: ContactRow[] = []
  /** False while a snapshot is restored, whose rows come in any order. */
  #isSorted = true

  get size(): number {
    return this.#rows.length
  }

  byRecipient(recipient: string): ContactRow | undefined {
    return this.#byRecipient.get(recipient)
  }

  /** `row` is undefined when it is removed, `before` when it is new. */
  place(row: ContactRow | undefined, before: ContactRow | undefined): void {
    if (before !== undefined) this.#byRecipient.delete(before.contact.recipient)
    if (row !== undefined) this.#byRecipient.set(row.contact.recipient, row)
    if (before === undefined) {
      if (row !== undefined) this.#append(row)
      return
    }
    const rows = this.#sorted()
    const at = this.#firstFrom(before.position)
    assert(rows[at] === before, 'a contact stands in its place')
    if (row === undefined) rows.splice(at, 1)
    else rows[at] = row
  }

  *below(position: Position): Iterable<ContactRow> {
    const rows = this.#sorted()
    for (let at = this.#firstFrom(position) - 1; at >= 0; at--) yield rows[at] as ContactRow
  }

  ofGroup(group: string): readonly Contact[] {
    const found: Contact[] = []
    for (const { contact } of this.#sorted()) if (contact.groups.includes(group)) found.push(contact)
    return found
  }

  #append(row: ContactRow): void {
    const last = this.#rows.at(-1)
    if (last !== undefined && last.position > row.position) this.#isSorted = false
    this.#rows.push(row)
  }

  #sorted(): ContactRow[] {
    if (!this.#isSorted) this.#rows.sort((one, other) => one.position - other.position)
    this.#isSorted = true
    return this.#rows
  }

  /** Returns the index of the first row at the position or behind it, in sorted rows. */
  #firstFrom(position: Position): number {
    let [from, to] = [0, this.#rows.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#rows[middle] as ContactRow).position < position) from = middle + 1
      else to = middle
    }
    return from
  }
}
