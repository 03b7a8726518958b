// A list of the API as a page: filters, pagination and CSV export. The API selects the rows and applies the filters.

import { csvText } from '../../lists/csv-text.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { CSV_ROWS_MAX } from './dashboard-limits.ts'
import { type Choice, type Column, failure, heading, live, selectField, table } from './dashboard-parts.ts'
import type { Place } from './shell.ts'
import { type DashboardParts, pageRow, type Visit } from './visit.ts'

export interface Filter {
  /** Name of the API's query parameter. */
  readonly name: string
  readonly label: string
  /** Absent when any text is allowed. */
  readonly choices?: readonly Choice[]
}

/** Search box of lists whose API takes `q`. */
export const SEARCH: Filter = { name: 'q', label: 'Rechercher (référence, @tag ou identifiant)' }

export interface ListNoun<Row> {
  readonly place: Place
  readonly title: string
  /** Path after `/dashboard/{environment}/`. */
  readonly path: string
  readonly operationId: string
  readonly filters: readonly Filter[]
  columns(visit: Visit): readonly Column<Row>[]
  /** Fields of the API's record that are columns of the CSV. */
  readonly csvFields: readonly (keyof Row & string)[]
  readonly empty: string
  /** Prefixes of the event types that may change the list. */
  readonly live?: readonly string[]
  /** Returns the actions of the page. */
  actions?(visit: Visit): Fragment
  /** Returns the text above the list. */
  intro?(visit: Visit): Fragment | Promise<Fragment>
}

interface ApiPage<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

export function listRows<Row>(parts: DashboardParts, noun: ListNoun<Row>): readonly Route[] {
  const { path, operationId } = noun
  return [
    pageRow(parts, { path: `/${path}`, operationId: `${operationId}Page`, summary: noun.title, show: (visit) => showList(visit, noun) }),
    pageRow(parts, {
      path: `/${path}.csv`,
      operationId: `${operationId}Csv`,
      summary: `${noun.title}, CSV`,
      show: (visit) => exportList(visit, noun),
    }),
  ]
}

async function showList<Row>(visit: Visit, noun: ListNoun<Row>): Promise<void> {
  const cursor = visit.query.get('cursor')
  const query = { ...filterQuery(visit, noun), ...(cursor === null ? {} : { cursor }) }
  const answer = await visit.ask<ApiPage<Row>>(noun.operationId, { query })
  const page: ApiPage<Row> = answer.ok ? answer.body : { data: [], next_cursor: null }
  const body = html`${heading(noun.title, noun.actions?.(visit))}
${await noun.intro?.(visit)}
${filterForm(visit, noun, answer.ok ? null : answer.error)}
${live(
  'list',
  html`${table(noun.title, noun.columns(visit), page.data, noun.empty)}
${pager(visit, noun, page.next_cursor)}`,
)}`
  visit.show({ title: noun.title, place: noun.place, live: noun.live ?? [], body }, answer.ok ? 200 : answer.status)
}

/** Returns the query for the API. Days are whole days in UTC. */
function filterQuery<Row>({ query }: Visit, { filters }: ListNoun<Row>): Record<string, string> {
  const wanted: Record<string, string> = {}
  for (const { name } of filters) {
    const value = query.get(name)?.trim() ?? ''
    if (value !== '') wanted[name] = value
  }
  const [from, to] = [dayMs(query.get('from')), dayMs(query.get('to'))]
  if (from !== null) wanted.created_from = new Date(from).toISOString()
  if (to !== null && to < LAST_DAY_MS) wanted.created_to = new Date(to + DAY_MS).toISOString()
  return wanted
}

const DAY_MS = 86_400_000
/** The last day that the API can parse: the next one has a year of five digits. */
const LAST_DAY_MS = Date.UTC(9999, 11, 31)

function dayMs(day: string | null): number | null {
  const ms = day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

function filterForm<Row>(visit: Visit, { filters, path }: ListNoun<Row>, error: ApiError | null): Html {
  const { query } = visit
  const field = ({ name, label, choices }: Filter): Html => {
    const value = query.get(name) ?? ''
    if (choices !== undefined) return selectField(name, label, [{ value: '', words: 'Tous' }, ...choices], value)
    return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" maxlength="255" autocomplete="off"></div>`
  }
  const day = (name: 'from' | 'to', label: string): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${query.get(name)}"></div>`
  const isFiltered = [...query.keys()].some((name) => name !== 'cursor' && name !== 'ok' && query.get(name) !== '')
  return html`<details class="filters"${isFiltered && html` open`}><summary>Filtrer</summary>
<form method="get" action="${visit.to(path)}">${filters.map(field)}${day('from', 'Du')}${day('to', 'Au (inclus)')}
<div class="buttons"><button type="submit">Filtrer</button>${isFiltered && html`<a href="${visit.to(path)}">Effacer les filtres</a>`}</div></form></details>
${failure(error)}`
}

function pager<Row>(visit: Visit, { path }: ListNoun<Row>, next: string | null): Html {
  const address = (suffix: string, change: (query: URLSearchParams) => void): string => {
    const query = new URLSearchParams(visit.query)
    query.delete('ok')
    change(query)
    return `${visit.to(path)}${suffix}${query.size === 0 ? '' : `?${query}`}`
  }
  const first = address('', (query) => query.delete('cursor'))
  return html`<div class="pager">
${visit.query.has('cursor') && html`<a href="${first}">Première page</a>`}
${next !== null && html`<a href="${address('', (query) => query.set('cursor', next))}" rel="next">Page suivante</a>`}
<a href="${address('.csv', (query) => query.delete('cursor'))}" download>Exporter en CSV</a>
</div>`
}

const PAGE_ROWS = '100'

/** Answers the list as CSV (RFC 4180), in UTF-8 with a byte order mark for spreadsheets. The last line says when it is truncated. */
async function exportList<Row>(visit: Visit, noun: ListNoun<Row>): Promise<void> {
  const { csvFields, operationId, path } = noun
  const lines = [csvText(csvFields)]
  const query = { ...filterQuery(visit, noun), limit: PAGE_ROWS }
  for (let cursor: string | null = ''; cursor !== null && lines.length <= CSV_ROWS_MAX; ) {
    const answer: Awaited<ReturnType<typeof visit.ask<ApiPage<Row>>>> = await visit.ask<ApiPage<Row>>(operationId, {
      query: cursor === '' ? query : { ...query, cursor },
    })
    if (!answer.ok) return showList(visit, noun)
    for (const row of answer.body.data) lines.push(csvText(csvFields.map((field) => csvValue(row[field]))))
    cursor = answer.body.next_cursor
    if (cursor !== null && lines.length > CSV_ROWS_MAX)
      lines.push(csvText([`Suite non exportée : ${CSV_ROWS_MAX} lignes au plus. Filtrez par date.`]))
  }
  const name = `${path}-${visit.environment}.csv`
  visit.file(name, 'text/csv; charset=utf-8', `\uFEFF${lines.join('')}`)
}

function csvValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}
