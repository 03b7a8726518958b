// Maximums and lifetimes of charges. Commands that exceed one are rejected.
import type { Quota } from '../../kernel/quota.ts'
import type { TimeMs } from '../../kernel/time.ts'

/** Time from creation to expiry: the specification's 30 minutes. */
export const CHARGE_VALIDITY_MS: TimeMs = 30 * 60 * 1000

/** The share is 100 charges a second that are never paid. A row takes about 250 bytes. */
export const PENDING_CHARGES: Quota = {
  name: 'pending_charges',
  counts: 'pending charges',
  countsFr: 'demandes de paiement en attente',
  holder: 'account',
  max: { live: 1_400_000, test: 600_000 },
  share: 200_000,
  atShare: 'refused',
  retryAfterS: 60,
}
