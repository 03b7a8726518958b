// A list of the API as a page: filters, totals, pagination and files. The API selects the rows and applies the filters.

import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { type Fragment, type Html, html, type Title } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { type Column, heading, live, table } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import type { RowPage } from '../shared/row-reader.ts'
import type { Place } from '../shared/shell.ts'
import { type Exported, exportList, SPREADSHEET } from './list-export.ts'
import { filterForm, filterQuery, listAddress } from './list-filters.ts'
import { type Counted, TotalsReader, totalsText } from './list-totals.ts'

const TEXTS = texts({
  fr: {
    nothingMatchesTheseFilters: 'Rien ne correspond à ces filtres.',
    exportForSpreadsheet: 'Exporter pour un tableur',
    exportAsPlainCsv: 'Exporter en CSV simple',
  },
  en: {
    nothingMatchesTheseFilters: 'Nothing matches these filters.',
    exportForSpreadsheet: 'Export for a spreadsheet',
    exportAsPlainCsv: 'Export as plain CSV',
  },
})

export interface ListNoun<Row> extends Exported<Row> {
  readonly place: Place
  readonly title: Title
  columns(visit: Visit): readonly Column<Row>[] | Promise<readonly Column<Row>[]>
  /** Text of a list that has no rows yet. */
  readonly empty: Text | string
  /** Name of its rows, for the total. */
  readonly counted?: readonly [one: Text, many: Text]
  /** Returns the part of the total to which a row counts; null counts to none. */
  readonly total?: (row: Row) => Counted | null
  /** Texts of a row that a search by a part reads, for lists whose API finds whole references alone. The key names the row. */
  readonly parts?: (row: Row) => { readonly key: string; readonly texts: readonly string[] }
  /** Prefixes of the events and changes that may change the list. */
  readonly live?: readonly string[]
  /** Returns the actions of the page. */
  actions?(visit: Visit): Fragment
  /** Returns the text above the list. */
  intro?(visit: Visit): Fragment | Promise<Fragment>
}

export function listRows<Row>(parts: DashboardParts, noun: ListNoun<Row>): readonly Route[] {
  const { path, operationId } = noun
  const totals = new TotalsReader()
  const show = (visit: Visit): Promise<void> => showList(visit, noun, totals)
  return [
    pageRow(parts, { path: `/${path}`, operationId: `${operationId}Page`, needs: operationId, summary: path, show }),
    pageRow(parts, {
      path: `/${path}.csv`,
      operationId: `${operationId}Csv`,
      needs: operationId,
      summary: `${path}.csv`,
      show: (visit) => exportList(visit, noun, () => show(visit)),
    }),
  ]
}

const NO_MATCH = TEXTS.nothingMatchesTheseFilters

const EMPTY = { data: [], next_cursor: null } as const

async function showList<Row>(visit: Visit, noun: ListNoun<Row>, totals: TotalsReader): Promise<void> {
  const cursor = visit.query.get('cursor')
  const query = { ...filterQuery(visit, noun), ...(cursor === null ? {} : { cursor }) }
  const isFiltered = Object.keys(query).length > 0
  const answer = await visit.ask<RowPage<Row>>(noun.operationId, { query })
  const page: RowPage<Row> = answer.ok ? answer.body : EMPTY
  const body = html`${heading(noun.title, noun.actions?.(visit))}
${await noun.intro?.(visit)}
${await filterForm(visit, noun, answer.ok ? null : answer.error)}
${live(
  'list',
  html`${answer.ok && (await totalPart(visit, noun, totals, page))}
${table(noun.title, await noun.columns(visit), page.data, isFiltered ? NO_MATCH : noun.empty)}
${pager(visit, noun, page)}`,
)}`
  // A page with an exact total reads too much to be read again for each change.
  visit.show({ title: noun.title, place: noun.place, live: isExact(visit) ? [] : (noun.live ?? []), body }, answer.ok ? 200 : answer.status)
}

/** Renders the total of all pages of the list under its filters. */
async function totalPart<Row>(visit: Visit, noun: ListNoun<Row>, totals: TotalsReader, shown: RowPage<Row>): Promise<Fragment> {
  const { counted, total = () => null, operationId } = noun
  if (counted === undefined) return null
  const next = async (cursor: string): Promise<RowPage<Row> | null> => {
    const query = { ...filterQuery(visit, noun), limit: PAGE_ROWS, ...(cursor === '' ? {} : { cursor }) }
    const answer = await visit.ask<RowPage<Row>>(operationId, { query })
    return answer.ok ? answer.body : null
  }
  // A later page starts in the middle: its total begins at the first page all the same.
  const first = visit.query.has('cursor') ? { data: [], next_cursor: '' } : shown
  const isHere = isExact(visit)
  const exact = isHere ? new URLSearchParams(filterQuery(visit, noun)).toString() : null
  const timeMs = visit.app.engine.query('engine.time', null)
  const sums = await totals.read(visit.principal.account, { first, next, counted: total, exact, timeMs })
  return totalsText(sums, visit.currency, counted, { address: listAddress(visit, noun, { total: 'exact' }), isHere })
}

/** Whether the reader asked for the exact total. */
function isExact({ query }: Pick<Visit, 'query'>): boolean {
  return query.get('total') === 'exact'
}

const PAGE_ROWS = '100'

/** An empty list has no files. */
function pager<Row>(visit: Visit, noun: ListNoun<Row>, { data, next_cursor: next }: RowPage<Row>): Html {
  return html`<div class="pager">
${visit.query.has('cursor') && html`<a href="${listAddress(visit, noun, {})}">${WORDS.firstPage}</a>`}
${next !== null && html`<a href="${listAddress(visit, noun, { cursor: next })}" rel="next">${WORDS.nextPage}</a>`}
${
  data.length > 0 &&
  html`<a href="${listAddress(visit, noun, { format: SPREADSHEET }, '.csv')}" download>${TEXTS.exportForSpreadsheet}</a>
<a href="${listAddress(visit, noun, {}, '.csv')}" download>${TEXTS.exportAsPlainCsv}</a>`
}
</div>`
}
