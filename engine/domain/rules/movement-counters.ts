// What each account has paid and received in the day and the month (UTC) of its newest movement, in one array. Counted from the
// transactions of every record, by turns and by replay alike, so no decider can forget it.
import type { Amount } from '../../kernel/amount.ts'
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

/** Numbers of an account, in the order in which a payment uses them: those of a payee stand in one cache line, those of a payer beside. */
const DAY = 0
const MONTH = 1
const RECEIVED_MONTH = 2
const PAID_DAY = 3
const PAID_MONTH = 4
const NUMBERS = 5

/** Columns of a row in the snapshot, in their order there. */
const COLUMNS = [DAY, MONTH, PAID_DAY, PAID_MONTH, RECEIVED_MONTH] as const

/** Day and month of an account that has not moved. */
const NEVER = -1

/** Sums stay safe integers: no limit is as large. */
const SUM_MAX = Number.MAX_SAFE_INTEGER

export class MovementCounters implements SnapshotSource {
  readonly name = 'movement_counter'
  #numbers = unmoved(FIRST_CAPACITY)
  /** Number of accounts up to the last one that has moved: rows end there. */
  #count = 0
  readonly #changed = new ChangedBlocks((block) => this.#copyOf(block))

  count(type: TransactionType, { debit, credit, amount }: Posting, timeMs: TimeMs): void {
    const { paid, received } = COUNTED_SIDES[type]
    if (!paid && !received) return
    const day = dayOf(timeMs)
    if (paid) {
      const at = this.#open(debit, day, timeMs)
      const numbers = this.#numbers
      numbers[at + PAID_DAY] = sum(numbers[at + PAID_DAY] as number, amount)
      numbers[at + PAID_MONTH] = sum(numbers[at + PAID_MONTH] as number, amount)
    }
    if (received) {
      const at = this.#open(credit, day, timeMs) + RECEIVED_MONTH
      const numbers = this.#numbers
      numbers[at] = sum(numbers[at] as number, amount)
    }
  }

  /** Gives back what a payment of `paidAtMs` took from the windows of its payer that are not over. */
  giveBack(payer: AccountNumber, amount: number, paidAtMs: TimeMs, timeMs: TimeMs): void {
    if (monthNumber(paidAtMs) !== monthNumber(timeMs)) return
    const at = this.#open(payer, dayOf(timeMs), timeMs)
    const numbers = this.#numbers
    numbers[at + PAID_MONTH] = Math.max(0, (numbers[at + PAID_MONTH] as number) - amount)
    if (dayOf(paidAtMs) === dayOf(timeMs)) numbers[at + PAID_DAY] = Math.max(0, (numbers[at + PAID_DAY] as number) - amount)
  }

  usageOf(account: AccountNumber, timeMs: TimeMs): Usage {
    const paidMonth = this.#ofMonth(account, PAID_MONTH, timeMs)
    return { paidDay: this.paidDayOf(account, timeMs), paidMonth, receivedMonth: this.receivedMonthOf(account, timeMs) }
  }

  paidDayOf(account: AccountNumber, timeMs: TimeMs): Amount {
    const at = account * NUMBERS
    return this.#numbers[at + DAY] === dayOf(timeMs) ? (this.#numbers[at + PAID_DAY] as number) : 0
  }

  receivedMonthOf(account: AccountNumber, timeMs: TimeMs): Amount {
    return this.#ofMonth(account, RECEIVED_MONTH, timeMs)
  }

  #ofMonth(account: AccountNumber, number: number, timeMs: TimeMs): Amount {
    const at = account * NUMBERS
    return this.#numbers[at + MONTH] === monthNumber(timeMs) ? (this.#numbers[at + number] as number) : 0
  }

  capture(): IterableIterator<CapturedRow> {
    return asRows(this.#changed.capture())
  }

  *rows(): IterableIterator<[string, object]> {
    for (let block = 0; block * ACCOUNTS_PER_BLOCK < this.#count; block++) {
      const columns = columnsOf(this.#copyOf(block))
      if (columns[0]?.some((day) => day !== NEVER)) yield [String(block), columns.map((column) => Array.from(column))]
    }
  }

  restore(key: string, row: object): void {
    const from = Number(key) * ACCOUNTS_PER_BLOCK
    const columns = row as readonly (readonly number[])[]
    this.#reserve(from + (columns[0] as readonly number[]).length)
    for (const [index, number] of COLUMNS.entries()) {
      for (const [account, value] of (columns[index] as readonly number[]).entries()) {
        this.#numbers[(from + account) * NUMBERS + number] = value
      }
    }
  }

  /** Begins the windows of the time that is counted. Returns where the numbers of the account begin. */
  #open(account: AccountNumber, day: number, timeMs: TimeMs): number {
    // Before the rows reach the account: what a snapshot keeps of the block ends where the rows ended.
    this.#changed.willChange(Math.floor(account / ACCOUNTS_PER_BLOCK))
    if (account >= this.#count) this.#reserve(account + 1)
    const at = account * NUMBERS
    if (this.#numbers[at + DAY] !== day) this.#openDay(at, day, timeMs)
    return at
  }

  #openDay(at: number, day: number, timeMs: TimeMs): void {
    const numbers = this.#numbers
    numbers[at + DAY] = day
    numbers[at + PAID_DAY] = 0
    const month = monthNumber(timeMs)
    if (numbers[at + MONTH] === month) return
    numbers[at + MONTH] = month
    numbers[at + PAID_MONTH] = 0
    numbers[at + RECEIVED_MONTH] = 0
  }

  #copyOf(block: number): Float64Array {
    const from = block * ACCOUNTS_PER_BLOCK
    return this.#numbers.slice(from * NUMBERS, Math.min(from + ACCOUNTS_PER_BLOCK, this.#count) * NUMBERS)
  }

  #reserve(count: number): void {
    this.#count = Math.max(this.#count, count)
    let capacity = this.#numbers.length / NUMBERS
    if (count <= capacity) return
    while (capacity < count) capacity *= 2
    const larger = unmoved(capacity)
    larger.set(this.#numbers)
    this.#numbers = larger
  }
}

function sum(before: number, amount: number): number {
  return Math.min(SUM_MAX, before + amount)
}

function unmoved(capacity: number): Float64Array {
  const numbers = new Float64Array(capacity * NUMBERS)
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    numbers[at + DAY] = NEVER
    numbers[at + MONTH] = NEVER
  }
  return numbers
}

/** Returns the columns of a block, in their order in the snapshot. */
function columnsOf(numbers: Float64Array): Float64Array[] {
  return COLUMNS.map((number) =>
    Float64Array.from({ length: numbers.length / NUMBERS }, (_, at) => numbers[at * NUMBERS + number] as number),
  )
}

function* asRows(blocks: Iterable<[number, Float64Array]>): Generator<CapturedRow> {
  for (const [block, numbers] of blocks) yield [String(block), `[${columnsOf(numbers).map(jsonOfNumbers).join(',')}]`]
}
