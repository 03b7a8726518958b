// Every maximum of deposits and withdrawals by operators. At the limit we refuse.

/** Maximum of movements that wait for a second operator. */
export const APPROVALS_WAITING_MAX = 1_000
