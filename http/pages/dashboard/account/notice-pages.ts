// Notices by e-mail in the dashboard: what the signed-in member chooses for itself.

import { NOTICE_KINDS, type NoticeKind, type Notices } from '../../../../engine/contract/notice.ts'
import type { Route } from '../../../server/route.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { html } from '../../shared/html.ts'
import { checkField, failure, formStart, heading, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './notice-pages-messages.ts'

export function noticeRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/notices',
      operationId: 'showNotices',
      needs: 'getNotices',
      summary: 'Notices by e-mail',
      show: (visit) => showNotices(visit, null),
    }),
    formRow(parts, {
      path: '/notices',
      operationId: 'sendNotices',
      needs: 'setNotices',
      summary: 'Choose notices',
      fields: NOTICE_KINDS,
      act: choose,
    }),
  ]
}

/** A cashier learns about its own sign-ins alone. */
function kindsOf({ principal }: Pick<Visit, 'principal'>): readonly NoticeKind[] {
  return principal.role === 'cashier' ? ['new_device'] : NOTICE_KINDS
}

async function choose(visit: Visit, sent: Sent<NoticeKind | 'key'>): Promise<void> {
  // A box that is not checked is not sent.
  const email = Object.fromEntries(kindsOf(visit).map((kind) => [kind, sent[kind] === 'yes']))
  const answer = await visit.ask<Notices>('setNotices', { body: { email } })
  if (answer.ok) visit.goTo('notices', 'notices_chosen')
  else await showNotices(visit, answer.error)
}

async function showNotices(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Notices>('getNotices')
  if (!answer.ok) return visit.missing()
  const { email } = answer.body
  const body = html`${heading(TEXTS.notices)}
<p>${TEXTS.intro(theirs(visit.principal.user.email))} <a href="${visit.to('notices/received')}">${TEXTS.received}</a></p>
${visit.principal.role === 'cashier' && html`<p class="hint">${TEXTS.cashiersChoose}</p>`}
${failure(error)}
<form class="form card" method="post" action="${visit.to('notices')}">${formStart(visit)}
${kindsOf(visit).map((kind) => checkField(kind, TEXTS[kind], email[kind]))}
<p class="hint">${TEXTS.oneMailEachTenMinutes}</p>
<button type="submit">${DASHBOARD_WORDS.save}</button></form>`
  visit.show({ title: TEXTS.notices, place: 'notices', body }, error === null ? 200 : 400)
}
