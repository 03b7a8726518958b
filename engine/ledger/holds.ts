// Holds: money that is still an account's own and already promised. A hold is placed once and ends once: captured, voided
// or expired. The only code that changes what is held of an account; it moves no money, a capture's posting does.
import type { Amount } from '../kernel/amount.ts'
import { assert } from '../kernel/assert.ts'
import { SnapshotTables, Table } from '../kernel/table.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { Accounts } from './accounts.ts'
import type { AccountNumber, Posting } from './transaction.ts'

/** What may become of a hold; the ends are final. */
export const HOLD_TRANSITIONS = {
  placed: ['captured', 'voided', 'expired'],
  captured: [],
  voided: [],
  expired: [],
} as const satisfies Record<string, readonly string[]>

export type HoldState = keyof typeof HOLD_TRANSITIONS

export interface Hold {
  readonly id: string
  readonly account: AccountNumber
  readonly amount: Amount
  /** From here on it may expire, and be captured no more. */
  readonly expires_at: TimeMs
  readonly state: HoldState
}

export class Holds extends SnapshotTables {
  /** Holds that have not ended. Those that have are history: the events of the log tell of them. */
  readonly table = new Table<Hold>(this, 'hold')
  readonly #accounts: Accounts

  constructor(accounts: Accounts) {
    super()
    this.#accounts = accounts
  }

  get(id: string): Hold | undefined {
    return this.table.get(id)
  }

  /** Whether the account could cover one more hold of this amount: what a decision asks before it plans one. */
  canPlace(account: AccountNumber, amount: Amount): boolean {
    return this.#accounts.available(account) >= amount
  }

  isExpired(hold: Hold, nowMs: TimeMs): boolean {
    return nowMs >= hold.expires_at
  }

  /** The posting that a capture is decided with: the whole amount, from the account that the hold is on. */
  capturePosting(id: string, credit: AccountNumber): Posting {
    const { account, amount } = this.#placed(id)
    return { debit: account, credit, amount }
  }

  place(hold: Omit<Hold, 'state'>): Hold {
    const { id, account, amount, expires_at } = hold
    assert(this.table.get(id) === undefined, 'a hold is placed once')
    assert(Number.isSafeInteger(amount) && amount > 0, 'a hold is of a positive safe integer')
    this.#accounts.changeHeld(account, amount)
    const placed: Hold = { id, account, amount, expires_at, state: 'placed' }
    this.table.set(id, placed)
    return placed
  }

  /** The money is free for the posting that stands in the same record. `nowMs` is the record's time. */
  capture(id: string, nowMs: TimeMs): Hold {
    assert(!this.isExpired(this.#placed(id), nowMs), 'a hold that has expired is not captured')
    return this.#end(id, 'captured')
  }

  /** The money is its owner's to spend again. */
  void(id: string): Hold {
    return this.#end(id, 'voided')
  }

  expire(id: string, nowMs: TimeMs): Hold {
    assert(this.isExpired(this.#placed(id), nowMs), 'a hold does not expire before its time')
    return this.#end(id, 'expired')
  }

  #end(id: string, state: (typeof HOLD_TRANSITIONS)['placed'][number]): Hold {
    const hold = this.#placed(id)
    this.#accounts.changeHeld(hold.account, -hold.amount)
    this.table.delete(id)
    return { ...hold, state }
  }

  #placed(id: string): Hold {
    const hold = this.table.get(id)
    assert(hold !== undefined, 'the hold is there and has not ended')
    return hold
  }
}
