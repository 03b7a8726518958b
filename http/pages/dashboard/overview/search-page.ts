// The search page: one text, looked for in every list of the dashboard and among its members.

import type { Member } from '../../../../engine/contract/dashboard.ts'
import type { Route } from '../../../server/route.ts'
import { countText } from '../../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { ROLE_NAMES } from '../account/member-pages.ts'
import { TOP_UPS } from '../balance/top-up-pages.ts'
import { TRANSACTIONS } from '../balance/transaction-pages.ts'
import { WITHDRAWALS } from '../balance/withdrawal-list.ts'
import { BILLS } from '../bills/bill-pages.ts'
import { CHARGES } from '../get-paid/charge-pages.ts'
import { LINKS } from '../get-paid/link-pages.ts'
import { MANDATES } from '../get-paid/mandate-pages.ts'
import { filterQuery, fold } from '../lists/list-filters.ts'
import type { ListNoun } from '../lists/list-page.ts'
import { BATCHES } from '../pay-out/batch-pages.ts'
import { DISBURSEMENTS } from '../pay-out/disbursement-list.ts'
import { PAYOUTS } from '../pay-out/payout-pages.ts'
import { SCHEDULES } from '../schedules/schedule-list.ts'
import { FOUND_SHOWN_MAX, PART_ROWS_MAX, PART_SEARCHES_PER_ACCOUNT_MAX } from '../shared/dashboard-limits.ts'
import { type Column, dateText, heading, table, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { type ReadRows, type RowPage, RowReader } from '../shared/row-reader.ts'

const TEXTS = texts({
  fr: {
    typeReferenceNameTagPhone: 'Saisissez une référence, un nom, un @tag, un téléphone ou un identifiant.',
    nothingMatchesTransactionsFoundBy: (value: Fragment) =>
      html`Rien ne correspond à <bdi>${value}</bdi>. Les transactions se trouvent par leur référence entière.`,
    partReferenceSearchedAmongNewest: (partrowsmax: Fragment) =>
      html`Une partie de référence est cherchée parmi les ${partrowsmax} encaissements, versements et factures les plus récents. Les plus anciens se trouvent par leur référence entière.`,
    seeWholeList: 'Voir toute la liste',
    thereOthersRefineSearch: 'Il y en a d’autres : précisez la recherche.',
  },
  en: {
    typeReferenceNameTagPhone: 'Type a reference, a name, a @tag, a phone or an identifier.',
    nothingMatchesTransactionsFoundBy: (value) =>
      html`Nothing matches <bdi>${value}</bdi>. Transactions are found by their whole reference.`,
    partReferenceSearchedAmongNewest: (partrowsmax) =>
      html`A part of a reference is searched among the ${partrowsmax} newest charges, payouts and bills. Older ones are found by their whole reference.`,
    seeWholeList: 'See the whole list',
    thereOthersRefineSearch: 'There are others: refine the search.',
  },
})

export function searchRows(parts: DashboardParts): readonly Route[] {
  const reader = new RowReader(PART_SEARCHES_PER_ACCOUNT_MAX)
  const show = (visit: Visit): Promise<void> => showSearch(visit, reader)
  return [pageRow(parts, { path: '/search', operationId: 'showSearch', needs: null, summary: 'Search everything', show })]
}

interface Section {
  readonly content: Fragment
  /** True where older rows were not searched by a part. */
  readonly isCut: boolean
}

const NOTHING: Section = { content: null, isCut: false }

type Search = (visit: Visit, reader: RowReader) => Promise<Section>

/** In the order of the page. Refunds are among the transactions. */
const SEARCHED: readonly Search[] = [
  found(CHARGES),
  found(PAYOUTS),
  found(DISBURSEMENTS),
  found(BATCHES),
  found(SCHEDULES),
  found(LINKS),
  found(BILLS),
  found(MANDATES),
  found(TOP_UPS),
  found(WITHDRAWALS),
  found(TRANSACTIONS),
  foundMembers,
]

async function showSearch(visit: Visit, reader: RowReader): Promise<void> {
  const text = visit.query.get('q')?.trim() ?? ''
  const sections: Section[] = []
  // One after the other: other requests run in between.
  for (const search of text === '' ? [] : SEARCHED) sections.push(await search(visit, reader))
  const isNothing = sections.every(({ content }) => content === null)
  const isCut = sections.some((section) => section.isCut)
  const body = html`${heading(WORDS.search)}
${text === '' && html`<p class="empty">${TEXTS.typeReferenceNameTagPhone}</p>`}
${text !== '' && isNothing && html`<p class="empty">${TEXTS.nothingMatchesTransactionsFoundBy(text)}</p>`}
${isCut && html`<p class="hint">${TEXTS.partReferenceSearchedAmongNewest(countText(PART_ROWS_MAX))}</p>`}
${sections.map(({ content }) => content)}`
  visit.show({ title: WORDS.search, place: 'search', body })
}

/** Returns the search of a list: its newest rows, and the link to the others; nothing without a row. */
function found<Row>(noun: ListNoun<Row>): Search {
  return async (visit, reader) => {
    const { q = '' } = filterQuery(visit, noun)
    const answer = await visit.ask<RowPage<Row>>(noun.operationId, { query: { q, limit: String(FOUND_SHOWN_MAX) } })
    if (!answer.ok) return NOTHING
    const { data: whole, next_cursor } = answer.body
    const isFull = whole.length >= FOUND_SHOWN_MAX || next_cursor !== null
    const byPart = isFull ? { rows: [], isCut: false } : await rowsByPart(visit, noun, reader)
    const known = new Set(whole.map((row) => noun.parts?.(row).key))
    const rows = [...whole, ...byPart.rows.filter((row) => !known.has(noun.parts?.(row).key))]
    const { isCut } = byPart
    if (rows.length === 0 && next_cursor === null) return { content: null, isCut }
    const rest = html`<p><a href="${visit.to(noun.path)}?${new URLSearchParams({ q }).toString()}">${TEXTS.seeWholeList}</a></p>`
    const more = html`<p class="hint">${TEXTS.thereOthersRefineSearch}</p>`
    const shown = rows.slice(0, FOUND_SHOWN_MAX)
    const content = html`<section><h2>${noun.title}</h2>${shown.length > 0 && table(noun.title, await noun.columns(visit), shown, '')}${next_cursor !== null && rest}${shown.length < rows.length && more}</section>`
    return { content, isCut }
  }
}

/** Returns the newest rows that have the text in one of their texts, and whether older rows were not read. */
async function rowsByPart<Row>(visit: Visit, { operationId, parts }: ListNoun<Row>, reader: RowReader): Promise<ReadRows<Row>> {
  const part = fold(visit.query.get('q')?.trim() ?? '')
  if (parts === undefined || part.length < PART_LENGTH_MIN) return { rows: [], isCut: false }
  const isFound = (row: Row): boolean => parts(row).texts.some((text) => fold(text).includes(part))
  const next = async (cursor: string): Promise<RowPage<Row> | null> => {
    const query = { limit: PAGE_ROWS, ...(cursor === '' ? {} : { cursor }) }
    const answer = await visit.ask<RowPage<Row>>(operationId, { query })
    return answer.ok ? answer.body : null
  }
  let count = 0
  let foundCount = 0
  const isEnough = (rows: readonly Row[]): boolean => {
    for (; count < rows.length; count++) if (isFound(rows[count] as Row)) foundCount++
    return count >= PART_ROWS_MAX || foundCount > FOUND_SHOWN_MAX
  }
  const { rows, isCut } = await reader.read(visit.principal.account, { first: { data: [], next_cursor: '' }, next, isEnough })
  return { rows: rows.filter(isFound), isCut: isCut && foundCount <= FOUND_SHOWN_MAX }
}

/** Fewer characters are in most texts. */
const PART_LENGTH_MIN = 2
const PAGE_ROWS = '100'

/** Members by a part of their address. */
async function foundMembers(visit: Visit): Promise<Section> {
  const answer = await visit.ask<RowPage<Member>>('listMembers', { query: { limit: '100' } })
  const text = visit.query.get('q')?.trim().toLowerCase() ?? ''
  const members = answer.ok ? answer.body.data.filter(({ email }) => email.toLowerCase().includes(text)) : []
  return members.length === 0
    ? NOTHING
    : { content: html`<section><h2>${WORDS.members}</h2>${memberTable(visit, members)}</section>`, isCut: false }
}

function memberTable(visit: Visit, members: readonly Member[]): Html {
  const columns: readonly Column<Member>[] = [
    { name: WORDS.eMailAddress, cell: ({ email }) => html`<a href="${visit.to('members')}">${theirs(email)}</a>` },
    { name: WORDS.role, cell: ({ role }) => ROLE_NAMES[role] },
    { name: WORDS.since, cell: ({ created_at }) => dateText(created_at) },
  ]
  return table(WORDS.members, columns, members, '')
}
