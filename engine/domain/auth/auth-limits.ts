// Maximums and lifetimes of wallet sign-in. Commands that exceed one are rejected.
import type { Quota } from '../../kernel/quota.ts'
import type { TimeMs } from '../../kernel/time.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const OTP_LENGTH = 6
export const OTP_LIFETIME_MS = 5 * MINUTE_MS
/** Advice to clients; only the limits below reject. */
export const OTP_RESEND_MS = 30 * SECOND_MS
/** Maximum of wrong codes of a challenge. The last one ends it. */
export const OTP_CHECKS_MAX = 5

/** Maximums of codes sent within a time, by recipient and by requester. */
export interface SendLimit {
  readonly most: number
  readonly withinMs: TimeMs
}

/** Maximum of codes to one phone requested from one network. Requests from other networks do not count. */
export const SENDS_PER_PHONE: SendLimit = { most: 5, withinMs: 10 * MINUTE_MS }
/**
 * Maximum of codes to one phone from all networks, against SMS bombing. It does not apply to a network from which the
 * phone's owner has signed in. Equal to the maximum of one address, so one caller alone never reaches it first.
 */
export const SENDS_PER_PHONE_CEILING: SendLimit = { most: 20, withinMs: HOUR_MS }
export const SENDS_PER_ADDRESS: SendLimit = { most: 20, withinMs: HOUR_MS }

/**
 * Open challenges by network: strangers request them. A network at its share drops its oldest challenge, and a full part
 * drops the oldest one of the network with the most; a new one is never rejected.
 */
export const CHALLENGES: Quota = {
  name: 'otp_challenges',
  counts: 'open codes by SMS',
  countsFr: 'codes par SMS en cours',
  holder: 'network',
  max: { live: 50_000, test: 20_000 },
  share: 10_000,
  atShare: 'oldest_gives_way',
  retryAfterS: 60,
}
/** Maximum of open challenges of one phone, purpose and address. The oldest is dropped. */
export const CHALLENGES_PER_PHONE_MAX = 5
/** Maximum of locked PINs in the operators' list. The one that changed first is dropped; its lock stays. */
export const LOCKED_PINS_LISTED_MAX = 1000
/** Maximum of networks stored for a wallet, from which its owner has signed in. The oldest is dropped. */
export const KNOWN_NETWORKS_MAX = 5

/** Time from the right code to the last step. */
export const SIGNUP_LIFETIME_MS = 15 * MINUTE_MS
export const LOGIN_LIFETIME_MS = 5 * MINUTE_MS

/**
 * Maximum of wrong PINs in a row; the last one locks. Each registered device has its own count, and all requests
 * without a registered device share one. With the locks below, each count allows at most 120 guesses in its first
 * year and 65 in each further year.
 */
export const PIN_ATTEMPTS_MAX = 5
/**
 * Duration of the first lock. Each further one lasts twice as long, up to the maximum. A right PIN resets its own
 * count.
 */
export const PIN_LOCK_MS = 15 * MINUTE_MS
export const PIN_LOCK_MAX_MS = 30 * DAY_MS

/** Maximum of devices of one wallet. The oldest is removed. */
export const DEVICES_MAX = 10
