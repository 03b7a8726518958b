// Every maximum and lifetime of the dashboard's accounts, by name. At the limit we refuse, or the oldest gives way.

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Lifetime from login on, active or not. Then the password is required again. */
export const DASHBOARD_SESSION_LIFETIME_MS = 14 * DAY_MS
/** Sessions of one user; the one that was opened first gives way. */
export const DASHBOARD_SESSIONS_MAX = 20

/** Wrong passwords in a row for one e-mail address; the last of them locks. */
export const PASSWORD_ATTEMPTS_MAX = 10
/** The first lock; each further one is twice as long, up to the longest. A right password starts over. */
export const PASSWORD_LOCK_MS = 15 * MINUTE_MS
export const PASSWORD_LOCK_MAX_MS = DAY_MS
/** What was tried is forgotten so long after the last try or lock. */
export const PASSWORD_COUNT_LIFETIME_MS = DAY_MS
/**
 * Maximum of addresses with a count, unknown ones included. Each one costs its caller a slow hash. A full table drops
 * the count that expires first.
 */
export const PASSWORD_COUNTS_MAX = 50_000

/** Users and open invitations of one merchant. */
export const MEMBERS_MAX = 100
/** Open invitations of a merchant whose inviting owner has not confirmed the e-mail address. */
export const UNCONFIRMED_INVITATIONS_MAX = 3
/** Lifetimes of the links in e-mails. */
export const INVITATION_LIFETIME_MS = 7 * DAY_MS
export const CONFIRMATION_LIFETIME_MS = 7 * DAY_MS
export const RESET_LIFETIME_MS = 30 * MINUTE_MS
/** After a link was sent, no other one of its kind goes to the same address for so long. */
export const LINK_INTERVAL_MS = MINUTE_MS
/** Maximum of open links of all merchants. At the limit none is made. */
export const LINKS_MAX = 100_000
/** Recovery codes of one user. */
export const RECOVERY_CODES = 10
