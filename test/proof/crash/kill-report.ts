// What the kill rounds of one run came to.
import { KILL_WRITE_KINDS } from './kill-writes.ts'
import { moneyOperations } from './money-operations.ts'

export interface KillReport {
  rounds: number
  /** Data folders, each with its own accounts. */
  folders: number
  acknowledged: number
  /** Acknowledged writes by kind. */
  readonly kinds: Record<string, number>
  /** Acknowledged writes by operation of the document. */
  readonly operations: Record<string, number>
  /** Requests without an answer, and what had become of their writes. */
  readonly unknown: { attempts: number; executed: number; notExecuted: number }
  readings: number
  scheduleRuns: number
  disbursements: number
  /** Bills whose hosted code has run to its end, and those of them that needed a redelivery. */
  fulfillments: number
  interruptedFulfillments: number
  /** Keys that fifty clients sent at once around a kill, and their answers after it. */
  duplicatedKeys: number
  duplicates: number
  killsWhileStarting: number
  archivesDeleted: number
  /** Starts by HTTP threads. */
  readonly threads: Record<string, number>
  /** What must never be. */
  readonly faults: string[]
}

/** Returns the kinds of writes that no round has acknowledged. */
export function kindsNotSeen({ kinds }: KillReport): string[] {
  return KILL_WRITE_KINDS.filter((kind) => kinds[kind] === undefined)
}

/** Returns the operations of the document that can move money and whose writes no round has acknowledged. */
export function operationsNotSeen({ operations }: KillReport): string[] {
  return moneyOperations().filter((operation) => operations[operation] === undefined)
}

export function newReport(): KillReport {
  return {
    rounds: 0,
    folders: 0,
    acknowledged: 0,
    kinds: {},
    operations: {},
    unknown: { attempts: 0, executed: 0, notExecuted: 0 },
    readings: 0,
    scheduleRuns: 0,
    disbursements: 0,
    fulfillments: 0,
    interruptedFulfillments: 0,
    duplicatedKeys: 0,
    duplicates: 0,
    killsWhileStarting: 0,
    archivesDeleted: 0,
    threads: {},
    faults: [],
  }
}
