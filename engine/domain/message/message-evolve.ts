// Appliers of messages to gateways.
import { positionOf } from '../../kernel/position.ts'
import { parseRfc3339 } from '../../kernel/time.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { MessageAttempt, PostponedPush, QueuedMessage } from './message-events.ts'
import type { PushProgress } from './message-state.ts'

export const MESSAGE_EVENTS = {
  'message.queued@1': queue,
  'message.attempted@1': recordAttempt,
  'push.postponed@1': postpone,
  'pushes.recorded@1': recordProgress,
} satisfies EventTable

function queue({ messages }: State, queued: QueuedMessage, event: StoredEvent, record: LogRecord): void {
  const { id, channel, environment, holder, until_ms: untilMs } = queued
  const position = positionOf(record.sequence, record.events.indexOf(event))
  messages.open.set(id, { id, channel, environment, holder, position, attempts: 0, nextAttemptMs: record.timeMs, untilMs })
}

function recordAttempt({ messages }: State, { id, attempt, next_attempt_at }: MessageAttempt): void {
  const message = messages.open.get(id)
  if (message === undefined) return
  if (next_attempt_at === null) messages.open.delete(id)
  else messages.open.set(id, { ...message, attempts: attempt, nextAttemptMs: parseRfc3339(next_attempt_at) })
}

function postpone({ messages }: State, message: PostponedPush): void {
  messages.open.set(message.id, message)
}

function recordProgress({ messages }: State, progress: PushProgress): void {
  messages.setProgress(progress)
}
