// Queries for messages to the gateways: open ones, their content, and the pushes that the log holds.
import { TimeSearch } from '../actor/time-search.ts'
import type { QueuedMessage } from '../domain/message/message-events.ts'
import { MESSAGE_LIFETIMES_MS, OPEN_MESSAGES } from '../domain/message/message-limits.ts'
import type { OpenMessage, PushProgress } from '../domain/message/message-state.ts'
import { isProven } from '../domain/quotas.ts'
import { type LogRecord, payloadOf } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'
import type { Environment } from '../kernel/environment.ts'
import { type Position, sequenceOf } from '../kernel/position.ts'
import { fewOf, hasRoomIn } from '../kernel/quota.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { OpenDeliveriesInput } from './delivery-queries.ts'
import type { ById } from './merchant-queries.ts'
import type { Reads } from './reads.ts'

/** Lists open messages in table order. Pages are consistent as long as no message ends between two of them. */
export function openMessages({ state }: Reads, { offset, limit }: OpenDeliveriesInput): OpenMessage[] {
  const rows: OpenMessage[] = []
  let index = 0
  for (const message of state.messages.open.values()) {
    if (index++ < offset) continue
    if (rows.length === limit) break
    rows.push(message)
  }
  return rows
}

/** Returns null when the message has ended. */
export function openMessage({ state }: Reads, { id }: ById): OpenMessage | null {
  return state.messages.open.get(id) ?? null
}

export interface PushRoomInput {
  readonly environment: Environment
  readonly account: AccountNumber
  /** Number of pushes that failed and are not recorded yet. */
  readonly unrecorded: number
}

/**
 * Returns whether a push whose first attempt failed may become an open message. `later`: it waits in the log until there is
 * room. `never`: its wallet is at its share, or it is a test push.
 */
export function pushRoom({ state }: Reads, { environment, account, unrecorded }: PushRoomInput): 'now' | 'later' | 'never' {
  const quota = OPEN_MESSAGES.push
  const use = state.quotas.use(quota)
  const own = use.rowsOf(environment, account)
  const max = quota.max[environment]
  const room = { own, share: quota.share, rows: use.rows(environment) + unrecorded, max, few: fewOf(max) }
  if (hasRoomIn(room, isProven(state, account))) return 'now'
  return environment === 'live' && own < quota.share ? 'later' : 'never'
}

export interface AtPosition {
  readonly position: Position
}

/** Returns text message or e-mail of the event at the position. */
export function queuedMessage({ history }: Reads, { position }: AtPosition): QueuedMessage {
  const event = history.eventAt(position)
  assert(event.type === 'message.queued', 'the position is that of a message')
  return payloadOf<QueuedMessage>(event)
}

/** Returns the record of a push: its content is derived from it. */
export function recordOfPush({ history }: Reads, { position }: AtPosition): LogRecord {
  return history.record(sequenceOf(position))
}

/** Returns null before the first push was recorded. */
export function pushProgress({ state }: Reads): PushProgress | null {
  return state.messages.progress
}

/**
 * Returns the sequence after which pushes may still be sent: where the recorded progress ends, or later, because older
 * pushes are given up. Reads about 30 records.
 */
export function pushesFrom(reads: Reads): number {
  const { state, history, durableSequence } = reads
  const through = state.messages.progress?.through ?? durableSequence
  const times = new TimeSearch((sequence): TimeMs => history.record(sequence).timeMs)
  return Math.max(through, times.first(reads.nowMs() - MESSAGE_LIFETIMES_MS.push, durableSequence) - 1)
}

export interface RecordsInput {
  /** Sequence before the first record. */
  readonly after: number
  readonly limit: number
}

/** Returns the next durable records, in order. */
export function recordsAfter({ history, durableSequence }: Reads, { after, limit }: RecordsInput): LogRecord[] {
  const count = Math.max(0, Math.min(limit, durableSequence - after))
  return Array.from({ length: count }, (_, index) => history.record(after + 1 + index))
}
