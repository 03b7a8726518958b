// Reads the rows of a list page by page, up to a bound. Other requests run between two pages.
import type { AccountNumber } from '../../../../engine/api.ts'
import { SLICE_COST } from '../../../lists/list-limits.ts'
import { fairWork } from '../../../server/fair-work.ts'

export interface RowPage<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

export interface ReadRows<Row> {
  readonly rows: readonly Row[]
  /** True when the list has further rows. */
  readonly isCut: boolean
}

/** How the rows of one list are read. */
export interface RowReading<Row> {
  /** The first page. */
  readonly first: RowPage<Row>
  /** Returns the page at a cursor; null where the API refuses it. */
  readonly next: (cursor: string) => Promise<RowPage<Row> | null>
  /** Returns whether the rows so far are enough. */
  readonly isEnough: (rows: readonly Row[]) => boolean
}

export interface RowWalk<Row> {
  readonly next: RowReading<Row>['next']
  readonly seen: (rows: readonly Row[]) => void
  readonly isEnough: () => boolean
}

export class RowReader {
  readonly #runningMax: number
  readonly #running = new Map<AccountNumber, number>()

  /** `runningMax` bounds the readings of an account that run at once. */
  constructor(runningMax: number) {
    this.#runningMax = runningMax
  }

  /** Returns the rows from the first page on. An account that reads too much at once gets the first page. */
  async read<Row>(account: AccountNumber, { first, next, isEnough }: RowReading<Row>): Promise<ReadRows<Row>> {
    const rows = [...first.data]
    const seen = (data: readonly Row[]): void => void rows.push(...data)
    const cursor = await this.walk(account, first.next_cursor, { next, seen, isEnough: () => isEnough(rows) })
    return { rows, isCut: cursor !== null }
  }

  /** Reads the pages from the cursor on, and returns the cursor behind the last one that was read; null at the end of the list. */
  async walk<Row>(account: AccountNumber, from: string | null, { next, seen, isEnough }: RowWalk<Row>): Promise<string | null> {
    const running = this.#running.get(account) ?? 0
    if (from === null || running >= this.#runningMax) return from
    this.#running.set(account, running + 1)
    let cursor: string | null = from
    try {
      while (cursor !== null && !isEnough()) {
        await fairWork.turn(account, SLICE_COST)
        const page: RowPage<Row> | null = await next(cursor)
        if (page === null) break
        seen(page.data)
        cursor = page.next_cursor
      }
    } finally {
      this.#leave(account)
    }
    return cursor
  }

  #leave(account: AccountNumber): void {
    const left = (this.#running.get(account) ?? 1) - 1
    if (left === 0) this.#running.delete(account)
    else this.#running.set(account, left)
  }
}
