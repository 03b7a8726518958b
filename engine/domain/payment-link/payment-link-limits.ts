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

/** At its share an account's closed link that was created first leaves live state and the list. Its charges stay in the log. */
export const CLOSED_LINKS: Quota = {
  ...ACTIVE_LINKS,
  name: 'closed_payment_links',
  counts: 'closed payment links that lists show',
  countsFr: 'liens de paiement fermés affichés',
  atShare: 'oldest_gives_way',
}

/** Maximum of expired links of its account that the creation of a link closes. */
export const EXPIRED_CLOSED_MAX = 100
