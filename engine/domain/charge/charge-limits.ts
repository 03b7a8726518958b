// Every maximum and lifetime of charges, by name. At the limit we refuse.
import type { TimeMs } from '../../kernel/time.ts'

/** From creation to expiry; the specification's 30 minutes. */
export const CHARGE_VALIDITY_MS: TimeMs = 30 * 60 * 1000

/** Pending charges of one account: 100 a second that nobody ever pays. Rows are small, about 250 bytes in memory. */
export const PENDING_PER_ACCOUNT_MAX = 200_000
/** Pending charges of all accounts together. */
export const PENDING_MAX = 2_000_000
