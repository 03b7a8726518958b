// Events of messages as the log stores them. A released version never changes: add the next.
import type { Environment } from '../../kernel/environment.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { MessageChannel, OpenMessage } from './message-state.ts'

/** The payload of `message.queued`: a text message or an e-mail. */
export interface QueuedMessage {
  readonly id: string
  readonly channel: Exclude<MessageChannel, 'push'>
  readonly environment: Environment
  /** Phone in E.164, or e-mail address. */
  readonly to: string
  /** The content, encrypted under the master key: it may hold a code or a link with a token. */
  readonly sealed: string
  readonly until_ms: TimeMs
  readonly created_at: string
}

/** The payload of `message.attempted`. */
export interface MessageAttempt {
  readonly id: string
  /** Counted from 1. */
  readonly attempt: number
  /** Null when there was no response. */
  readonly http_status: number | null
  readonly error: string | null
  readonly duration_ms: TimeMs
  readonly state: 'succeeded' | 'pending' | 'failed'
  readonly next_attempt_at: string | null
}

/** The payload of `push.postponed`: the first attempt of a push failed, so it becomes an open message. */
export type PostponedPush = OpenMessage
