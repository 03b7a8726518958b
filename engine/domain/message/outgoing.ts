// Transactional outbox of text messages and e-mails: the message is an event in the log record of the change that
// causes it, so neither exists without the other. It leaves once that record is durable.
import type { Environment } from '../../kernel/environment.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { QueuedMessage, QueuedNotice } from './message-events.ts'
import { MESSAGE_LIFETIMES_MS, OPEN_MESSAGES_MAX } from './message-limits.ts'
import type { MessageChannel } from './message-state.ts'

/** A text message. The caller seals its text, because it holds a code. */
export interface OutgoingText {
  /** E.164, a live phone: test phones get no text message. */
  readonly to: string
  readonly sealed: string
}

/** An e-mail. The caller seals subject and text, because links hold tokens. */
export interface OutgoingEmail {
  readonly to: string
  readonly sealed: string
}

/** Returns whether the maximum leaves no room for another open message. */
export function isFull({ messages }: State, channel: MessageChannel): boolean {
  return messages.count(channel) >= OPEN_MESSAGES_MAX[channel]
}

/** Returns the event of a text message. The decider checks `isFull` first and rejects. */
export function textEvents(state: State, context: Context, { to, sealed }: OutgoingText): StoredEvent[] {
  return [queued(state, context, { channel: 'sms', environment: 'live', to, sealed })]
}

/** Returns the event of an e-mail for a decision; none while too many are open. */
export function emailEvents(state: State, context: Context, { to, sealed }: OutgoingEmail): StoredEvent[] {
  return isFull(state, 'email') ? [] : [queued(state, context, { channel: 'email', environment: 'live', to, sealed })]
}

/** Returns how many e-mails are open. */
export function openEmails({ messages }: State): number {
  return messages.count('email')
}

/** Returns the event of a notice by e-mail. The decider has checked that there is room. */
export function noticeEvents(state: State, context: Context, to: string, notice: QueuedNotice): StoredEvent[] {
  return [queued(state, context, { channel: 'email', environment: 'live', to, sealed: null, notice })]
}

interface Content extends Pick<QueuedMessage, 'channel' | 'to' | 'sealed' | 'notice'> {
  readonly environment: Environment
}

function queued(state: State, context: Context, { channel, environment, to, sealed, notice }: Content): StoredEvent {
  const payload: QueuedMessage = {
    id: context.newId(),
    channel,
    environment,
    to,
    sealed,
    ...(notice === undefined ? {} : { notice }),
    until_ms: context.timeMs + MESSAGE_LIFETIMES_MS[channel],
    created_at: rfc3339(context.timeMs),
  }
  return event('message.queued', 1, state.settlementAccount(environment), payload)
}
