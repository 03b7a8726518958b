// Long turns that no caller waits for: those of disbursements and runs of schedules, shared out over accounts by their lines. While short
// turns come, one long turn runs at a time, and a rest follows it that is longer than it and its flush: the payouts of others keep their latency.
import { FairTurns } from '../kernel/fair-turns.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'

/** Time for which a short turn counts as one that may come again. */
const SHORT_KEPT_MS = 1000
/** Rest for each millisecond from the start of a long turn until its record is durable. */
const REST_PER_MS = 4
/** The longest rest: a slow disk stops no disbursement. */
const REST_MAX_MS = 20

export interface LongTurn {
  readonly mailbox: AccountNumber
  /** Lines. */
  readonly work: number
}

interface HeldTurn<Turn> {
  readonly name: string
  turn: Turn
  cost: number
}

export class LongTurns<Turn extends LongTurn> {
  readonly #fair = new FairTurns<AccountNumber, HeldTurn<Turn>>()
  readonly #held = new Map<string, HeldTurn<Turn>>()
  #underWay = 0
  #startedMs: TimeMs = 0
  #restsUntilMs: TimeMs = 0
  #shortMs: TimeMs = Number.NEGATIVE_INFINITY

  /** Number of those that wait. */
  get count(): number {
    return this.#fair.count
  }

  /** One turn waits for each name, the newest one: who stops and resumes a disbursement a thousand times has one turn. */
  add(name: string, turn: Turn): void {
    const held = this.#held.get(name)
    if (held !== undefined) {
      held.turn = turn
      held.cost = turn.work
      return
    }
    const added: HeldTurn<Turn> = { name, turn, cost: turn.work }
    this.#held.set(name, added)
    this.#fair.put(turn.mailbox, added)
  }

  /** A short turn has run. */
  sawShort(nowMs: TimeMs): void {
    this.#shortMs = nowMs
  }

  /** Returns the next one if it may run now. The caller runs it and calls `durable`. */
  take(nowMs: TimeMs): Turn | null {
    const dueMs = this.dueMs(nowMs)
    if (dueMs === null || dueMs > nowMs) return null
    const { name, turn } = this.#fair.take() as HeldTurn<Turn>
    this.#held.delete(name)
    if (this.#underWay++ === 0) this.#startedMs = nowMs
    return turn
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
