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

export const SENDS_PER_PHONE: SendLimit = { most: 5, withinMs: 10 * MINUTE_MS }
export const SENDS_PER_ADDRESS: SendLimit = { most: 20, withinMs: HOUR_MS }

/**
 * Challenges that stand open at once: whoever asks for codes in the name of ever new phones fills this and not the
 * memory. The test environment, where no phone limits anybody, cannot use up what the live one has.
 */
export const CHALLENGES_MAX: Readonly<Record<Environment, number>> = { live: 50_000, test: 20_000 }
/** Open challenges of one phone and purpose; the oldest gives way. Live phones do not get there. */
export const CHALLENGES_PER_PHONE_MAX = 5

/** From the right code to the last step. */
export const SIGNUP_LIFETIME_MS = 15 * MINUTE_MS
export const LOGIN_LIFETIME_MS = 5 * MINUTE_MS

/** Wrong PINs in a row; the last of them locks. */
export const PIN_ATTEMPTS_MAX = 5
/** The first lock; each further one is twice as long, up to the longest. A right PIN starts over. */
export const PIN_LOCK_MS = 15 * MINUTE_MS
export const PIN_LOCK_MAX_MS = 30 * DAY_MS

/** Devices of one wallet; the one that was registered first gives way. */
export const DEVICES_MAX = 10
