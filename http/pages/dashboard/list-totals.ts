// Totals of a filtered list: how many rows, and the sum of each group. A list with more rows than the bound is counted up to
// it, and the text says `au moins`.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountNumber } from '../../../engine/api.ts'
import { type Fragment, html } from '../html.ts'
import { TOTALS_PER_ACCOUNT_MAX, TOTALS_ROWS_MAX } from './dashboard-limits.ts'
import { money, prettyCount } from './dashboard-parts.ts'

/** Part of the total to which a row counts. */
export interface Counted {
  /** `Payé`, `Entrées`. */
  readonly group: string
  readonly amount: number
}

export interface Totals {
  readonly count: number
  readonly groups: ReadonlyMap<string, { readonly count: number; readonly amount: number }>
  /** True when rows are missing. */
  readonly isCut: boolean
}

export interface RowPage<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

export class TotalsReader {
  readonly #running = new Map<AccountNumber, number>()

  /**
   * Returns the totals of the rows from the first page on. Other requests run between two pages. An account that runs too many
   * at once gets the totals of the first page.
   */
  async read<Row>(
    account: AccountNumber,
    first: RowPage<Row>,
    next: (cursor: string) => Promise<RowPage<Row> | null>,
    counted: (row: Row) => Counted | null,
  ): Promise<Totals> {
    const rows = [...first.data]
    let cursor = first.next_cursor
    const running = this.#running.get(account) ?? 0
    if (cursor === null || running >= TOTALS_PER_ACCOUNT_MAX) return totalsOf(rows, cursor !== null, counted)
    this.#running.set(account, running + 1)
    try {
      while (cursor !== null && rows.length < TOTALS_ROWS_MAX) {
        await nextTurn()
        const page: RowPage<Row> | null = await next(cursor)
        if (page === null) break
        rows.push(...page.data)
        cursor = page.next_cursor
      }
    } finally {
      this.#leave(account)
    }
    return totalsOf(rows, cursor !== null, counted)
  }

  #leave(account: AccountNumber): void {
    const left = (this.#running.get(account) ?? 1) - 1
    if (left === 0) this.#running.delete(account)
    else this.#running.set(account, left)
  }
}

export function totalsOf<Row>(rows: readonly Row[], isCut: boolean, counted: (row: Row) => Counted | null): Totals {
  const groups = new Map<string, { count: number; amount: number }>()
  for (const row of rows) {
    const part = counted(row)
    if (part === null) continue
    const group = groups.get(part.group) ?? { count: 0, amount: 0 }
    groups.set(part.group, { count: group.count + 1, amount: group.amount + part.amount })
  }
  return { count: rows.length, groups, isCut }
}

export function totalsText({ count, groups, isCut }: Totals, [one, many]: readonly [one: string, many: string]): Fragment {
  if (count === 0) return null
  const least = isCut ? 'au moins ' : ''
  // The count of a group that has all rows is the total.
  const part = ([group, { count: of, amount }]: readonly [string, { count: number; amount: number }]): Fragment =>
    html`<li>${group} : ${least}${money(amount)}${of < count && html` <span class="soft">(${prettyCount(of)})</span>`}</li>`
  return html`<section class="totals" aria-label="Total"><p><b>Total : ${least}${prettyCount(count)} ${count > 1 ? many : one}</b></p>${groups.size > 0 && html`<ul>${[...groups].map(part)}</ul>`}
${isCut && html`<p class="hint">Choisissez une période plus courte pour un total exact.</p>`}</section>`
}
