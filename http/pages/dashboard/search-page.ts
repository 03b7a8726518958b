// The search page: one text, looked for in every list of the dashboard and among its members.
import type { Member } from '../../../engine/contract/dashboard.ts'
import type { Route } from '../../server/route.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { BATCHES } from './batch-pages.ts'
import { BILLS } from './bill-pages.ts'
import { CHARGES } from './charge-pages.ts'
import { FOUND_SHOWN_MAX } from './dashboard-limits.ts'
import { type Column, dateText, heading, table, theirs } from './dashboard-parts.ts'
import { LINKS } from './link-pages.ts'
import { filterQuery } from './list-filters.ts'
import type { ListNoun } from './list-page.ts'
import type { RowPage } from './list-totals.ts'
import { MANDATES } from './mandate-pages.ts'
import { ROLE_NAMES } from './member-pages.ts'
import { PAYOUTS } from './payout-pages.ts'
import { SCHEDULES } from './schedule-pages.ts'
import { TOP_UPS } from './top-up-pages.ts'
import { TRANSACTIONS } from './transaction-pages.ts'
import { type DashboardParts, pageRow, type Visit } from './visit.ts'
import { WITHDRAWALS } from './withdrawal-pages.ts'

export function searchRows(parts: DashboardParts): readonly Route[] {
  return [pageRow(parts, { path: '/search', operationId: 'showSearch', summary: 'Search everything', show: showSearch })]
}

/** In the order of the page. Refunds are among the transactions. */
const SEARCHED: readonly ((visit: Visit) => Promise<Fragment>)[] = [
  found(CHARGES),
  found(PAYOUTS),
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

async function showSearch(visit: Visit): Promise<void> {
  const text = visit.query.get('q')?.trim() ?? ''
  const sections: Fragment[] = []
  // One after the other: other requests run in between.
  for (const search of text === '' ? [] : SEARCHED) sections.push(await search(visit))
  const isNothing = sections.every((section) => section === null)
  const body = html`${heading('Rechercher')}
${text === '' && html`<p class="empty">Saisissez une référence, un nom, un @tag, un téléphone ou un identifiant.</p>`}
${text !== '' && isNothing && html`<p class="empty">Rien ne correspond à <bdi>${text}</bdi>. Les encaissements, versements et transactions se trouvent par leur référence entière.</p>`}
${sections}`
  visit.show({ title: 'Rechercher', place: 'search', body })
}

/** Returns the search of a list: its newest rows, and the link to the others; nothing without a row. */
function found<Row>(noun: ListNoun<Row>): (visit: Visit) => Promise<Fragment> {
  return async (visit) => {
    const { q = '' } = filterQuery(visit, noun)
    const query = { q, limit: String(FOUND_SHOWN_MAX) }
    const answer = await visit.ask<RowPage<Row>>(noun.operationId, { query })
    if (!answer.ok) return null
    const { data, next_cursor } = answer.body
    if (data.length === 0 && next_cursor === null) return null
    const rest = html`<p><a href="${visit.to(noun.path)}?${new URLSearchParams({ q }).toString()}">Voir toute la liste</a></p>`
    return html`<section><h2>${noun.title}</h2>${data.length > 0 && table(noun.title, noun.columns(visit), data, '')}${next_cursor !== null && rest}</section>`
  }
}

/** Members by a part of their address. */
async function foundMembers(visit: Visit): Promise<Fragment> {
  const answer = await visit.ask<RowPage<Member>>('listMembers', { query: { limit: '100' } })
  const text = visit.query.get('q')?.trim().toLowerCase() ?? ''
  const members = answer.ok ? answer.body.data.filter(({ email }) => email.toLowerCase().includes(text)) : []
  return members.length === 0 ? null : html`<section><h2>Membres</h2>${memberTable(visit, members)}</section>`
}

function memberTable(visit: Visit, members: readonly Member[]): Html {
  const columns: readonly Column<Member>[] = [
    { name: 'Adresse e-mail', cell: ({ email }) => html`<a href="${visit.to('members')}">${theirs(email)}</a>` },
    { name: 'Rôle', cell: ({ role }) => ROLE_NAMES[role] },
    { name: 'Depuis', cell: ({ created_at }) => dateText(created_at) },
  ]
  return table('Membres', columns, members, '')
}
