// Mailboxes: one queue of commands for each account. Turns are shared out by cost, which is counted in lines: an account with batches
// does not delay the payouts of others.
import { FairTurns } from '../kernel/fair-turns.ts'
import { MAILBOX_MAX, MAILBOXES_MAX } from '../kernel/limits.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Envelope, Reply } from './envelope.ts'

export interface QueuedCommand {
  readonly envelope: Envelope
  readonly reply: Reply
  /** Lines of its batch; one for any other command. */
  readonly cost: number
}

export class Mailboxes {
  readonly #turns = new FairTurns<AccountNumber, QueuedCommand>()

  get count(): number {
    return this.#turns.count
  }

  /** Returns false when the account's mailbox, or all of them together, are full. */
  put(envelope: Envelope, reply: Reply, cost: number): boolean {
    if (this.#turns.count >= MAILBOXES_MAX || this.#turns.countOf(envelope.mailbox) >= MAILBOX_MAX) return false
    this.putBeyondMaximum(envelope, reply, cost)
    return true
  }

  /** Adds without the maximum: for the engine's own commands, which have their own. */
  putBeyondMaximum(envelope: Envelope, reply: Reply, cost: number): void {
    this.#turns.put(envelope.mailbox, { envelope, reply, cost })
  }

  /** Returns the command whose turn it is; null without one, and where it costs more than `costMax`. */
  take(costMax?: number | undefined): QueuedCommand | null {
    return this.#turns.take(costMax)
  }
}
