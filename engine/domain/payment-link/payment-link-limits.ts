// Maximums of payment links. Commands that exceed one are rejected.
import type { Environment } from '../../kernel/environment.ts'

/** Maximum of links of one account, active and closed. A row takes about 1 KB of memory. */
export const LINKS_PER_ACCOUNT_MAX = 2_000
/** Maximum of links of all accounts of an environment. */
export const LINKS_MAX: Readonly<Record<Environment, number>> = { live: 100_000, test: 50_000 }
