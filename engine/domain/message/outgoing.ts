// Transactional outbox of text messages and e-mails: the message is an event in the log record of the change that
// causes it, so neither exists without the other. It leaves once that record is durable.
import type { Environment } from '../../kernel/environment.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, event } from '../decision.ts'
import { isProven, type QuotaRefusal, quotaExceeded } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { QueuedMessage, QueuedNotice } from './message-events.ts'
import { MESSAGE_LIFETIMES_MS, OPEN_MESSAGES, OPEN_NOTICES_MAX } from './message-limits.ts'

/** Holder of the e-mails to operators, beside the ids of merchants. */
export const OPERATORS_AS_HOLDER = 'operators'

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

/** Returns the rejection where the network has no room for one code more; null where it has. `isKnown`: the phone's owner signed in from it. */
export function textRefusal({ quotas }: State, network: string, isKnown: boolean): QuotaRefusal | null {
  return quotas.use(OPEN_MESSAGES.sms).hasRoom('live', network, isKnown) ? null : quotaExceeded(OPEN_MESSAGES.sms)
}

/** Returns whether the merchant, or the operators, may have one e-mail more, beside `more` new ones. */
export function hasEmailRoom(state: State, holder: string, more = 0): boolean {
  const live = state.merchants.merchants.get(holder)?.accounts.live
  const isKnown = holder === OPERATORS_AS_HOLDER || (live !== undefined && isProven(state, live))
  return state.quotas.use(OPEN_MESSAGES.email).hasRoom('both', holder, isKnown, more)
}

/** Returns the event of a text message. The decider asks `textRefusal` first. */
export function textEvents(state: State, context: Context, network: string, { to, sealed }: OutgoingText): StoredEvent[] {
  return [queued(state, context, { channel: 'sms', environment: 'live', holder: network, to, sealed })]
}

/** Returns the event of an e-mail for a decision; none while its holder has no room for one more. */
export function emailEvents(state: State, context: Context, holder: string, { to, sealed }: OutgoingEmail): StoredEvent[] {
  if (!hasEmailRoom(state, holder)) return []
  return [queued(state, context, { channel: 'email', environment: 'live', holder, to, sealed })]
}

/** Returns whether a merchant has room for so many notices. Half of its share stays for its links and codes. */
export function hasNoticeRoom(state: State, merchantId: string, count: number): boolean {
  const { email } = OPEN_MESSAGES
  const rows = state.quotas.use(email).rows('both')
  return rows + count <= OPEN_NOTICES_MAX && hasEmailRoom(state, merchantId, count - 1 + Math.floor(email.share / 2))
}

/** Returns the event of a notice by e-mail. The decider asks `hasNoticeRoom` first. */
export function noticeEvents(state: State, context: Context, to: string, notice: QueuedNotice): StoredEvent[] {
  return [queued(state, context, { channel: 'email', environment: 'live', holder: notice.merchant_id, to, sealed: null, notice })]
}

interface Content extends Pick<QueuedMessage, 'channel' | 'holder' | 'to' | 'sealed' | 'notice'> {
  readonly environment: Environment
}

function queued(state: State, context: Context, { channel, environment, holder, to, sealed, notice }: Content): StoredEvent {
  const payload: QueuedMessage = {
    id: context.newId(),
    channel,
    environment,
    holder,
    to,
    sealed,
    ...(notice === undefined ? {} : { notice }),
    until_ms: context.timeMs + MESSAGE_LIFETIMES_MS[channel],
    created_at: rfc3339(context.timeMs),
  }
  return event('message.queued', 1, state.settlementAccount(environment), payload)
}
