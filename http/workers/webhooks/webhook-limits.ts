// Every maximum of webhook delivery, by name. Maxima of an endpoint's open deliveries are in
// engine/domain/webhook/webhook-limits.ts.
import type { TimeMs } from '../../../engine/kernel/time.ts'

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
/** What an attempt costs of its account's turns of fair work, in units of 30 µs: the signature, the call, and the record of its result. */
export const ATTEMPT_COST = 6
/**
 * One attempt of an account begins at once in such a window of time, unless one did in the window before: each of an account that has 31 a
 * second at even distances.
 */
export const AT_ONCE_WINDOW_MS: TimeMs = 16
/** Accounts with such an attempt in one window: together they take a tenth of the event loop. */
export const AT_ONCE_MAX = 8
/** Wait of attempts while the disk is full. */
export const DISK_PAUSE_MS = 1_000
/** Maximum wait for active attempts at a stop. Unrecorded ones repeat after the next start. */
export const STOP_WAIT_MS = 1_500

/** Open deliveries per query after a start. */
export const DELIVERIES_PER_READ = 1000
