// Timers of live state that are due: each becomes a command, a bounded amount of work at a time. Long turns have a pace of their own.
import { linesOf } from '../domain/command.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { State } from '../domain/state.ts'
import { type TimerEnvelope, timerEnvelope } from '../domain/timers.ts'
import { SHORT_TURN_LINES_MAX, TIMER_WORK_UNDER_WAY_MAX } from '../kernel/limits.ts'
import type { TimeMs } from '../kernel/time.ts'
import { LongTurns } from './long-turns.ts'
import type { Mailboxes } from './mailboxes.ts'

/** Timers that one firing takes: a thousand disbursements that are due at once do not hold up a burst. */
const FIRED_MAX = 256

export class DueTimers {
  readonly #registry: NounRegistry
  readonly #state: State
  readonly #mailboxes: Mailboxes
  readonly #long = new LongTurns<TimerEnvelope>()
  readonly #nowMs: () => TimeMs
  #workUnderWay = 0
  #areLong = false

  constructor(registry: NounRegistry, state: State, mailboxes: Mailboxes, nowMs: () => TimeMs) {
    this.#registry = registry
    this.#state = state
    this.#mailboxes = mailboxes
    this.#nowMs = nowMs
  }

  /** A turn has run. Short ones slow long ones down. */
  sawTurn(cost: number, nowMs: TimeMs): void {
    if (cost <= SHORT_TURN_LINES_MAX) this.#long.sawShort(nowMs)
  }

  /** Returns whether a timer is due at `nowMs` whose effect is not durable yet. */
  areDue(nowMs: TimeMs): boolean {
    const dueMs = this.#state.timers.nextDueMs()
    return this.#workUnderWay > 0 || this.#long.count > 0 || (dueMs !== null && dueMs <= nowMs)
  }

  /** Whether those that fired last had a long turn, which another one follows in most cases. */
  get areLong(): boolean {
    return this.#areLong
  }

  /** When the next timer may fire; null without one. Those that wait for durability need no alarm: the flush runs them. */
  nextDueMs(): TimeMs | null {
    if (this.#isFull) return null
    const longMs = this.#long.dueMs(this.#nowMs())
    const timerMs = this.#state.timers.nextDueMs()
    return longMs === null || timerMs === null ? (longMs ?? timerMs) : Math.min(longMs, timerMs)
  }

  /**
   * Queues due timers, a bounded number at a time. They bypass the maximum of the mailbox, so that load cannot stop them. Long turns that wait
   * count as no work under way: those of one account would keep out the timers of all.
   */
  fire(timeMs: TimeMs): void {
    for (let fired = 0; fired < FIRED_MAX && !this.#isFull; fired++) {
      const timer = this.#state.timers.takeDue(timeMs)
      if (timer === null) break
      const envelope = timerEnvelope(this.#registry, this.#state, timer)
      if (envelope.isPaced && envelope.work > SHORT_TURN_LINES_MAX) this.#long.add(`${timer.kind}:${timer.key}`, envelope)
      else this.#queue(envelope, () => {})
    }
    this.#areLong = false
    while (!this.#isFull) {
      const envelope = this.#long.take(timeMs)
      if (envelope === null) break
      this.#areLong = true
      this.#queue(envelope, () => this.#long.durable(this.#nowMs()))
    }
  }

  get #isFull(): boolean {
    return this.#workUnderWay >= TIMER_WORK_UNDER_WAY_MAX
  }

  #queue({ work, isPaced: _, ...envelope }: TimerEnvelope, durable: () => void): void {
    this.#workUnderWay += work
    const settle = (): void => {
      this.#workUnderWay -= work
      durable()
    }
    this.#mailboxes.putBeyondMaximum(envelope, { settle }, linesOf(this.#registry, this.#state, envelope.command))
  }
}
