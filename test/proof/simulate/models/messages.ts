// Text messages, e-mails and pushes in the model: each is sent, failed or planned again.
import assert from 'node:assert/strict'
import type { AttemptResult } from '../../../../engine/domain/message/message-decide.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'
import { assertWait } from './waits.ts'

type Channel = 'sms' | 'email' | 'push'

export interface ModelMessage {
  readonly id: string
  readonly channel: Channel
  readonly untilMs: number
  attempts: number
  nextMs: number
}

interface Attempt {
  readonly id: string
  readonly attempt: number
  readonly http_status: number | null
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly next_attempt_at: string | null
}

interface Queued {
  readonly id: string
  readonly channel: Channel
  readonly until_ms: number
}

interface Postponed {
  readonly id: string
  readonly attempts: number
  readonly nextAttemptMs: number
  readonly untilMs: number
}

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1000, 60_000, 3_600_000]
/** What the engine's waits and lifetimes are meant to be, written down a second time. The last wait repeats. */
const SLOW_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS]
const WAITS_MS = { sms: [1, 5, 15, 30, 60].map((seconds) => seconds * SECOND_MS), email: SLOW_MS, push: SLOW_MS } as const
const LIFETIMES_MS = { sms: 10 * MINUTE_MS, email: 24 * HOUR_MS, push: 24 * HOUR_MS } as const
/** The gateway refuses the message itself. */
const REFUSED: readonly (number | null)[] = [400, 410, 413, 422]

export class MessagesModel implements NounModel {
  readonly messages = new Map<string, ModelMessage>()
  readonly #machine: Machine<'pending' | 'over'>

  constructor(seen: Moves) {
    this.#machine = new Machine('message', { succeeded: ['pending'], failed: ['pending'], postponed: ['pending'] }, seen)
  }

  audit(entry: Entry): void {
    const { timeMs } = entry.record
    for (const { payload } of eventsOf<Queued>(entry, 'message.queued')) {
      const { id, channel, until_ms: untilMs } = payload
      assert.equal(untilMs, timeMs + LIFETIMES_MS[channel], `lifetime of a message by ${channel}`)
      this.messages.set(id, { id, channel, untilMs, attempts: 0, nextMs: timeMs })
    }
    for (const { payload } of eventsOf<Attempt>(entry, 'message.attempted')) this.#attempt(payload, entry)
    for (const { payload } of eventsOf<Postponed>(entry, 'push.postponed')) {
      const { id, attempts, nextAttemptMs, untilMs } = payload
      const message: ModelMessage = { id, channel: 'push', untilMs, attempts, nextMs: nextAttemptMs }
      assert.equal(attempts, 1, 'a push waits after its first attempt')
      assertPlanned(message, timeMs, pushResult(entry, id))
      this.messages.set(id, message)
    }
  }

  compare({ messages }: State): void {
    sameRows(
      [...messages.open.values()].map(({ id, attempts, nextAttemptMs }) => `${id} ${attempts} ${nextAttemptMs}`),
      [...this.messages.values()].map(({ id, attempts, nextMs }) => `${id} ${attempts} ${nextMs}`),
      'messages that are not sent are planned',
    )
  }

  #attempt({ id, attempt, http_status, state, next_attempt_at }: Attempt, entry: Entry): void {
    const { timeMs } = entry.record
    const message = this.messages.get(id)
    this.#machine.move(message === undefined ? undefined : 'pending', state === 'pending' ? 'postponed' : state)
    if (message === undefined) return
    message.attempts++
    assert.equal(attempt, message.attempts, 'attempts are counted')
    const isGood = http_status !== null && http_status >= 200 && http_status < 300
    assert.equal(state === 'succeeded', isGood, `attempt ${attempt} of message ${id}`)
    const result = messageResult(entry, id)
    if (next_attempt_at !== null) {
      message.nextMs = Date.parse(next_attempt_at)
      return assertPlanned(message, timeMs, result)
    }
    assert.ok(this.messages.delete(id))
    if (isGood || result.isFinal === true || REFUSED.includes(http_status)) return
    const latestMs = 1.2 * usualWaitMs(message)
    assert.ok(timeMs + Math.max(latestMs, result.retryAfterMs ?? 0) > message.untilMs, 'a message is tried until its time is over')
  }
}

function usualWaitMs({ channel, attempts }: ModelMessage): number {
  return WAITS_MS[channel][attempts - 1] ?? WAITS_MS[channel].at(-1) ?? 0
}

function assertPlanned(message: ModelMessage, timeMs: number, { httpStatus, retryAfterMs, isFinal }: AttemptResult): void {
  const { id, attempts, nextMs, untilMs } = message
  assert.ok(isFinal !== true && !REFUSED.includes(httpStatus), 'a message that is refused is not sent again')
  assert.ok(nextMs <= untilMs, 'a message is not sent after its time')
  const wait = { foundMs: nextMs - timeMs, usualMs: usualWaitMs(message), askedMs: retryAfterMs ?? 0 }
  assertWait(wait, `attempt ${attempts} of message ${id}`)
}

/** What the gateway answered; the first report counts. */
function messageResult({ decided }: Entry, id: string): AttemptResult {
  assert.ok(decided?.command.type === 'RecordMessages', 'attempts are what was reported')
  const found = decided.command.results.find((result) => result.id === id)
  assert.ok(found !== undefined, 'an attempt was reported')
  return found
}

function pushResult({ decided }: Entry, id: string): AttemptResult {
  assert.ok(decided?.command.type === 'RecordMessages', 'attempts are what was reported')
  const found = decided.command.pushes?.failed.find(({ push }) => push.id === id)
  assert.ok(found !== undefined, 'an attempt was reported')
  return found
}
