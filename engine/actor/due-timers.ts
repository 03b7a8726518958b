// Timers of live state that are due: each becomes a command, a bounded amount of work at a time.
import { linesOf } from '../domain/command.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { State } from '../domain/state.ts'
import { timerEnvelope } from '../domain/timers.ts'
import { TIMER_WORK_UNDER_WAY_MAX } from '../kernel/limits.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { Mailboxes } from './mailboxes.ts'

export class DueTimers {
  readonly #registry: NounRegistry
  readonly #state: State
  readonly #mailboxes: Mailboxes
  #workUnderWay = 0

  constructor(registry: NounRegistry, state: State, mailboxes: Mailboxes) {
    this.#registry = registry
    this.#state = state
    this.#mailboxes = mailboxes
  }

  /** Returns whether a timer is due at `nowMs` whose effect is not durable yet. */
  areDue(nowMs: TimeMs): boolean {
    const dueMs = this.#state.timers.nextDueMs()
    return this.#workUnderWay > 0 || (dueMs !== null && dueMs <= nowMs)
  }

  /** When the next timer may fire; null without one. Those that wait for durability need no alarm: the flush runs them. */
  nextDueMs(): TimeMs | null {
    return this.#workUnderWay < TIMER_WORK_UNDER_WAY_MAX ? this.#state.timers.nextDueMs() : null
  }

  /** Queues due timers, a bounded number at a time. They bypass the maximum of the mailbox, so that load cannot stop them. */
  fire(timeMs: TimeMs): void {
    while (this.#workUnderWay < TIMER_WORK_UNDER_WAY_MAX) {
      const timer = this.#state.timers.takeDue(timeMs)
      if (timer === null) break
      const { work, ...envelope } = timerEnvelope(this.#registry, this.#state, timer)
      this.#workUnderWay += work
      const settle = (): void => {
        this.#workUnderWay -= work
      }
      this.#mailboxes.putBeyondMaximum(envelope, { settle }, linesOf(this.#registry, this.#state, envelope.command))
    }
  }
}
