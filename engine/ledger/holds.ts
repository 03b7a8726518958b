// Holds: money that an account still owns and may not spend. A hold is placed once and ends once: captured, voided or
// expired. The only code that changes the holds of an account. It moves no money: the posting of a capture does.
import type { Amount } from '../kernel/amount.ts'
import { assert } from '../kernel/assert.ts'
import { SnapshotTables, Table } from '../kernel/table.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { Accounts } from './accounts.ts'
import type { AccountNumber, Posting } from './transaction.ts'

/** States that each state of a hold may lead to. Captured, voided and expired are final. */
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
  /** From this time on the hold may expire and cannot be captured. */
  readonly expires_at: TimeMs
  readonly state: HoldState
}

export class Holds extends SnapshotTables {
  /** Holds that have not ended. Ended holds are only in the events of the log. */
  readonly table = new Table<Hold>(this, 'hold', { boundedBy: 'one row of each open withdrawal' })
  readonly #accounts: Accounts

  constructor(accounts: Accounts) {
    super()
    this.#accounts = accounts
  }

  get(id: string): Hold | undefined {
    return this.table.get(id)
  }

  /** Whether the account can cover one more hold of this amount. Decisions check it before they place one. */
  canPlace(account: AccountNumber, amount: Amount): boolean {
    return this.#accounts.available(account) >= amount
  }

  isExpired(hold: Hold, nowMs: TimeMs): boolean {
    return nowMs >= hold.expires_at
  }

  /** Returns the posting of a capture: the whole amount, or a part of it, debited from the account of the hold. */
  capturePosting(id: string, credit: AccountNumber, part?: Amount): Posting {
    const { account, amount: held } = this.#placed(id)
    const amount = part ?? held
    assert(amount <= held, 'a capture takes what is held')
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

  /** Ends the hold, so that the posting of the same record can take the money. `nowMs` is the record's time. */
  capture(id: string, nowMs: TimeMs): Hold {
    assert(!this.isExpired(this.#placed(id), nowMs), 'a hold that has expired is not captured')
    return this.#end(id, 'captured')
  }

  /** Ends the hold. The account may spend the money again. */
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
