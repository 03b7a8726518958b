// Events that the log keeps shorter than they read: which ones, and how they are whole again. A released form never
// changes: the next one gets a version of its own.
import type { Environment } from '../kernel/environment.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber, Transaction } from '../ledger/transaction.ts'
import { unpackBatch, unpackPayout } from './payout/batch-events.ts'
import type { StoredEvent } from './record.ts'

/** What of a record the short form leaves to the rest of it. */
export interface PackedContext {
  readonly account: AccountNumber
  readonly environment: Environment
  readonly timeMs: TimeMs
  readonly transactions: readonly Transaction[]
}

type Unpack = (text: string, context: PackedContext) => StoredEvent[]

const UNPACK: ReadonlyMap<string, readonly (Unpack | null)[]> = new Map([['batch.completed', [null, unpackBatch]]])

/** Null for an event whose text is whole. One packed event may stand for many. */
export function unpackerOf(type: string, version: number): Unpack | null {
  return UNPACK.get(type)?.[version] ?? null
}

/** One event out of the short form of many, without the others; null where there is no way to it but all of them. */
export const unpackOne = unpackPayout
