// Every maximum of fulfillment, by name. How many payments may wait for theirs is in engine/domain/bill/limits.ts.

/** From the moment the code may run. */
export const FULFILLMENT_RUN_MAX_MS = 10_000
/** One in so many threads of the sandbox may fulfill in an environment: the others are for lookups, which somebody waits for. */
export const THREADS_PER_FULFILLMENT = { live: 2, test: 4 } as const
/** Runs under way of one merchant; the sandbox takes no more. */
export const FULFILLMENTS_PER_MERCHANT_MAX = 2
/** Whoever has waited longer is not begun any more: the merchant's webhook waits behind it. */
export const FULFILLMENT_WAIT_MAX_MS = 60_000
/** A run that took longer was a slow one: such merchants share slots of their own. */
export const SLOW_RUN_MS = 3_000
/** Between two tries at a full mailbox, a full disk or a full sandbox. */
export const RETRY_MS = 250
/** What is under way at a stop gets this long; what has started and is not recorded by then has failed. */
export const FULFILLMENT_STOP_WAIT_MS = 5_000
/** What is kept of an error of the merchant's code, in code points. */
export const FULFILLMENT_ERROR_LENGTH_MAX = 500
