// Secondary index of the counts of wrong PINs that were locked at least once in a row, for the operators' list.

import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

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
    if (row === undefined || row.locks === 0) this.#locked.delete(key)
    else this.#locked.set(key, { account, locks: row.locks, locked_until_ms: row.locked_until_ms })
  }

  /** Returns the counts, the one that was locked first in front. */
  values(): IterableIterator<LockedPin> {
    return this.#locked.values()
  }
}
