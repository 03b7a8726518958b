// Mailboxes: one queue of commands for each account, served round-robin. A busy account does not delay the others.
import { MAILBOX_MAX, MAILBOXES_MAX } from '../kernel/limits.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Envelope, Reply } from './envelope.ts'

export interface QueuedCommand {
  readonly envelope: Envelope
  readonly reply: Reply
}

class Mailbox {
  readonly account: AccountNumber
  /** Null after a command was taken: a reference would keep the request's memory until the array is cut. */
  readonly commands: (QueuedCommand | null)[] = []
  next = 0

  constructor(account: AccountNumber) {
    this.account = account
  }

  get count(): number {
    return this.commands.length - this.next
  }

  take(): QueuedCommand {
    const at = this.next++
    const queued = this.commands[at] as QueuedCommand
    this.commands[at] = null
    return queued
  }

  /** Removes the empty slots of commands that were taken. */
  drop(): void {
    this.commands.splice(0, this.next)
    this.next = 0
  }
}

/** Maximum of empty slots at the front of the ring before they are removed: cuts are rare and the ring is bounded. */
const RING_CUT_AT = 1024

export class Mailboxes {
  readonly #boxes = new Map<AccountNumber, Mailbox>()
  /** Accounts with queued commands: taken at the front, added at the back. Null where one was taken. */
  readonly #ring: (Mailbox | null)[] = []
  #front = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Returns false when the account's mailbox, or all of them together, are full. */
  put(envelope: Envelope, reply: Reply): boolean {
    if (this.#count >= MAILBOXES_MAX) return false
    if ((this.#boxes.get(envelope.mailbox)?.count ?? 0) >= MAILBOX_MAX) return false
    this.putBeyondMaximum(envelope, reply)
    return true
  }

  /** Adds without the maximum: for the engine's own commands, which have their own. */
  putBeyondMaximum(envelope: Envelope, reply: Reply): void {
    let box = this.#boxes.get(envelope.mailbox)
    if (box === undefined) {
      box = new Mailbox(envelope.mailbox)
      this.#boxes.set(envelope.mailbox, box)
      this.#ring.push(box)
    }
    box.commands.push({ envelope, reply })
    this.#count++
  }

  /**
   * Returns the next command of the account that has waited longest. An account with more commands rejoins the ring
   * at the back.
   */
  take(): QueuedCommand | null {
    if (this.#count === 0) return null
    const box = this.#ring[this.#front] as Mailbox
    this.#ring[this.#front++] = null
    if (this.#front === RING_CUT_AT) this.#cut()
    const queued = box.take()
    this.#count--
    if (box.count === 0) this.#boxes.delete(box.account)
    else {
      this.#ring.push(box)
      if (box.next >= MAILBOX_MAX) box.drop()
    }
    return queued
  }

  #cut(): void {
    this.#ring.splice(0, this.#front)
    this.#front = 0
  }
}
