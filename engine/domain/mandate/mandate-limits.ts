// Every maximum and lifetime of mandates, by name.
import type { Quota } from '../../kernel/quota.ts'
import type { TimeMs } from '../../kernel/time.ts'

/** How long a customer may take to approve. */
export const APPROVAL_MAX_MS: TimeMs = 7 * 86_400_000
/** Between an attempt that found the wallet short and the next one. */
export const RETRY_AFTER_MS: TimeMs = 86_400_000
/** Attempts after the first; then the mandate pauses. */
export const RETRIES_MAX = 3
/** Requests of one merchant's account that one wallet has not answered. */
export const PENDING_PER_CUSTOMER_MAX = 20
/** Retry-After of a mandate that exceeds the maximum above, in seconds: open requests end when the customer answers. */
export const PENDING_FULL_RETRY_S = 3600
/** A row takes about 250 bytes. */
export const LIVE_MANDATES: Quota = {
  name: 'mandates',
  counts: 'mandates that are not final',
  countsFr: 'autorisations de prélèvement non terminées',
  holder: 'account',
  max: { live: 1_400_000, test: 600_000 },
  share: 200_000,
  atShare: 'refused',
  retryAfterS: 3600,
}
