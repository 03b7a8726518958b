// Maximums and lifetimes of charges. Commands that exceed one are rejected.
import type { TimeMs } from '../../kernel/time.ts'

/** Time from creation to expiry: the specification's 30 minutes. */
export const CHARGE_VALIDITY_MS: TimeMs = 30 * 60 * 1000

/** Maximum of pending charges of one account: 100 per second, never paid. A row takes about 250 bytes of memory. */
export const PENDING_PER_ACCOUNT_MAX = 200_000
/** Maximum of pending charges of all accounts. */
export const PENDING_MAX = 2_000_000
