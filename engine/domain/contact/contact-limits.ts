// Maximums of contacts. Commands that exceed one are rejected.
import type { Quota } from '../../kernel/quota.ts'

/** A row takes about 0.6 KB of memory. A merchant in test, whom no operator knows, has room for its whole share. */
export const CONTACTS: Quota = {
  name: 'contacts',
  counts: 'contacts',
  countsFr: 'contacts',
  holder: 'account',
  max: { live: 1_000_000, test: 400_000 },
  share: 100_000,
  atShare: 'refused',
  retryAfterS: 3600,
}
