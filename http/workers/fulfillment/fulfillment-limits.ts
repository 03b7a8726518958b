// Every maximum of fulfillment, by name. The maximum of waiting payments is in engine/domain/bill/bill-limits.ts.

/** Maximum time of a run. */
export const FULFILLMENT_RUN_MAX_MS = 10_000
export interface TurnLimits {
  /** Maximum active turns. */
  readonly turnsMax: number
  /** Turns reserved for accounts with few active turns and no recent slow run. */
  readonly reservedTurns: number
  readonly fewTurns: number
  readonly perAccountMax: number
}

/** Turns per environment. A run that waits for its fetch uses no thread. */
export const FULFILLMENT_TURNS: TurnLimits = { turnsMax: 256, reservedTurns: 56, fewTurns: 4, perAccountMax: 50 }
/** A longer run counts as slow: its merchant gets no reserved turn. */
export const SLOW_RUN_MS = 3_000
/** Remembered idle merchants whose last run was slow. */
export const SLOW_REMEMBERED_MAX = 1_000
/** Interval of retries while the sandbox has no room: doubled with each rejection. */
export const RETRY_MIN_MS = 100
export const RETRY_MAX_MS = 4_000
/** Interval of attempts to record an end while the mailbox or the disk is full. */
export const RECORD_RETRY_MS = 250
/** Maximum wait at a stop for runs that have called. One that is not recorded by then has failed; the stop itself ends within 9 s. */
export const FULFILLMENT_STOP_WAIT_MS = 7_000
/** The same in a cluster, where the log is handed over afterwards: meanwhile the node goes on answering. */
export const FULFILLMENT_HANDOVER_WAIT_MS = 5_000
/** Stored code points of an error of the merchant's code. */
export const FULFILLMENT_ERROR_LENGTH_MAX = 500
/** Open fulfillments per query, about 10 MB. A start with more queries again. */
export const OPEN_FULFILLMENTS_PER_QUERY = 50_000
