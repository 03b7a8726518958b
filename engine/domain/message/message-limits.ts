// Lifetimes, waits and maximums of messages to gateways.
import type { Quota } from '../../kernel/quota.ts'
import type { TimeMs } from '../../kernel/time.ts'

export type MessageChannel = 'sms' | 'push' | 'email'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Time from its record until a message is given up. Text messages hold one-time codes. */
export const MESSAGE_LIFETIMES_MS: Readonly<Record<MessageChannel, TimeMs>> = {
  sms: 10 * MINUTE_MS,
  email: 24 * HOUR_MS,
  push: 24 * HOUR_MS,
}

/** Waits from a failed attempt to the next. The last one repeats until the lifetime ends. */
export const MESSAGE_WAITS_MS: Readonly<Record<MessageChannel, readonly TimeMs[]>> = {
  sms: [SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS],
  email: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  push: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
}

/** Jitter: maximum share by which a wait varies, so that a gateway that recovers does not get all retries at once. */
export const MESSAGE_WAIT_JITTER = 0.2

/** Codes by SMS that the gateway has not taken, about 250 bytes each, by the network that asked for them. */
const OPEN_TEXTS = {
  name: 'open_texts',
  counts: 'codes that wait for the SMS gateway',
  countsFr: 'codes en attente de la passerelle SMS',
  holder: 'network',
  max: { live: 60_000 },
  share: 10_000,
  atShare: 'refused',
  retryAfterS: 60,
} as const satisfies Quota

/** E-mails that the gateway has not taken, by the merchant whose members or guests they are for. */
const OPEN_EMAILS = {
  name: 'open_emails',
  counts: 'e-mails that wait for the gateway',
  countsFr: 'e-mails en attente de la passerelle',
  holder: 'merchant',
  max: { both: 20_000 },
  share: 1_000,
  atShare: 'not_made',
  retryAfterS: 60,
} as const satisfies Quota

/** Maximum of open e-mails beyond which notices wait: links and codes have the rest. */
export const OPEN_NOTICES_MAX = 10_000

/**
 * Pushes whose first attempt failed, by the wallet that they are for. Without room a live push keeps its place in the log.
 * A push beyond the share of its wallet, or of a full test part, is given up.
 */
const OPEN_PUSHES = {
  name: 'open_pushes',
  counts: 'pushes that are tried again',
  countsFr: 'notifications à envoyer de nouveau',
  holder: 'account',
  max: { live: 10_000, test: 2_000 },
  share: 200,
  atShare: 'not_made',
  retryAfterS: 60,
} as const satisfies Quota

export const OPEN_MESSAGES = { sms: OPEN_TEXTS, email: OPEN_EMAILS, push: OPEN_PUSHES } as const satisfies Record<MessageChannel, Quota>

/** Maximum of results in one command. */
export const MESSAGE_RESULTS_PER_COMMAND_MAX = 256
