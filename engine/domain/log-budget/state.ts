// What each account has written into the log today. One small row for each account that wrote anything that no live payment
// paid for; a day later its row counts nothing.
import { Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

interface DayBytes {
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  readonly bytes: number
}

/** Version 1 of `log.counted`: added to its account's bytes of the day; below zero for what a live payment gives back. */
export interface LogCounted {
  readonly bytes: number
}

const DAY_MS: TimeMs = 86_400_000

export class LogBudget {
  /** By account number. */
  readonly written = new Table<DayBytes>('log_written')

  /** Bytes that count against the account on the day of `timeMs`. */
  writtenOn(account: AccountNumber, timeMs: TimeMs): number {
    if (this.written.size === 0) return 0
    const row = this.written.get(String(account))
    return row?.day === dayOf(timeMs) ? row.bytes : 0
  }

  /** A count that comes to nothing takes no room. */
  add(account: AccountNumber, timeMs: TimeMs, bytes: number): void {
    const key = String(account)
    const sum = this.writtenOn(account, timeMs) + bytes
    if (sum > 0) this.written.set(key, { day: dayOf(timeMs), bytes: sum })
    else if (this.written.get(key) !== undefined) this.written.delete(key)
  }
}

/** Milliseconds from `timeMs` to the next day. */
export function untilNextDayMs(timeMs: TimeMs): TimeMs {
  return DAY_MS - (timeMs % DAY_MS)
}

function dayOf(timeMs: TimeMs): number {
  return Math.floor(timeMs / DAY_MS)
}
