// What an engine needs from outside, and what it counts.

import type { LogBudgets } from '../domain/log-budget/log-budget-limits.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { LogRecord } from '../domain/record.ts'
import type { KeptCurrencies } from '../kernel/currency.ts'
import type { Archive, Clock, DurableLog, LocalLogReader, Random, Scheduler } from './ports.ts'

/** Ports of a follower, which has no log to append to. */
export interface FollowerPorts {
  /** Copy of the log on this machine, for synchronous reads. */
  readonly localLog: LocalLogReader
  readonly archive: Archive
  readonly clock: Clock
  readonly random: Random
  readonly scheduler: Scheduler
  /** Called once, after a failed flush or archive write or a bug: the process must stop at once and replay at its next start. */
  readonly onFatal: (error: Error) => void
  /** The first subscriber. Gets each durable record, in order; stream events, webhooks and pushes are sent from here. */
  readonly onRecord?: (record: LogRecord) => void
  /** Daily maximum of log bytes by account; LOG_BYTES_PER_DAY when absent. */
  readonly logBudgets?: LogBudgets
  /** The currencies of new accounts; DEFAULT_CURRENCIES when absent. */
  readonly currencies?: KeptCurrencies
  /** The registry of nouns; all nouns of Cauri when absent. */
  readonly registry?: NounRegistry
}

export interface EnginePorts extends FollowerPorts {
  readonly log: DurableLog
}

export interface EngineFigures {
  turns: number
  records: number
  flushes: number
  flushedBytes: number
  snapshots: number
}
