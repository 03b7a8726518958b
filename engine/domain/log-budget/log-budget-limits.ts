// Every maximum of what an account may write into the log in a day (UTC, by the engine's clock), by name. Beyond it commands
// are rejected until the next day. The log is never trimmed, so what is written once is kept for ever.
import type { Environment } from '../../kernel/environment.ts'

const MIB = 1024 * 1024

/** Bytes a day of one merchant by environment; 0 = no limit. Settings may take the place of the defaults. */
export interface LogBudgets extends Readonly<Record<Environment, number>> {
  /** Of all accounts together that hold no live money: a thousand sign-ups do not make a thousand budgets. */
  readonly unproven: number
}

/** Some 600 000 charges that are never paid, beside those that LOG_BYTES_EARNED makes room for. */
export const LOG_BYTES_PER_DAY: LogBudgets = { live: 1024 * MIB, test: 1024 * MIB, unproven: 16_384 * MIB }

/** What an account without live money keeps once all of them together have used theirs up: some 2 500 charges, or 300 quotes. */
export const UNPROVEN_BYTES_LEFT = { merchant: 4 * MIB, wallet: MIB / 4 } as const

/** Bytes a day of one wallet: some 20 000 quotes or rejected transfers. */
export const WALLET_LOG_BYTES_PER_DAY = 16 * MIB

/**
 * What one transaction of live money gives back to its merchant's budget. A live payment writes 1 to 3 KiB, so a merchant whose
 * customers pay one charge in twenty stays below its budget at any volume.
 */
export const LOG_BYTES_EARNED = 64 * 1024

/** A record of live payments is not measured while it has no more events than this for each transaction. */
export const EVENTS_PER_TRANSACTION_FREE = 8

/**
 * Test money costs nothing, so payments in test count too: one record in so many is counted in full, chosen by the random part of
 * an id. A load test of 10 000 payouts a second for half an hour writes some 9 GB and counts 36 MB of them.
 */
export const TEST_PAYMENTS_COUNTED_ONE_IN = 256

/** What the log takes for a record and for an event beside their texts: head, offset, this count itself, a batch of its own. */
export const RECORD_OVERHEAD_BYTES = 256
export const EVENT_OVERHEAD_BYTES = 64
