// Every maximum and waiting time of webhooks, by name. At the limit we refuse, or leave a delivery to be asked for by hand.
import type { TimeMs } from '../../kernel/time.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Endpoints of one account. */
export const ENDPOINTS_MAX = 16
/** Open deliveries of one endpoint, or of all own addresses of one account's charges: 14 hours of one each second. */
export const OPEN_PER_OWNER_MAX = 50_000
/** Open deliveries of all together, about 300 bytes each. */
export const OPEN_MAX = 1_000_000
/** Results that one command may carry. */
export const RESULTS_PER_COMMAND_MAX = 256

/** From a failed attempt to the next; after the last of them a delivery is given up. The first attempt is made at once. */
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
/** Each wait is longer or shorter by up to this share, so that a receiver that comes back is not met by all at once. */
export const RETRY_JITTER = 0.2
/** A receiver's `Retry-After` is honoured up to here. */
export const RETRY_AFTER_MAX_MS: TimeMs = 24 * HOUR_MS
/** A secret that was replaced goes on signing for this long at most. */
export const OVERLAP_MAX_S = 86_400
