// Decides what the gateways' answers mean: a message ends, or it is tried again later.
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import { type Context, type Decision, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { MessageAttempt, PostponedPush } from './message-events.ts'
import { MESSAGE_WAIT_JITTER, MESSAGE_WAITS_MS } from './message-limits.ts'
import type { OpenMessage, PushProgress } from './message-state.ts'

/** What one call to a gateway led to. */
export interface AttemptResult {
  /** Null when there was no response. */
  readonly httpStatus: number | null
  readonly error: string | null
  readonly durationMs: TimeMs
  /** The gateway's `Retry-After`; null without one. */
  readonly retryAfterMs: TimeMs | null
  /** Random number from 0 to 1 from the caller: the jitter of the next wait. */
  readonly jitter: number
  /** True when a further attempt makes no sense, because there is no gateway or no recipient. */
  readonly isFinal?: true
}

export interface MessageResult extends AttemptResult {
  readonly id: string
}

/** A push whose first attempt failed. */
export interface PushResult extends AttemptResult {
  readonly push: Pick<OpenMessage, 'id' | 'environment' | 'holder' | 'position' | 'untilMs'>
}

/** Results of many messages in one command, so that each costs a row and not a turn. */
export interface RecordMessages {
  readonly type: 'RecordMessages'
  readonly results: readonly MessageResult[]
  /** Null when no push was attempted. */
  readonly pushes: { readonly progress: PushProgress; readonly failed: readonly PushResult[] } | null
}

/**
 * Statuses with which a gateway refuses the message itself. Other failures may be of the gateway or of its settings, and
 * are tried again.
 */
const REFUSED: ReadonlySet<number> = new Set([400, 410, 413, 422])

/** Returns `ok`. Ignores results of messages that are no longer open. */
export function decideRecordMessages(state: State, { results, pushes }: RecordMessages, context: Context): Decision<never> {
  const account = state.settlementAccount('live')
  const events: StoredEvent[] = []
  const counted = new Set<string>()
  for (const result of results) {
    const message = state.messages.open.get(result.id)
    if (message === undefined || counted.has(message.id)) continue
    counted.add(message.id)
    events.push(event('message.attempted', 1, account, attemptOf(message, result, context)))
  }
  for (const result of pushes?.failed ?? []) {
    const waitMs = waitOf({ ...result.push, channel: 'push', attempts: 0 }, result, context)
    if (waitMs === null) continue
    const postponed: PostponedPush = { ...result.push, channel: 'push', attempts: 1, nextAttemptMs: context.timeMs + waitMs }
    events.push(event('push.postponed', 1, account, postponed))
  }
  if (pushes !== null) events.push(event('pushes.recorded', 1, account, pushes.progress))
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: '{}' }
}

function attemptOf(message: OpenMessage, result: AttemptResult, context: Context): MessageAttempt {
  const { httpStatus, error, durationMs } = result
  const waitMs = hasSucceeded(result) ? null : waitOf(message, result, context)
  return {
    id: message.id,
    attempt: message.attempts + 1,
    http_status: httpStatus,
    error,
    duration_ms: durationMs,
    state: hasSucceeded(result) ? 'succeeded' : waitMs === null ? 'failed' : 'pending',
    next_attempt_at: waitMs === null ? null : rfc3339(context.timeMs + waitMs),
  }
}

function hasSucceeded({ httpStatus }: AttemptResult): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300
}

/** Returns the wait from this failed attempt to the next; null when the message ends with it. */
function waitOf(
  { channel, attempts, untilMs }: Pick<OpenMessage, 'channel' | 'attempts' | 'untilMs'>,
  { httpStatus, retryAfterMs, jitter, isFinal }: AttemptResult,
  { timeMs }: Context,
): TimeMs | null {
  if (isFinal === true || (httpStatus !== null && REFUSED.has(httpStatus))) return null
  const waits = MESSAGE_WAITS_MS[channel]
  const waitMs = waits[Math.min(attempts, waits.length - 1)] as TimeMs
  const drawnMs = Math.round(waitMs * (1 + MESSAGE_WAIT_JITTER * (2 * jitter - 1)))
  const chosenMs = Math.max(drawnMs, retryAfterMs ?? 0)
  return timeMs + chosenMs > untilMs ? null : chosenMs
}
