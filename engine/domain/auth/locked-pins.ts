// Secondary index of the counts of wrong PINs that were locked at least once in a row, for the operators' list.

import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { LOCKED_PINS_LISTED_MAX } from './auth-limits.ts'

/** A wallet whose PIN was locked, by wrong PINs on one device or without one. */
export interface LockedPin {
  readonly account: AccountNumber
  /** Number of locks in a row. */
  readonly locks: number
  readonly locked_until_ms: TimeMs
}

export class LockedPins {
  readonly #locked = new Map<string, LockedPin>()

  /** Follows a change of a count. `device` is empty for the count without a device. */
  index(row: LockedPin | undefined, before: LockedPin | undefined, device = ''): void {
    const { account } = (row ?? before) as LockedPin
    const key = `${account} ${device}`
    this.#locked.delete(key)
    if (row === undefined || row.locks === 0) return
    this.#locked.set(key, { account, locks: row.locks, locked_until_ms: row.locked_until_ms })
    if (this.#locked.size > LOCKED_PINS_LISTED_MAX) this.#locked.delete(this.#locked.keys().next().value as string)
  }

  /** Returns the counts, the one that was locked last in front. */
  newestFirst(): LockedPin[] {
    return [...this.#locked.values()].sort((one, other) => other.locked_until_ms - one.locked_until_ms || one.account - other.account)
  }
}
