// The filters of a list: what the address has, as the API takes it, the form that changes it, and the links to usual periods.
// Typed text is forgiven its case, its blanks and the French way to write a date.

import type { TimeMs } from '../../../../engine/kernel/time.ts'
import { cleanRecipient } from '../../../client/src/payment-file/file-recipient.ts'
import { LANGUAGES } from '../../../text/language.ts'
import { type Text, wordsIn } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { dayText } from '../../shared/date-text.ts'
import { DAY_MS, type DayPeriod, dayOf, periodOf, periodQuery } from '../../shared/day-period.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { type Choice, failure, type OwnChoice, selectField, theirs } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { TEXTS } from './list-filters-messages.ts'

/** Returns choices that are the merchant's own. */
export type OwnChoicesOf = (visit: Visit) => Promise<readonly OwnChoice[]>

export interface Filter {
  /** Name of the API's query parameter. */
  readonly name: string
  readonly label: Text | string
  /** Absent when any text is allowed. */
  readonly choices?: readonly Choice[]
  /** Such as its products. Without one the field is not shown. */
  readonly ownChoices?: OwnChoicesOf
  /** How typed text becomes the API's: blanks in phones go, and so does the case of slugs. */
  readonly kind?: 'recipient' | 'slug'
  /** What may be typed, inside the field. Such a field is wide. */
  readonly example?: Text | string
}

/** Search box of lists whose API takes `q`. */
export const SEARCH: Filter = { name: 'q', label: WORDS.search, example: TEXTS.referenceNameTagOrIdentifier, kind: 'recipient' }

/** Choices of a state, in the words of its badge. */
export function stateFilter(states: Readonly<Record<string, readonly [words: Text | string, ...unknown[]]>>): Filter {
  return { name: 'state', label: WORDS.state, choices: Object.entries(states).map(([value, [words]]) => ({ value, words })) }
}

export interface Filtered {
  /** Path after `/dashboard/{environment}/`. */
  readonly path: string
  readonly filters: readonly Filter[]
  /** The page is about one period: there is no link to all dates. */
  readonly hasPeriodAlways?: true
  /** How far the time zone of its days is ahead of UTC. Absent: its days are those of UTC. */
  readonly aheadMs?: TimeMs
}

/** Returns the query for the API. Days are whole ones. Empty filters are left out. */
export function filterQuery(
  { query }: Pick<Visit, 'query'>,
  { filters, aheadMs }: Pick<Filtered, 'filters' | 'aheadMs'>,
): Record<string, string> {
  const wanted: Record<string, string> = {}
  for (const filter of filters) {
    const value = forgiven(filter, query.get(filter.name) ?? '')
    if (value !== '') wanted[filter.name] = value
  }
  return { ...wanted, ...periodQuery(periodOf(query), ['created_from', 'created_to'], aheadMs) }
}

function forgiven({ choices, kind }: Filter, typed: string): string {
  const text = typed.trim()
  if (choices !== undefined) {
    const folded = fold(text)
    return (
      choices.find(({ value, words }) => fold(value) === folded || LANGUAGES.some((language) => fold(wordsIn(words, language)) === folded))
        ?.value ?? text
    )
  }
  if (kind === 'slug') return text.toLowerCase()
  // An unescaped plus of an address arrives as a blank.
  return kind === 'recipient' ? cleanRecipient(/^ [1-9]\d{7,14}$/.test(typed) ? `+${text}` : text) : text
}

/** Returns the text in lower case and without accents. */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
}

/** Parameters of a list's address that select no rows. */
const NO_FILTERS: ReadonlySet<string> = new Set(['cursor', 'ok', 'lang', 'total'])

/** Returns whether the address has a filter. */
export function isFiltered({ query }: Pick<Visit, 'query'>): boolean {
  return [...query.keys()].some((name) => !NO_FILTERS.has(name) && query.get(name)?.trim() !== '')
}

export async function filterForm(visit: Visit, noun: Filtered, error: ApiError | null): Promise<Html> {
  const { query } = visit
  const { filters, path } = noun
  const wanted = filterQuery(visit, noun)
  const own = new Map(await Promise.all(filters.map(async (filter) => [filter, await filter.ownChoices?.(visit)] as const)))
  const field = (filter: Filter): Fragment => {
    const { name, label, example } = filter
    const choices = filter.choices ?? own.get(filter)
    if (choices?.length === 0) return null
    if (choices !== undefined) return selectField(name, label, [{ value: '', words: WORDS.all }, ...choices], wanted[name] ?? '')
    const isWide = example !== undefined
    return html`<div class="field${isWide && ' is-wide'}"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${query.get(name)}"${isWide && html` placeholder="${example}"`} maxlength="255" autocomplete="off" autocapitalize="none" spellcheck="false"></div>`
  }
  const { from, to } = periodOf(query)
  const day = (name: 'from' | 'to', label: Text | string, ms: TimeMs | null): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${ms !== null && dayOf(ms)}"></div>`
  return html`<details class="filters"${error !== null && html` open`}><summary>${WORDS.filter}</summary>
<form method="get" action="${visit.to(path)}">${filters.map(field)}${day('from', WORDS.from, from)}${day('to', TEXTS.included, to)}
<div class="buttons"><button type="submit">${WORDS.filter}</button></div></form></details>
${failure(error)}
${periodLinks(visit, noun)}
${filteredBy(visit, noun, own)}`
}

type OwnChoices = ReadonlyMap<Filter, readonly OwnChoice[] | undefined>

/** Says what the list shows: the form that says it too is folded, and paper has neither form nor links. */
function filteredBy(visit: Visit, noun: Filtered, own: OwnChoices): Html {
  const wanted = filterQuery(visit, noun)
  const one = (filter: Filter): Fragment => {
    const { name, label, choices } = filter
    const value = wanted[name]
    if (value === undefined) return null
    const known = (choices ?? own.get(filter))?.find((choice) => choice.value === value)
    return html`<li>${label}${WORDS.colon} <b>${known === undefined ? theirs(visit.query.get(name)) : known.words}</b></li>`
  }
  const hasFilters = isFiltered(visit)
  return html`<div class="filtered${!hasFilters && ' on-paper'}"><ul><li>${periodText(periodOf(visit.query))}</li>${noun.filters.map(one)}</ul>${
    hasFilters && html`<a class="alone" href="${visit.to(noun.path)}">${WORDS.clearFilters}</a>`
  }</div>`
}

function periodText({ from, to }: DayPeriod): Html {
  if (from !== null && to !== null)
    return from === to ? html`${TEXTS.period(dayText(from))}` : html`${TEXTS.period2(dayText(from), dayText(to))}`
  if (from !== null) return html`${TEXTS.periodSince(dayText(from))}`
  return to === null ? html`${TEXTS.periodAllDates}` : html`${TEXTS.periodUntil(dayText(to))}`
}

/** Renders the links to usual periods. They keep the other filters. */
function periodLinks(visit: Visit, noun: Filtered): Fragment {
  const { query } = visit
  const shown = periodOf(query)
  const link = ({ words, from, to }: NamedPeriod): Html => {
    const isShown = shown.from === from && shown.to === to
    return html`<li><a class="period" href="${listAddress(visit, noun, { from: dayOf(from), to: dayOf(to) })}"${isShown && html` aria-current="true"`}>${words}</a></li>`
  }
  const hasPeriod = noun.hasPeriodAlways !== true && (shown.from !== null || shown.to !== null)
  return html`<nav class="periods" aria-label="${TEXTS.period3}"><ul>${periods(visit.app.engine.query('engine.time', null) + (noun.aheadMs ?? 0)).map(link)}${hasPeriod && html`<li><a class="period" href="${listAddress(visit, noun, { from: null, to: null })}">${TEXTS.allDates}</a></li>`}</ul></nav>`
}

interface NamedPeriod {
  readonly words: Text | string
  readonly from: TimeMs
  readonly to: TimeMs
}

/** Returns the usual periods at a time. A last day in the future would be no other period: it is today. */
export function periods(nowMs: TimeMs): readonly NamedPeriod[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const date = new Date(today)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const monthStart = Date.UTC(year, month, 1)
  return [
    { words: TEXTS.today, from: today, to: today },
    { words: TEXTS.yesterday, from: today - DAY_MS, to: today - DAY_MS },
    { words: TEXTS.of7Days, from: today - 6 * DAY_MS, to: today },
    { words: TEXTS.month, from: monthStart, to: today },
    { words: TEXTS.lastMonth, from: Date.UTC(year, month - 1, 1), to: monthStart - DAY_MS },
  ]
}

/** Returns the address of the list with changed parameters, from its first page on; null removes a parameter. */
export function listAddress(
  visit: Pick<Visit, 'query' | 'to'>,
  { path }: Pick<Filtered, 'path'>,
  change: Readonly<Record<string, string | null>>,
  suffix = '',
): string {
  const query = new URLSearchParams([...visit.query].filter(([, value]) => value.trim() !== ''))
  for (const name of NO_FILTERS) query.delete(name)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  return `${visit.to(path)}${suffix}${query.size === 0 ? '' : `?${query}`}`
}
