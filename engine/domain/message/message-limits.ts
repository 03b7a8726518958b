// Lifetimes, waits and maximums of messages to gateways.
import type { TimeMs } from '../../kernel/time.ts'
import type { MessageChannel } from './message-state.ts'

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

/**
 * Maximum of open messages, about 250 bytes each. Beyond, a code is rejected and an e-mail is not queued; a push keeps
 * its place in the log until there is room.
 */
export const OPEN_MESSAGES_MAX: Readonly<Record<MessageChannel, number>> = { sms: 60_000, email: 20_000, push: 10_000 }

/** Maximum of results in one command. */
export const MESSAGE_RESULTS_PER_COMMAND_MAX = 256
