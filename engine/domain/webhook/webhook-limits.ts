// Maximums and waiting times of webhooks. A command that exceeds one is rejected; a delivery is dropped until it is
// requested by hand.
import type { TimeMs } from '../../kernel/time.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Maximum of endpoints of one account. */
export const ENDPOINTS_MAX = 16
/**
 * Maximum of open deliveries of one endpoint, or of all own addresses of one account's charges: one per second for 14
 * hours.
 */
export const OPEN_PER_OWNER_MAX = 50_000
/** Maximum of all open deliveries, about 300 bytes each. */
export const OPEN_MAX = 1_000_000
/** Maximum of results in one command. */
export const RESULTS_PER_COMMAND_MAX = 256

/**
 * Waits from a failed attempt to the next. After the last wait a delivery fails for good. The first attempt has no
 * wait.
 */
export const RETRY_WAITS_MS: readonly TimeMs[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** Jitter: maximum share by which a wait varies, so that a receiver that recovers does not get all retries at once. */
export const RETRY_JITTER = 0.2
/** Maximum of a receiver's `Retry-After`. */
export const RETRY_AFTER_MAX_MS: TimeMs = 24 * HOUR_MS
/** Maximum time for which a replaced secret still signs. */
export const OVERLAP_MAX_S = 86_400
