// Text messages, e-mails and pushes in the model: each is sent, failed or planned again.
import assert from 'node:assert/strict'
import type { State } from '../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'

export interface ModelMessage {
  readonly id: string
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
  readonly until_ms: number
}

interface Postponed {
  readonly id: string
  readonly attempts: number
  readonly nextAttemptMs: number
  readonly untilMs: number
}

export class MessagesModel implements NounModel {
  readonly messages = new Map<string, ModelMessage>()
  readonly #machine: Machine<'pending' | 'over'>

  constructor(seen: Moves) {
    this.#machine = new Machine('message', { succeeded: ['pending'], failed: ['pending'], postponed: ['pending'] }, seen)
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<Queued>(entry, 'message.queued')) {
      this.messages.set(payload.id, { id: payload.id, untilMs: payload.until_ms, attempts: 0, nextMs: entry.record.timeMs })
    }
    for (const { payload } of eventsOf<Attempt>(entry, 'message.attempted')) this.#attempt(payload, entry.record.timeMs)
    for (const { payload } of eventsOf<Postponed>(entry, 'push.postponed')) {
      const { id, attempts, nextAttemptMs, untilMs } = payload
      this.messages.set(id, { id, untilMs, attempts, nextMs: nextAttemptMs })
    }
  }

  compare({ messages }: State): void {
    sameRows(
      [...messages.open.values()].map(({ id, attempts, nextAttemptMs }) => `${id} ${attempts} ${nextAttemptMs}`),
      [...this.messages.values()].map(({ id, attempts, nextMs }) => `${id} ${attempts} ${nextMs}`),
      'messages that are not sent are planned',
    )
  }

  #attempt({ id, attempt, http_status, state, next_attempt_at }: Attempt, timeMs: number): void {
    const message = this.messages.get(id)
    this.#machine.move(message === undefined ? undefined : 'pending', state === 'pending' ? 'postponed' : state)
    if (message === undefined) return
    message.attempts++
    assert.equal(attempt, message.attempts, 'attempts are counted')
    const isGood = http_status !== null && http_status >= 200 && http_status < 300
    assert.equal(state === 'succeeded', isGood, `attempt ${attempt} of message ${id}`)
    if (next_attempt_at === null) return assert.ok(this.messages.delete(id))
    message.nextMs = Date.parse(next_attempt_at)
    assert.ok(message.nextMs > timeMs && message.nextMs <= message.untilMs, 'a message is not sent after its time')
  }
}
