// Maximums of top-ups and withdrawals. Commands that exceed one are rejected.

/** Open requests of one kind and account. */
export const OPEN_PER_ACCOUNT_MAX = 1000
/** Open requests of all accounts: about 200 bytes of memory each. */
export const OPEN_MAX = 200_000
