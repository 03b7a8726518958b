// Every maximum of fulfillment, by name. How many payments may wait for theirs is in engine/domain/bill/bill-limits.ts.

/** From the moment the code may run. */
export const FULFILLMENT_RUN_MAX_MS = 10_000
export interface TurnLimits {
  /** Turns under way. */
  readonly turnsMax: number
  /** Of those, how many only accounts may take that have few under way and were not slow last. */
  readonly reservedTurns: number
  readonly fewTurns: number
  readonly perAccountMax: number
}

/** Of each environment. A run that waits for its fetch costs no thread. */
export const FULFILLMENT_TURNS: TurnLimits = { turnsMax: 256, reservedTurns: 56, fewTurns: 4, perAccountMax: 50 }
/** A run that took longer was a slow one: its merchant takes no reserved turn. */
export const SLOW_RUN_MS = 3_000
/** Idle merchants whose last run was slow and is remembered. */
export const SLOW_REMEMBERED_MAX = 1_000
/** Between two tries of a merchant whose code found no place in the sandbox: doubled with each refusal. */
export const RETRY_MIN_MS = 100
export const RETRY_MAX_MS = 4_000
/** Between two attempts to record an end: the mailbox or the disk is full. */
export const RECORD_RETRY_MS = 250
/** Runs under way at a stop get this long; a run that has started and is not recorded by then has failed. */
export const FULFILLMENT_STOP_WAIT_MS = 5_000
/** What is kept of an error of the merchant's code, in code points. */
export const FULFILLMENT_ERROR_LENGTH_MAX = 500
/** Open fulfillments that one query answers: a start with more asks again. About 10 MB. */
export const OPEN_FULFILLMENTS_PER_QUERY = 50_000
