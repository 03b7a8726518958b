// Events of messages as the log stores them. A released version never changes: add the next.
import type { NoticeKind } from '../../contract/notice.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { MessageChannel, OpenMessage } from './message-state.ts'

/** The payload of `message.queued`: a text message or an e-mail. */
export interface QueuedMessage {
  readonly id: string
  readonly channel: Exclude<MessageChannel, 'push'>
  readonly environment: Environment
  /** The network that asked for a text message; the merchant of an e-mail, or the operators. */
  readonly holder: string
  /** Phone in E.164, or e-mail address. */
  readonly to: string
  /** The content, encrypted under the master key: it may hold a code or a link with a token. Null for a notice. */
  readonly sealed: string | null
  /** A notice instead: its text is made when it is sent, from the events that it names. */
  readonly notice?: QueuedNotice
  readonly until_ms: TimeMs
  readonly created_at: string
}

export interface QueuedNotice {
  readonly kind: NoticeKind
  readonly merchant_id: string
  /** Events since the notice before. */
  readonly count: number
  /** The first of them. */
  readonly positions: readonly Position[]
  /** Start of the day that a daily summary is about, in UTC; null for other kinds. */
  readonly day_ms: TimeMs | null
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
