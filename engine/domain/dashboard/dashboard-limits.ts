// Every maximum and lifetime of the dashboard's accounts, by name. At the limit we refuse, or the oldest gives way.
import type { Quota } from '../../kernel/quota.ts'

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
/** Newest links to reset a password that work together: a stranger's request must not end that of the owner. */
export const RESET_LINKS_MAX = 3
/** Such links to one e-mail address in an hour. */
export const RESETS_PER_HOUR = 5
export const RESET_WINDOW_MS = 60 * MINUTE_MS
/** After a confirmation was sent, no other one goes to the same address for so long. */
export const LINK_INTERVAL_MS = MINUTE_MS
/** Links of sign-ups and invitations. The share is an invitation and a confirmation of each member, and some more. */
export const SENT_LINKS: Quota = {
  name: 'dashboard_links',
  counts: 'open links in e-mails of sign-up and invitation',
  countsFr: 'liens de confirmation et d’invitation ouverts',
  holder: 'merchant',
  max: { both: 100_000 },
  share: 3 * MEMBERS_MAX,
  atShare: 'not_made',
  retryAfterS: 3600,
}
/** Links of password resets, apart from those of sign-ups: a stranger with many accounts takes no room from a reset. */
export const RESET_LINKS: Quota = {
  ...SENT_LINKS,
  name: 'password_resets',
  counts: 'open links of password resets',
  countsFr: 'liens de réinitialisation du mot de passe ouverts',
}
export const MEMBERS: Quota = {
  name: 'members',
  counts: 'members of merchants',
  countsFr: 'membres des comptes marchands',
  holder: 'merchant',
  max: { both: 1_000_000 },
  share: MEMBERS_MAX,
  atShare: 'refused',
  retryAfterS: 3600,
}
export const DASHBOARD_SESSIONS: Quota = {
  name: 'dashboard_sessions',
  counts: 'dashboard sessions',
  countsFr: 'sessions du tableau de bord',
  holder: 'user',
  max: { both: 2_000_000 },
  share: DASHBOARD_SESSIONS_MAX,
  atShare: 'oldest_gives_way',
  retryAfterS: 3600,
}
/** Recovery codes of one user. */
export const RECOVERY_CODES = 10
