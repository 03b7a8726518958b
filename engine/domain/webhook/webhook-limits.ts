// Maximums and waiting times of webhooks. A command that exceeds one is rejected; a delivery is dropped until it is
// requested by hand.
import type { Quota } from '../../kernel/quota.ts'
import type { TimeMs } from '../../kernel/time.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Maximum of endpoints of one account. */
export const ENDPOINTS_MAX = 16

export const WEBHOOK_ENDPOINTS: Quota = {
  name: 'webhook_endpoints',
  counts: 'webhook endpoints',
  countsFr: 'adresses de webhook',
  holder: 'account',
  max: { live: 400_000, test: 200_000 },
  share: ENDPOINTS_MAX,
  atShare: 'refused',
  retryAfterS: 3600,
}

/** A row takes about 300 bytes. The share is one delivery a second for 28 hours to a receiver that does not answer. */
export const OPEN_DELIVERIES: Quota = {
  name: 'open_deliveries',
  counts: 'webhook deliveries that have not ended',
  countsFr: 'livraisons de webhook en cours',
  holder: 'account',
  max: { live: 700_000, test: 300_000 },
  share: 100_000,
  atShare: 'oldest_gives_way',
  retryAfterS: 60,
}
/** Deliveries that one turn opens; the rest of a large batch's are opened by turns of their own. */
export const FAN_OUT_DELIVERIES = 64
/** What such a turn costs, in lines of a batch: a delivery takes twice the time of a line. */
export const FAN_OUT_LINES = 2 * FAN_OUT_DELIVERIES

/**
 * Time between two such turns, of one account or of several. Without it two merchants with 16 endpoints left the event loop no idle time,
 * and a payout waited for 10 turns. It allows 3 200 deliveries a second.
 */
export const FAN_OUT_PAUSE_MS: TimeMs = 20
/**
 * Deliveries of an endpoint without an attempt, up to which a fan-out opens more. Opening all 8 000 of each batch at once made rows and commits
 * for minutes of the dispatcher's work.
 */
export const FAN_OUT_AHEAD = 256
/** A fan-out whose endpoints all have so many goes on when one has half of them, and after this time at the latest. */
export const FAN_OUT_WAIT_MS: TimeMs = 5 * SECOND_MS

/** A row takes about 200 bytes. The events of one that gave way, and of one that had no room, have no deliveries: a redelivery by hand starts them. */
export const FAN_OUTS: Quota = {
  name: 'fan_outs',
  counts: 'batches whose webhook deliveries are not all begun',
  countsFr: 'lots dont les livraisons de webhook ne sont pas toutes commencées',
  holder: 'account',
  max: { live: 70_000, test: 30_000 },
  share: 1000,
  atShare: 'oldest_gives_way',
  retryAfterS: 60,
}
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
