// Totals of a filtered list: how many rows, and the sum of each group. A list with more rows than the bound is counted up to
// it, and the text says `au moins`, with a link to the exact total. That one has no bound of rows: a view adds up for some seconds, and
// the next view continues from there.

import type { AccountNumber } from '../../../../engine/api.ts'
import type { TimeMs } from '../../../../engine/kernel/time.ts'
import type { Text } from '../../../text/text.ts'
import { countText } from '../../shared/amount-text.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { EXACT_TOTALS_KEPT_MAX, EXACT_TOTALS_MS, TOTALS_PER_ACCOUNT_MAX, TOTALS_ROWS_MAX } from '../shared/dashboard-limits.ts'
import { dateText, money } from '../shared/dashboard-parts.ts'
import { type RowPage, RowReader } from '../shared/row-reader.ts'

const TEXTS = texts({
  fr: {
    atLeast: 'au moins',
    total: (least: Fragment, count: Fragment, value: Fragment) => html`Total : ${least}${count} ${value}`,
    countAllRows: 'Calculer le total exact',
    continueCounting: 'Continuer le calcul du total exact',
    rowsUntil: (time: Fragment) => html`Lignes jusqu’au ${time}.`,
  },
  en: {
    atLeast: 'at least',
    total: (least, count, value) => html`Total: ${least}${count} ${value}`,
    countAllRows: 'Calculate the exact total',
    continueCounting: 'Continue the calculation of the exact total',
    rowsUntil: (time) => html`Rows until ${time}.`,
  },
})

/** Part of the total to which a row counts. */
export interface Counted {
  /** `Payé`, `Entrées`. */
  readonly group: Text | string
  readonly amount: number
}

export interface Totals {
  readonly count: number
  readonly groups: ReadonlyMap<Text | string, { readonly count: number; readonly amount: number }>
  /** True when rows are missing. */
  readonly isCut: boolean
  /** When the counting began, where an earlier view began it: newer rows are missing. */
  readonly since: TimeMs | null
}

/** The rows so far, and the cursor behind them; null at the end of the list. */
class Sums {
  readonly sinceMs: TimeMs
  readonly groups = new Map<Text | string, { count: number; amount: number }>()
  count = 0
  cursor: string | null = null

  constructor(sinceMs: TimeMs) {
    this.sinceMs = sinceMs
  }

  add(parts: readonly (Counted | null)[]): void {
    this.count += parts.length
    for (const part of parts) {
      if (part === null) continue
      const group = this.groups.get(part.group) ?? { count: 0, amount: 0 }
      this.groups.set(part.group, { count: group.count + 1, amount: group.amount + part.amount })
    }
  }
}

interface Kept {
  readonly list: string
  readonly sums: Sums
}

export class TotalsReader {
  readonly #reader = new RowReader(TOTALS_PER_ACCOUNT_MAX)
  /** Exact totals that the next view continues, oldest first. */
  readonly #kept = new Map<AccountNumber, Kept>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Returns the totals of the rows from the first page on. An account that runs too many at once gets those of the first page. */
  async read<Row>(account: AccountNumber, { first, next, counted, exact, timeMs }: TotalsReading<Row>): Promise<Totals> {
    const kept = exact === null ? null : this.#take(account, exact)
    const sums = kept ?? new Sums(timeMs)
    const seen = (rows: readonly Row[]): void => sums.add(rows.map(counted))
    if (kept === null) {
      seen(first.data)
      sums.cursor = first.next_cursor
    }
    const endMs = this.#now() + EXACT_TOTALS_MS
    const isEnough = (): boolean => (exact === null ? sums.count >= TOTALS_ROWS_MAX : this.#now() >= endMs)
    sums.cursor = await this.#reader.walk(account, sums.cursor, { next, seen, isEnough })
    const isCut = sums.cursor !== null
    if (exact !== null && isCut) this.#keep(account, { list: exact, sums })
    return { count: sums.count, groups: sums.groups, isCut, since: kept === null ? null : sums.sinceMs }
  }

  #take(account: AccountNumber, list: string): Sums | null {
    const kept = this.#kept.get(account)
    this.#kept.delete(account)
    return kept?.list === list ? kept.sums : null
  }

  #keep(account: AccountNumber, kept: Kept): void {
    this.#kept.delete(account)
    this.#kept.set(account, kept)
    if (this.#kept.size > EXACT_TOTALS_KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value as AccountNumber)
  }
}

/** How the rows of a list are read and added up. */
export interface TotalsReading<Row> {
  readonly first: RowPage<Row>
  readonly next: (cursor: string) => Promise<RowPage<Row> | null>
  readonly counted: (row: Row) => Counted | null
  /** Names the list with its filters, whose exact total is wanted; null for a total within the bound of rows. */
  readonly exact: string | null
  readonly timeMs: TimeMs
}

/** `exact`: where the exact total stands, and whether this is that page. */
export function totalsText(
  { count, groups, isCut, since }: Totals,
  currency: string,
  [one, many]: readonly [one: Text, many: Text],
  exact: { readonly address: string; readonly isHere: boolean },
): Fragment {
  if (count === 0) return null
  const least = isCut && html`${TEXTS.atLeast} `
  // The count of a group that has all rows is the total.
  const part = ([group, { count: of, amount }]: readonly [Text | string, { count: number; amount: number }]): Fragment =>
    html`<li>${group}${WORDS.colon} ${least}${money(amount, currency)}${of < count && html` <span class="soft">(${countText(of)})</span>`}</li>`
  return html`<section class="totals" aria-label="${WORDS.total}"><p><b>${TEXTS.total(least, countText(count), count > 1 ? many : one)}</b></p>${groups.size > 0 && html`<ul>${[...groups].map(part)}</ul>`}
${since !== null && html`<p class="hint">${TEXTS.rowsUntil(dateText(new Date(since).toISOString()))}</p>`}
${isCut && html`<p class="hint"><a href="${exact.address}">${exact.isHere ? TEXTS.continueCounting : TEXTS.countAllRows}</a></p>`}</section>`
}
