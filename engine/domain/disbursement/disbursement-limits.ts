// Every maximum of disbursements, by name.
import type { Quota } from '../../kernel/quota.ts'

/** Lines of one stored event, and those that a turn pays: half a millisecond. 500 held the payouts of others up for 5 ms, and their flush for as long. */
export const LINES_PER_BLOCK = 64
/** Stored events of a record. */
export const BLOCKS_PER_RECORD = 8
/** Lines that a turn judges: those of one record. */
export const JUDGED_PER_TURN = LINES_PER_BLOCK * BLOCKS_PER_RECORD
/** How long a disbursement waits for the budget of unknown recipients before it tries again. */
export const RECIPIENT_CHECKS_WAIT_MS = 10_000

/** A row takes about 1 KiB, and 100 bytes for each turn. */
export const LIVE_DISBURSEMENTS: Quota = {
  name: 'disbursements',
  counts: 'disbursements that have not ended',
  countsFr: 'versements de masse qui ne sont pas terminés',
  holder: 'account',
  max: { live: 70_000, test: 30_000 },
  share: 1000,
  atShare: 'refused',
  retryAfterS: 3600,
}
