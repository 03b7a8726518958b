// Totals of a filtered list: how many rows, and the sum of each group. A list with more rows than the bound is counted up to
// it, and the text says `au moins`, with a link to the exact total, which takes longer.

import type { AccountNumber } from '../../../../engine/api.ts'
import type { Text } from '../../../text/text.ts'
import { countText } from '../../shared/amount-text.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { TOTALS_PER_ACCOUNT_MAX } from '../shared/dashboard-limits.ts'
import { money } from '../shared/dashboard-parts.ts'
import { type RowPage, RowReader } from '../shared/row-reader.ts'

const TEXTS = texts({
  fr: {
    atLeast: 'au moins',
    total: (least: Fragment, count: Fragment, value: Fragment) => html`Total : ${least}${count} ${value}`,
    countAllRows: 'Calculer le total exact',
    chooseShorterPeriodForExact: 'Choisissez une période plus courte pour un total exact.',
  },
  en: {
    atLeast: 'at least',
    total: (least, count, value) => html`Total: ${least}${count} ${value}`,
    countAllRows: 'Calculate the exact total',
    chooseShorterPeriodForExact: 'Choose a shorter period for an exact total.',
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
}

export class TotalsReader {
  readonly #reader = new RowReader(TOTALS_PER_ACCOUNT_MAX)

  /** Returns the totals of the rows from the first page on. An account that runs too many at once gets those of the first page. */
  async read<Row>(account: AccountNumber, { first, next, counted, rowsMax }: TotalsReading<Row>): Promise<Totals> {
    // Of each row its part alone is kept: there may be tens of thousands.
    const partsOf = ({ data, next_cursor }: RowPage<Row>): RowPage<Counted | null> => ({ data: data.map(counted), next_cursor })
    const { rows, isCut } = await this.#reader.read(account, {
      first: partsOf(first),
      next: async (cursor) => {
        const page = await next(cursor)
        return page === null ? null : partsOf(page)
      },
      isEnough: (parts) => parts.length >= rowsMax,
    })
    return totalsOf(rows, isCut)
  }
}

/** How the rows of a list are read and added up. */
export interface TotalsReading<Row> {
  readonly first: RowPage<Row>
  readonly next: (cursor: string) => Promise<RowPage<Row> | null>
  readonly counted: (row: Row) => Counted | null
  readonly rowsMax: number
}

function totalsOf(rows: readonly (Counted | null)[], isCut: boolean): Totals {
  const groups = new Map<Text | string, { count: number; amount: number }>()
  for (const part of rows) {
    if (part === null) continue
    const group = groups.get(part.group) ?? { count: 0, amount: 0 }
    groups.set(part.group, { count: group.count + 1, amount: group.amount + part.amount })
  }
  return { count: rows.length, groups, isCut }
}

/** `exactAddress`: where the exact total stands; null on that page. */
export function totalsText(
  { count, groups, isCut }: Totals,
  currency: string,
  [one, many]: readonly [one: Text, many: Text],
  exactAddress: string | null,
): Fragment {
  if (count === 0) return null
  const least = isCut && html`${TEXTS.atLeast} `
  // The count of a group that has all rows is the total.
  const part = ([group, { count: of, amount }]: readonly [Text | string, { count: number; amount: number }]): Fragment =>
    html`<li>${group} : ${least}${money(amount, currency)}${of < count && html` <span class="soft">(${countText(of)})</span>`}</li>`
  return html`<section class="totals" aria-label="${WORDS.total}"><p><b>${TEXTS.total(least, countText(count), count > 1 ? many : one)}</b></p>${groups.size > 0 && html`<ul>${[...groups].map(part)}</ul>`}
${isCut && html`<p class="hint">${exactAddress === null ? TEXTS.chooseShorterPeriodForExact : html`<a href="${exactAddress}">${TEXTS.countAllRows}</a>`}</p>`}</section>`
}
