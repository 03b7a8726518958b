// Maximums of top-ups and withdrawals. Commands that exceed one are rejected.
import type { Quota } from '../../kernel/quota.ts'
import type { TimeMs } from '../../kernel/time.ts'

/** A row takes about 200 bytes. */
export const OPEN_TOP_UPS: Quota = {
  name: 'top_ups',
  counts: 'top-ups that are not decided',
  countsFr: 'approvisionnements en attente',
  holder: 'account',
  max: { live: 70_000, test: 30_000 },
  share: 1_000,
  atShare: 'refused',
  retryAfterS: 3600,
}

export const OPEN_WITHDRAWALS: Quota = {
  ...OPEN_TOP_UPS,
  name: 'withdrawals',
  counts: 'withdrawals that are not decided',
  countsFr: 'retraits en attente',
}

export const WITHDRAWAL_ACCOUNTS: Quota = {
  ...OPEN_TOP_UPS,
  name: 'withdrawal_accounts',
  counts: 'saved withdrawal accounts',
  countsFr: 'comptes de retrait enregistrés',
  share: 100,
}

/** Time from the creation of a live withdrawal account to its first use, unless an operator confirms it. */
export const ACCOUNT_WAIT_MS: TimeMs = 24 * 60 * 60 * 1000
