// How many schedules may be live.
import type { Quota } from '../../kernel/quota.ts'

/** A row takes about 400 bytes. */
export const LIVE_SCHEDULES: Quota = {
  name: 'schedules',
  counts: 'schedules that are active or paused',
  countsFr: 'versements programmés actifs ou en pause',
  holder: 'account',
  max: { live: 700_000, test: 300_000 },
  share: 10_000,
  atShare: 'refused',
  retryAfterS: 3600,
}
