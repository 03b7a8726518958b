// Mailboxes: one queue of commands for each account. Turns are shared out by cost, which is counted in lines: an account with batches
// does not delay the payouts of others. What waits is a quota: accounts that fill their queues leave room for those of others.
import { ENVIRONMENTS, type Environment } from '../kernel/environment.ts'
import { FairTurns } from '../kernel/fair-turns.ts'
import { WAITING_COMMANDS } from '../kernel/limits.ts'
import { FILLED_BY, fewOf, hasRoomIn, type PartFigures, type QuotaCounts, type QuotaHolder, type QuotaPart } from '../kernel/quota.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Envelope, Reply } from './envelope.ts'

export interface QueuedCommand {
  readonly envelope: Envelope
  readonly reply: Reply
  /** Lines of its batch; one for any other command. */
  readonly cost: number
}

/** It is reused when its turn has ended. */
interface Place {
  envelope: Envelope | null
  reply: Reply | null
  cost: number
}

/** Places without a command that are kept. */
const SPARE_MAX = 1024

/** What the quota has to know of an account. */
export interface MailboxAccounts {
  environment(account: AccountNumber): Environment
  isProven(account: AccountNumber): boolean
}

const { share } = WAITING_COMMANDS
const MAX = WAITING_COMMANDS.max as Readonly<Record<Environment, number>>

export class Mailboxes implements QuotaCounts {
  readonly quota = WAITING_COMMANDS
  readonly #accounts: MailboxAccounts
  readonly #turns = new FairTurns<AccountNumber, Place>()
  readonly #spare: Place[] = []
  readonly #rows: Record<Environment, number> = { live: 0, test: 0 }

  constructor(accounts: MailboxAccounts) {
    this.#accounts = accounts
  }

  get count(): number {
    return this.#turns.count
  }

  /** Returns false when the account has no room for one command more. */
  put(envelope: Envelope, reply: Reply, cost: number): boolean {
    if (!this.#hasRoom(envelope.mailbox)) return false
    this.putBeyondMaximum(envelope, reply, cost)
    return true
  }

  /** Adds without the maximum: for the engine's own commands, which have their own. */
  putBeyondMaximum(envelope: Envelope, reply: Reply, cost: number): void {
    this.#rows[this.#accounts.environment(envelope.mailbox)]++
    const place = this.#spare.pop() ?? { envelope: null, reply: null, cost: 0 }
    place.envelope = envelope
    place.reply = reply
    place.cost = cost
    this.#turns.put(envelope.mailbox, place)
  }

  /** Returns the command whose turn it is, until `done`; null without one, and where it costs more than `costMax`. */
  take(costMax?: number | undefined): QueuedCommand | null {
    const taken = this.#turns.take(costMax) as QueuedCommand | null
    if (taken !== null) this.#rows[this.#accounts.environment(taken.envelope.mailbox)]--
    return taken
  }

  /** Takes back what `take` returned: an object for each command was garbage. */
  done(taken: QueuedCommand): void {
    const place = taken as Place
    place.envelope = null
    place.reply = null
    if (this.#spare.length < SPARE_MAX) this.#spare.push(place)
  }

  get figures(): PartFigures[] {
    return ENVIRONMENTS.map((part) => {
      const holder = this.#largestIn(part)
      return { part, rows: this.#rows[part], max: MAX[part], largest: holder === null ? 0 : this.#turns.countOf(holder) }
    })
  }

  largestHolder(part: QuotaPart): QuotaHolder | null {
    return part === 'both' ? null : this.#largestIn(part)
  }

  #hasRoom(account: AccountNumber): boolean {
    const part = this.#accounts.environment(account)
    const own = this.#turns.countOf(account)
    const rows = this.#rows[part]
    const max = MAX[part]
    // Every payout asks: accounts are looked at where the reserves begin.
    if (own < share && rows < Math.floor(max * FILLED_BY.many)) return true
    return hasRoomIn({ own, share, rows, max, few: fewOf(max) }, this.#accounts.isProven(account))
  }

  #largestIn(part: Environment): AccountNumber | null {
    let [most, found]: [number, AccountNumber | null] = [0, null]
    for (const account of this.#turns.keys()) {
      const count = this.#turns.countOf(account)
      if (count > most && this.#accounts.environment(account) === part) [most, found] = [count, account]
    }
    return found
  }
}
