// How many schedules may be live.

/** Of one account. */
export const SCHEDULES_PER_ACCOUNT_MAX = 10_000
/** Of all accounts: some 400 bytes each. */
export const SCHEDULES_MAX = 1_000_000
