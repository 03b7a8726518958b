// What each account has written into the log today. One small row for each account that wrote anything that no live payment
// paid for; a day later its row counts nothing.
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

interface DayBytes {
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  readonly bytes: number
}

/** The payload of `log.counted`: added to its account's bytes of the day; below zero for what a live payment gives back. */
export interface LogCounted {
  readonly bytes: number
  /** The account held no live money: counts for all such accounts together, too. */
  readonly unproven?: true
}

/** Key of the row of all accounts without live money. */
const UNPROVEN = 'unproven'

const DAY_MS: TimeMs = 86_400_000

declare module '../state.ts' {
  interface State {
    readonly logBudget: LogBudget
  }
}

export class LogBudget extends SnapshotTables {
  /** By account number, and one row for all accounts without live money together. */
  readonly written = new Table<DayBytes>(this, 'log_written', { boundedBy: 'one row of each account' })

  /** Bytes that count against the account on the day of `timeMs`. */
  writtenOn(account: AccountNumber, timeMs: TimeMs): number {
    return this.written.size === 0 ? 0 : this.#bytesOf(String(account), timeMs)
  }

  /** The same of all accounts together that held no live money when they wrote. */
  unprovenOn(timeMs: TimeMs): number {
    return this.#bytesOf(UNPROVEN, timeMs)
  }

  /** A count that comes to nothing takes no room. */
  add(account: AccountNumber, timeMs: TimeMs, { bytes, unproven }: LogCounted): void {
    this.#add(String(account), timeMs, bytes)
    if (unproven === true) this.#add(UNPROVEN, timeMs, bytes)
  }

  #add(key: string, timeMs: TimeMs, bytes: number): void {
    const sum = this.#bytesOf(key, timeMs) + bytes
    if (sum > 0) this.written.set(key, { day: dayOf(timeMs), bytes: sum })
    else if (this.written.get(key) !== undefined) this.written.delete(key)
  }

  #bytesOf(key: string, timeMs: TimeMs): number {
    const row = this.written.get(key)
    return row?.day === dayOf(timeMs) ? row.bytes : 0
  }
}

/** Milliseconds from `timeMs` to the next day. */
export function untilNextDayMs(timeMs: TimeMs): TimeMs {
  return DAY_MS - (timeMs % DAY_MS)
}

function dayOf(timeMs: TimeMs): number {
  return Math.floor(timeMs / DAY_MS)
}
