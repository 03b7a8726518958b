// What came in and what went out of an account, day by day: read from history a slice at a time and remembered, so that
// only what is new is read again. Bounded: of very many transactions the newest come first, the next view goes on where
// this one stopped, and a day that is not counted whole says since when it is.
import type { AccountNumber, EngineApi, QueryAnswer, TransactionType } from '../../../engine/api.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { CHART_DAYS_CACHED_MAX, CHART_TRANSACTIONS_MAX } from './dashboard-limits.ts'

export interface DayTotal {
  /** First millisecond of the day, UTC. */
  readonly dayMs: TimeMs
  /** Charges, bills and mandates that were paid, less refunds. */
  readonly takings: number
  readonly payouts: number
  readonly payoutsCount: number
  readonly takingsCount: number
  /** Null when the whole day is counted; else the time of the oldest transaction that is, the day's end when none is yet. */
  readonly sinceMs: TimeMs | null
}

export const DAY_MS = 86_400_000
const TRANSACTIONS_PER_SLICE = 100

/** Which side of the day a transaction is on; the others are neither takings nor payouts. */
const TAKINGS: ReadonlySet<TransactionType> = new Set(['charge', 'bill', 'mandate', 'refund'])

type DayEngine = Pick<EngineApi, 'query'>
type Movement = QueryAnswer<'transactions.movements'>['movements'][number]

/** What is counted of a day: from the newest transaction that was seen down to where the walk stopped. */
interface Counted {
  takings: number
  payouts: number
  payoutsCount: number
  takingsCount: number
  high: Position | null
  /** Where the walk goes on; null at the start of the day, undefined before the first step. */
  low: Position | null | undefined
  sinceMs: TimeMs
}

interface Day {
  readonly dayMs: TimeMs
  /** Until when nothing newer can be missing. */
  readToMs: TimeMs
  counted: Counted
}

interface Budget {
  transactionsLeft: number
}

export class DayTotalsReader {
  readonly #days = new Map<string, Day>()
  readonly #underWay = new Map<AccountNumber, Promise<readonly DayTotal[]>>()

  /** The last `count` days, today included, oldest first. One walk for an account at a time, whoever else asks. */
  read(engine: DayEngine, account: AccountNumber, nowMs: TimeMs, count: number): Promise<readonly DayTotal[]> {
    const known = this.#underWay.get(account)
    if (known !== undefined) return known
    const walk = this.#walk(engine, account, nowMs, count).finally(() => this.#underWay.delete(account))
    this.#underWay.set(account, walk)
    return walk
  }

  async #walk(engine: DayEngine, account: AccountNumber, nowMs: TimeMs, count: number): Promise<readonly DayTotal[]> {
    const today = Math.floor(nowMs / DAY_MS) * DAY_MS
    const budget: Budget = { transactionsLeft: CHART_TRANSACTIONS_MAX }
    const days: DayTotal[] = []
    for (let age = 0; age < count; age++) {
      const day = this.#day(account, today - age * DAY_MS)
      await new DayWalk(engine, account, day, budget).run(nowMs)
      days.unshift(totalOf(day))
    }
    return days
  }

  #day(account: AccountNumber, dayMs: TimeMs): Day {
    const key = `${account}:${dayMs}`
    const known = this.#days.get(key)
    if (known !== undefined) return known
    const day: Day = { dayMs, readToMs: dayMs, counted: nothing(dayMs) }
    this.#days.set(key, day)
    if (this.#days.size > CHART_DAYS_CACHED_MAX) this.#days.delete(this.#days.keys().next().value as string)
    return day
  }
}

function nothing(dayMs: TimeMs): Counted {
  const none = { takings: 0, payouts: 0, payoutsCount: 0, takingsCount: 0 }
  return { ...none, high: null, low: undefined, sinceMs: dayMs + DAY_MS }
}

function totalOf({ dayMs, counted }: Day): DayTotal {
  const { takings, payouts, payoutsCount, takingsCount, low, sinceMs } = counted
  return { dayMs, takings, payouts, payoutsCount, takingsCount, sinceMs: low === null ? null : sinceMs }
}

/** Brings one day up to now, and further back as far as the budget goes. */
class DayWalk {
  readonly #engine: DayEngine
  readonly #account: AccountNumber
  readonly #day: Day
  readonly #budget: Budget

  constructor(engine: DayEngine, account: AccountNumber, day: Day, budget: Budget) {
    this.#engine = engine
    this.#account = account
    this.#day = day
    this.#budget = budget
  }

  async run(nowMs: TimeMs): Promise<void> {
    const day = this.#day
    const isOver = day.readToMs >= day.dayMs + DAY_MS
    if (!isOver && day.counted.high === null) day.counted = nothing(day.dayMs)
    if (isOver || day.counted.high === null || (await this.#newer(day.counted))) day.readToMs = nowMs
    while (day.counted.low !== null && this.#budget.transactionsLeft > 0) await this.#step(day.counted, null)
  }

  /** What came since is put on top; where it is too much, the newest of it takes the place of what was counted. False when it was not looked at. */
  async #newer(before: Counted): Promise<boolean> {
    const fresh = nothing(this.#day.dayMs)
    let hasMet = false
    while (!hasMet && fresh.low !== null && this.#budget.transactionsLeft > 0) hasMet = await this.#step(fresh, before.high)
    if (!hasMet && fresh.low !== null) {
      if (fresh.low === undefined) return false
      this.#day.counted = fresh
      return true
    }
    before.takings += fresh.takings
    before.payouts += fresh.payouts
    before.takingsCount += fresh.takingsCount
    before.payoutsCount += fresh.payoutsCount
    before.high = fresh.high ?? before.high
    return true
  }

  /** The next slice downwards; true when it reached `until`, which is counted already. */
  async #step(counted: Counted, until: Position | null): Promise<boolean> {
    const page = this.#page(counted.low ?? null)
    for (const movement of page.movements) {
      if (until !== null && movement.position <= until) return true
      this.#budget.transactionsLeft--
      counted.high ??= movement.position
      counted.sinceMs = movement.timeMs
      add(counted, movement)
    }
    counted.low = page.next
    // Others have their turn between two slices.
    if (page.next !== null) await new Promise(setImmediate)
    return false
  }

  #page(below: Position | null): QueryAnswer<'transactions.movements'> {
    const { dayMs } = this.#day
    const limit = TRANSACTIONS_PER_SLICE
    return this.#engine.query('transactions.movements', { account: this.#account, fromMs: dayMs, toMs: dayMs + DAY_MS, below, limit })
  }
}

function add(counted: Counted, { type, amount }: Pick<Movement, 'type' | 'amount'>): void {
  if (type === 'payout') {
    counted.payouts -= amount
    counted.payoutsCount++
  } else if (TAKINGS.has(type)) {
    counted.takings += amount
    if (type !== 'refund') counted.takingsCount++
  }
}
