// Maximums of payment links. Commands that exceed one are rejected.
import type { Quota } from '../../kernel/quota.ts'

/** A row takes about 1 KB of memory. */
export const ACTIVE_LINKS: Quota = {
  name: 'payment_links',
  counts: 'active payment links',
  countsFr: 'liens de paiement actifs',
  holder: 'account',
  max: { live: 100_000, test: 50_000 },
  share: 2_000,
  atShare: 'refused',
  retryAfterS: 3600,
}
