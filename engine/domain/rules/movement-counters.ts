// What each account has paid and received in the day and the month (UTC) of its newest movement, in parallel columns. Counted from the
// transactions of every record, by turns and by replay alike, so no decider can forget it.
import { monthNumber } from '../../kernel/calendar.ts'
import { ChangedBlocks, jsonOfNumbers } from '../../kernel/changed-blocks.ts'
import type { CapturedRow } from '../../kernel/changed-rows.ts'
import type { SnapshotSource } from '../../kernel/table.ts'
import { dayOf, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber, Posting, TransactionType } from '../../ledger/transaction.ts'

/** Which sides of a transaction count. Amounts of fees and of refunds do not. */
export interface CountedSides {
  /** The debited account has paid. */
  readonly paid: boolean
  /** The credited account has received. */
  readonly received: boolean
}

const BOTH: CountedSides = { paid: true, received: true }
const NEITHER: CountedSides = { paid: false, received: false }

/** A new type of transaction does not compile without its line. Limits are asked for the sides that count. */
export const COUNTED_SIDES = {
  payout: BOTH,
  transfer: BOTH,
  charge: BOTH,
  bill: BOTH,
  mandate: BOTH,
  // The service itself is on the other side. What an operator takes from a wallet is no payment of its owner.
  deposit: { paid: false, received: true },
  withdrawal: NEITHER,
  refund: NEITHER,
  fee: NEITHER,
  fee_refund: NEITHER,
} as const satisfies Record<TransactionType, CountedSides>

const ACCOUNTS_PER_BLOCK = 1024
const FIRST_CAPACITY = ACCOUNTS_PER_BLOCK * 4

/** Sums of one account in the day and the month of a time. */
export interface Usage {
  readonly paidDay: number
  readonly paidMonth: number
  readonly receivedMonth: number
}

interface Columns {
  readonly days: Float64Array
  readonly months: Float64Array
  readonly paidDay: Float64Array
  readonly paidMonth: Float64Array
  readonly receivedMonth: Float64Array
}

const NAMES = ['days', 'months', 'paidDay', 'paidMonth', 'receivedMonth'] as const satisfies readonly (keyof Columns)[]

/** Day and month of an account that has not moved. */
const NEVER = -1

/** Sums stay safe integers: no limit is as large. */
const SUM_MAX = Number.MAX_SAFE_INTEGER

export class MovementCounters implements SnapshotSource {
  readonly name = 'movement_counter'
  #columns: Columns = emptyColumns(FIRST_CAPACITY)
  /** Number of accounts up to the last one that has moved: rows end there. */
  #count = 0
  readonly #changed = new ChangedBlocks((block) => this.#copyOf(block))

  count(type: TransactionType, { debit, credit, amount }: Posting, timeMs: TimeMs): void {
    const { paid, received } = COUNTED_SIDES[type]
    if (paid) {
      this.#open(debit, timeMs)
      const { paidDay, paidMonth } = this.#columns
      paidDay[debit] = sum(paidDay[debit] as number, amount)
      paidMonth[debit] = sum(paidMonth[debit] as number, amount)
    }
    if (received) {
      this.#open(credit, timeMs)
      const { receivedMonth } = this.#columns
      receivedMonth[credit] = sum(receivedMonth[credit] as number, amount)
    }
  }

  /** Gives back what a payment of `paidAtMs` took from the windows of its payer that are not over. */
  giveBack(payer: AccountNumber, amount: number, paidAtMs: TimeMs, timeMs: TimeMs): void {
    if (monthNumber(paidAtMs) !== monthNumber(timeMs)) return
    this.#open(payer, timeMs)
    const { paidDay, paidMonth } = this.#columns
    paidMonth[payer] = Math.max(0, (paidMonth[payer] as number) - amount)
    if (dayOf(paidAtMs) === dayOf(timeMs)) paidDay[payer] = Math.max(0, (paidDay[payer] as number) - amount)
  }

  usageOf(account: AccountNumber, timeMs: TimeMs): Usage {
    const { days, months, paidDay, paidMonth, receivedMonth } = this.#columns
    const isThisMonth = months[account] === monthNumber(timeMs)
    return {
      paidDay: days[account] === dayOf(timeMs) ? (paidDay[account] as number) : 0,
      paidMonth: isThisMonth ? (paidMonth[account] as number) : 0,
      receivedMonth: isThisMonth ? (receivedMonth[account] as number) : 0,
    }
  }

  capture(): IterableIterator<CapturedRow> {
    return asRows(this.#changed.capture())
  }

  *rows(): IterableIterator<[string, object]> {
    for (let block = 0; block * ACCOUNTS_PER_BLOCK < this.#count; block++) {
      const columns = this.#copyOf(block)
      if (columns.days.some((day) => day !== NEVER)) yield [String(block), NAMES.map((name) => Array.from(columns[name]))]
    }
  }

  restore(key: string, row: object): void {
    const from = Number(key) * ACCOUNTS_PER_BLOCK
    this.#reserve(from + ((row as number[][])[0] as number[]).length)
    for (let index = 0; index < NAMES.length; index++) {
      this.#columns[NAMES[index] as keyof Columns].set((row as number[][])[index] as number[], from)
    }
  }

  /** Begins the windows of the time that is counted. */
  #open(account: AccountNumber, timeMs: TimeMs): void {
    const day = dayOf(timeMs)
    // Before the rows reach the account: what a snapshot keeps of the block ends where the rows ended.
    this.#changed.willChange(Math.floor(account / ACCOUNTS_PER_BLOCK))
    if (account >= this.#count) this.#reserve(account + 1)
    const { days, months, paidDay, paidMonth, receivedMonth } = this.#columns
    if (days[account] === day) return
    days[account] = day
    paidDay[account] = 0
    const month = monthNumber(timeMs)
    if (months[account] === month) return
    months[account] = month
    paidMonth[account] = 0
    receivedMonth[account] = 0
  }

  #copyOf(block: number): Columns {
    const from = block * ACCOUNTS_PER_BLOCK
    const to = Math.min(from + ACCOUNTS_PER_BLOCK, this.#count)
    const { days, months, paidDay, paidMonth, receivedMonth } = this.#columns
    return {
      days: days.slice(from, to),
      months: months.slice(from, to),
      paidDay: paidDay.slice(from, to),
      paidMonth: paidMonth.slice(from, to),
      receivedMonth: receivedMonth.slice(from, to),
    }
  }

  #reserve(count: number): void {
    this.#count = Math.max(this.#count, count)
    let capacity = this.#columns.days.length
    if (count <= capacity) return
    while (capacity < count) capacity *= 2
    const larger = emptyColumns(capacity)
    for (const name of NAMES) larger[name].set(this.#columns[name])
    this.#columns = larger
  }
}

function sum(before: number, amount: number): number {
  return Math.min(SUM_MAX, before + amount)
}

function emptyColumns(capacity: number): Columns {
  const column = () => new Float64Array(capacity)
  return { days: column().fill(NEVER), months: column().fill(NEVER), paidDay: column(), paidMonth: column(), receivedMonth: column() }
}

function* asRows(blocks: Iterable<[number, Columns]>): Generator<CapturedRow> {
  for (const [block, columns] of blocks) yield [String(block), `[${NAMES.map((name) => jsonOfNumbers(columns[name])).join(',')}]`]
}
