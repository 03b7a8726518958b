// Every maximum of webhook delivery, by name. Maxima of an endpoint's open deliveries are in
// engine/domain/webhook/webhook-limits.ts.

/** Active attempts over all working endpoints. */
export const SLOTS_MAX = 384
/** Active attempts over all failing or slow endpoints. They never take the slots of working ones. */
export const FAILING_SLOTS_MAX = 128
/**
 * Fraction of either that one merchant's endpoints may use, so that hanging endpoints leave three quarters to others.
 */
export const OWNER_SHARE = 0.25
/** AIMD limit of active attempts per endpoint: one more after a good response, half after a bad one. */
export const CONCURRENCY_START = 4
export const CONCURRENCY_MIN = 2
export const CONCURRENCY_MAX = 64
/** A slower response counts as bad. */
export const SLOW_ANSWER_MS = 5_000
/** Remembered failing endpoints without work. */
export const FAILING_ENDPOINTS_MAX = 10_000
/** Wait of attempts while the disk is full. */
export const DISK_PAUSE_MS = 1_000
/** Maximum wait for active attempts at a stop. Unrecorded ones repeat after the next start. */
export const STOP_WAIT_MS = 1_500

/** Open deliveries per query after a start. */
export const DELIVERIES_PER_READ = 1000
