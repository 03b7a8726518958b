// Commands that wait, one queue for each account, taken round-robin over the accounts with work: a busy merchant
// waits behind itself, nobody else waits behind it.
import { MAILBOX_MAX, MAILBOXES_MAX } from '../kernel/limits.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Envelope, Reply } from './envelope.ts'

export interface QueuedCommand {
  readonly envelope: Envelope
  readonly reply: Reply
}

class Mailbox {
  readonly account: AccountNumber
  /** Null where a letter was taken: what a request holds must not live as long as the array that it waited in. */
  readonly letters: (QueuedCommand | null)[] = []
  next = 0

  constructor(account: AccountNumber) {
    this.account = account
  }

  get count(): number {
    return this.letters.length - this.next
  }

  take(): QueuedCommand {
    const at = this.next++
    const letter = this.letters[at] as QueuedCommand
    this.letters[at] = null
    return letter
  }

  /** Cuts off the places of the letters that were taken. */
  drop(): void {
    this.letters.splice(0, this.next)
    this.next = 0
  }
}

/** Places at the front of the ring that were left, before they are cut off: few cuts, and no ring that only grows. */
const RING_CUT_AT = 1024

export class Mailboxes {
  readonly #boxes = new Map<AccountNumber, Mailbox>()
  /** Accounts with work, in turn: taken at the front, joined and rejoined at the back. Null where one was taken. */
  readonly #ring: (Mailbox | null)[] = []
  #front = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** False when the account's mailbox, or all of them together, are full. */
  put(envelope: Envelope, reply: Reply): boolean {
    if (this.#count >= MAILBOXES_MAX) return false
    if ((this.#boxes.get(envelope.mailbox)?.count ?? 0) >= MAILBOX_MAX) return false
    this.putOurs(envelope, reply)
    return true
  }

  /** Never refuses: for the engine's own commands, which have their own bound. */
  putOurs(envelope: Envelope, reply: Reply): void {
    let box = this.#boxes.get(envelope.mailbox)
    if (box === undefined) {
      box = new Mailbox(envelope.mailbox)
      this.#boxes.set(envelope.mailbox, box)
      this.#ring.push(box)
    }
    box.letters.push({ envelope, reply })
    this.#count++
  }

  /** The next letter of the account that has waited longest for a turn; with more letters it goes to the back of the ring. */
  take(): QueuedCommand | null {
    if (this.#count === 0) return null
    const box = this.#ring[this.#front] as Mailbox
    this.#ring[this.#front++] = null
    if (this.#front === RING_CUT_AT) this.#cut()
    const letter = box.take()
    this.#count--
    if (box.count === 0) this.#boxes.delete(box.account)
    else {
      this.#ring.push(box)
      if (box.next >= MAILBOX_MAX) box.drop()
    }
    return letter
  }

  #cut(): void {
    this.#ring.splice(0, this.#front)
    this.#front = 0
  }
}
