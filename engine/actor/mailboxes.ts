// Commands that wait, one queue for each account, taken round-robin over the accounts with work: a busy merchant
// waits behind itself, nobody else waits behind it.
import { MAILBOX_MAX, MAILBOXES_MAX } from '../kernel/limits.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Envelope, Reply } from './envelope.ts'

export interface Letter {
  readonly envelope: Envelope
  readonly reply: Reply
}

class Mailbox {
  readonly account: AccountNumber
  readonly letters: Letter[] = []
  next = 0

  constructor(account: AccountNumber) {
    this.account = account
  }

  get count(): number {
    return this.letters.length - this.next
  }
}

export class Mailboxes {
  readonly #boxes = new Map<AccountNumber, Mailbox>()
  /** Accounts with work, in turn. */
  #ring: Mailbox[] = []
  #at = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** False when the account's mailbox, or all of them together, are full. */
  put(envelope: Envelope, reply: Reply): boolean {
    if (this.#count >= MAILBOXES_MAX) return false
    let box = this.#boxes.get(envelope.mailbox)
    if (box === undefined) {
      box = new Mailbox(envelope.mailbox)
      this.#boxes.set(envelope.mailbox, box)
      this.#ring.push(box)
    } else if (box.count >= MAILBOX_MAX) return false
    box.letters.push({ envelope, reply })
    this.#count++
    return true
  }

  /** The next letter of the next account with work. */
  take(): Letter | null {
    if (this.#count === 0) return null
    if (this.#at >= this.#ring.length) this.#at = 0
    const box = this.#ring[this.#at] as Mailbox
    const letter = box.letters[box.next] as Letter
    box.next++
    this.#count--
    if (box.count === 0) this.#retire(box)
    else {
      this.#at++
      if (box.next >= MAILBOX_MAX) box.letters.splice(0, box.next), (box.next = 0)
    }
    return letter
  }

  /** An empty mailbox leaves memory; the last of the ring takes its place, so everybody still gets a turn each round. */
  #retire(box: Mailbox): void {
    this.#boxes.delete(box.account)
    const last = this.#ring.pop() as Mailbox
    if (last !== box) this.#ring[this.#at] = last
  }
}
