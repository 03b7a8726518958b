// What came in and what went out of an account, day by day: read from history a slice at a time, and remembered for days
// that are over, because nothing is added to those any more. Bounded: of very many transactions the newest count.
import type { History, Hit } from '../../../engine/actor/history.ts'
import { transactionsTerm } from '../../../engine/domain/terms.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { AccountNumber, Transaction, TransactionType } from '../../../engine/ledger/transaction.ts'
import { transactionOf } from '../../lists/statement.ts'
import { CHART_DAYS_CACHED_MAX, CHART_TRANSACTIONS_MAX } from './limits.ts'

export interface DayTotal {
  /** First millisecond of the day, UTC. */
  readonly dayMs: TimeMs
  /** Charges, bills and mandates that were paid, less refunds. */
  readonly takings: number
  readonly payouts: number
  readonly payoutsCount: number
  readonly takingsCount: number
}

export interface DayTotals {
  /** Oldest first. */
  readonly days: readonly DayTotal[]
  /** False when there were too many transactions to read: the days before the last one that is whole stand at zero. */
  readonly isWhole: boolean
}

export const DAY_MS = 86_400_000
const TRANSACTIONS_PER_SLICE = 100

/** Which side of the day a transaction is on; the others are neither takings nor payouts. */
const TAKINGS: ReadonlySet<TransactionType> = new Set(['charge', 'bill', 'mandate', 'refund'])

export class DayTotalsReader {
  readonly #finished = new Map<string, DayTotal>()

  /** The last `count` days, today included. */
  async read(history: History, account: AccountNumber, nowMs: TimeMs, count: number): Promise<DayTotals> {
    const today = Math.floor(nowMs / DAY_MS) * DAY_MS
    const budget = { transactionsLeft: CHART_TRANSACTIONS_MAX }
    const days: DayTotal[] = []
    for (let age = 0; age < count; age++) {
      const dayMs = today - age * DAY_MS
      const key = `${account}:${dayMs}`
      const known = this.#finished.get(key)
      const total = known ?? (await sumOf(history, account, dayMs, budget))
      if (total === null) return { days: [...emptyDays(today, age, count), ...days], isWhole: false }
      if (age > 0 && known === undefined) this.#remember(key, total)
      days.unshift(total)
    }
    return { days, isWhole: true }
  }

  #remember(key: string, total: DayTotal): void {
    this.#finished.set(key, total)
    if (this.#finished.size <= CHART_DAYS_CACHED_MAX) return
    const [oldest] = this.#finished.keys()
    if (oldest !== undefined) this.#finished.delete(oldest)
  }
}

function emptyDays(today: TimeMs, fromAge: number, count: number): DayTotal[] {
  return Array.from({ length: count - fromAge }, (_, index) => noTotal(today - (count - 1 - index) * DAY_MS))
}

function noTotal(dayMs: TimeMs): DayTotal {
  return { dayMs, takings: 0, payouts: 0, payoutsCount: 0, takingsCount: 0 }
}

/** Null when the budget is spent before the day is. */
async function sumOf(
  history: History,
  account: AccountNumber,
  dayMs: TimeMs,
  budget: { transactionsLeft: number },
): Promise<DayTotal | null> {
  const total: Summing = { ...noTotal(dayMs) }
  const request = {
    terms: [transactionsTerm(account)],
    keep: (hit: Hit) => transactionOf(hit, account) !== null,
    createdFromMs: dayMs,
    createdToMs: dayMs + DAY_MS,
    limit: TRANSACTIONS_PER_SLICE,
  }
  for (let below: number | null | undefined; below !== null; ) {
    const page = history.page(below === undefined ? request : { ...request, below })
    budget.transactionsLeft -= page.hits.length
    if (budget.transactionsLeft < 0) return null
    for (const hit of page.hits) add(total, transactionOf(hit, account), account)
    below = page.next
    if (below !== null) await new Promise(setImmediate)
  }
  return total
}

type Summing = { -readonly [Field in keyof DayTotal]: DayTotal[Field] }

function add(total: Summing, transaction: Transaction | null, account: AccountNumber): void {
  if (transaction === null) return
  const { type, postings } = transaction
  const sum = postings.reduce(
    (so, { debit, credit, amount }) => so + (credit === account ? amount : 0) - (debit === account ? amount : 0),
    0,
  )
  if (type === 'payout') {
    total.payouts -= sum
    total.payoutsCount++
  } else if (TAKINGS.has(type)) {
    total.takings += sum
    if (type !== 'refund') total.takingsCount++
  }
}
