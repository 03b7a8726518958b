// Every maximum and lifetime of wallet sign-in, by name. At the limit we refuse.
import type { Environment } from '../../kernel/environment.ts'
import type { TimeMs } from '../../kernel/time.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const OTP_LENGTH = 6
export const OTP_LIFETIME_MS = 5 * MINUTE_MS
/** Advice to clients; only the limits refuse. */
export const OTP_RESEND_MS = 30 * SECOND_MS
/** Wrong codes that a challenge takes; the last of them ends it. */
export const OTP_CHECKS_MAX = 5

/** How many codes go out within a time, counted by where they go and by who asks. */
export interface SendLimit {
  readonly most: number
  readonly withinMs: TimeMs
}

/** Codes to one phone asked for from one network: requests from another network do not use it up. */
export const SENDS_PER_PHONE: SendLimit = { most: 5, withinMs: 10 * MINUTE_MS }
/**
 * Codes to one phone from all networks together, against SMS bombing. It does not hold for a network on which the
 * phone's owner has signed in. Equal to the limit of one address, so one caller alone never reaches it first.
 */
export const SENDS_PER_PHONE_CEILING: SendLimit = { most: 20, withinMs: HOUR_MS }
export const SENDS_PER_ADDRESS: SendLimit = { most: 20, withinMs: HOUR_MS }

/**
 * Open challenges of an environment. In a full table the oldest challenge of the network with the most open challenges
 * is dropped; a new one is never refused. Each environment has a table of its own.
 */
export const CHALLENGES_MAX: Readonly<Record<Environment, number>> = { live: 50_000, test: 20_000 }
/** Open challenges of one phone, purpose and address; the oldest is dropped. */
export const CHALLENGES_PER_PHONE_MAX = 5
/** Networks remembered for a wallet, on which its owner has signed in; the oldest is dropped. */
export const KNOWN_NETWORKS_MAX = 5

/** From the right code to the last step. */
export const SIGNUP_LIFETIME_MS = 15 * MINUTE_MS
export const LOGIN_LIFETIME_MS = 5 * MINUTE_MS

/**
 * Wrong PINs in a row; the last of them locks. Each registered device has a count of its own, and everything without
 * a registered device shares one. With the locks below, each count allows at most 120 guesses in its first year and 65
 * in each further year.
 */
export const PIN_ATTEMPTS_MAX = 5
/** The first lock; each further one is twice as long, up to the longest. A right PIN resets its own count. */
export const PIN_LOCK_MS = 15 * MINUTE_MS
export const PIN_LOCK_MAX_MS = 30 * DAY_MS

/** Devices of one wallet; the one that was registered first gives way. */
export const DEVICES_MAX = 10
