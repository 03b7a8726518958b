// Daily takings and payouts of an account, read from history in slices and cached, so that only new transactions are read
// again. A view reads a bounded number of transactions, newest first, and the next view continues from there. A partly
// counted day has the time since when it is counted.
import type { AccountNumber, EngineApi, QueryAnswer, TransactionType } from '../../../../engine/api.ts'
import type { Position } from '../../../../engine/kernel/position.ts'
import type { TimeMs } from '../../../../engine/kernel/time.ts'
import { SLICE_COST } from '../../../lists/list-limits.ts'
import { fairWork } from '../../../server/fair-work.ts'
import { CHART_DAYS_CACHED_MAX, CHART_TRANSACTIONS_MAX } from '../shared/dashboard-limits.ts'

export interface DayTotal {
  /** Start of the day in UTC. */
  readonly dayMs: TimeMs
  /** Paid charges, bills and mandates. What was refunded of them stays counted here: `takingsCount` is of these. */
  readonly takings: number
  /** What was refunded on this day, of payments of any day. */
  readonly refunds: number
  readonly payouts: number
  readonly payoutsCount: number
  readonly takingsCount: number
  /** Null for a completely counted day. Otherwise the time of the oldest counted transaction, or the day's end without one. */
  readonly sinceMs: TimeMs | null
}

export const DAY_MS = 86_400_000
const TRANSACTIONS_PER_SLICE = 100

/** Transaction types that count as takings. */
const TAKINGS: ReadonlySet<TransactionType> = new Set(['charge', 'bill', 'mandate'])

type DayEngine = Pick<EngineApi, 'query'>
type Movement = QueryAnswer<'transactions.movements'>['movements'][number]

/** Counted part of a day: from its newest transaction back to where the read stopped. */
interface Counted {
  takings: number
  refunds: number
  payouts: number
  payoutsCount: number
  takingsCount: number
  high: Position | null
  /** Position where the read continues. Null at the start of the day, undefined before the first slice. */
  low: Position | null | undefined
  sinceMs: TimeMs
}

interface Day {
  readonly dayMs: TimeMs
  /** Time up to which no transaction is missing. */
  readToMs: TimeMs
  counted: Counted
}

interface Budget {
  transactionsLeft: number
}

export class DayTotalsReader {
  readonly #days = new Map<string, Day>()
  readonly #underWay = new Map<AccountNumber, Promise<readonly DayTotal[]>>()

  /** Returns the last `count` days with today, oldest first. Concurrent requests for one account share a read. */
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
  const none = { takings: 0, refunds: 0, payouts: 0, payoutsCount: 0, takingsCount: 0 }
  return { ...none, high: null, low: undefined, sinceMs: dayMs + DAY_MS }
}

function totalOf({ dayMs, counted }: Day): DayTotal {
  const { takings, refunds, payouts, payoutsCount, takingsCount, low, sinceMs } = counted
  return { dayMs, takings, refunds, payouts, payoutsCount, takingsCount, sinceMs: low === null ? null : sinceMs }
}

/** Reads the new transactions of one day, then older ones as far as the budget allows. */
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

  /** Adds newer transactions. If they exceed the budget, the newest replace the count. Returns false when it read nothing. */
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
    before.refunds += fresh.refunds
    before.payouts += fresh.payouts
    before.takingsCount += fresh.takingsCount
    before.payoutsCount += fresh.payoutsCount
    before.high = fresh.high ?? before.high
    return true
  }

  /** Reads the next older slice. Returns true when it reached `until`, which is already counted. */
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
    // Other requests run between two slices.
    if (page.next !== null) await fairWork.turn(this.#account, SLICE_COST)
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
    counted.takingsCount++
  } else if (type === 'refund') {
    counted.refunds -= amount
  }
}
