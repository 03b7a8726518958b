// Long turns that no caller waits for: those of disbursements and runs of schedules. While short turns come, one
// long turn runs at a time, and a rest follows it that is longer than it and its flush: the payouts of others keep their latency.
import type { TimeMs } from '../kernel/time.ts'

/** Time for which a short turn counts as one that may come again. */
const SHORT_KEPT_MS = 1000
/** Rest for each millisecond from the start of a long turn until its record is durable. */
const REST_PER_MS = 4
/** The longest rest: a slow disk stops no disbursement. */
const REST_MAX_MS = 20

export class LongTurns<Command> {
  #held: Command[] = []
  #next = 0
  #underWay = 0
  #startedMs: TimeMs = 0
  #restsUntilMs: TimeMs = 0
  #shortMs: TimeMs = Number.NEGATIVE_INFINITY

  /** Number of those that wait. */
  get count(): number {
    return this.#held.length - this.#next
  }

  add(command: Command): void {
    this.#held.push(command)
  }

  /** A short turn has run. */
  sawShort(nowMs: TimeMs): void {
    this.#shortMs = nowMs
  }

  /** Returns the next one if it may run now. The caller runs it and calls `durable`. */
  take(nowMs: TimeMs): Command | null {
    const dueMs = this.dueMs(nowMs)
    if (dueMs === null || dueMs > nowMs) return null
    const taken = this.#held[this.#next++] as Command
    if (this.#next === this.#held.length) {
      this.#held = []
      this.#next = 0
    }
    if (this.#underWay++ === 0) this.#startedMs = nowMs
    return taken
  }

  durable(nowMs: TimeMs): void {
    this.#underWay--
    this.#restsUntilMs = nowMs + Math.min(REST_MAX_MS, REST_PER_MS * Math.max(1, nowMs - this.#startedMs))
  }

  /** When the next one may run; null without one, and until another one is durable. */
  dueMs(nowMs: TimeMs): TimeMs | null {
    if (this.count === 0) return null
    if (nowMs - this.#shortMs > SHORT_KEPT_MS) return nowMs
    return this.#underWay > 0 ? null : this.#restsUntilMs
  }
}
