// What happened, behind the bell of every page: each event leads to its page, and the member marks what it has read.

import type { News, NewsItem } from '../../../../engine/contract/news.ts'
import type { Route } from '../../../server/route.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type Html, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import { badge, dateText, failure, formStart, heading } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Visit } from '../shared/dashboard-visit.ts'

const TEXTS = texts({
  fr: {
    news: 'Nouvelles',
    nothing: 'Rien de nouveau pour le moment.',
    unread: 'Non lu',
    see: 'Voir',
    markRead: 'Tout marquer comme lu',
    choose: 'Choisir vos avis par e-mail',
    liveAlone: 'En production seulement : les vingt dernières du compte, et les vôtres.',
  },
  en: {
    news: 'News',
    nothing: 'Nothing new yet.',
    unread: 'Unread',
    see: 'See',
    markRead: 'Mark all as read',
    choose: 'Choose your notices by e-mail',
    liveAlone: 'Production only: the last twenty of the account, and your own.',
  },
})

export function newsPageRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/notices/received',
      operationId: 'showNews',
      needs: 'getNews',
      summary: 'News',
      show: (visit) => showNews(visit, null),
    }),
    formRow(parts, {
      path: '/notices/received',
      operationId: 'sendNewsRead',
      needs: 'readNews',
      summary: 'Mark news as read',
      fields: ['mark'],
      act: async (visit, { mark }) => {
        const answer = await visit.ask('readNews', { body: { mark } })
        if (answer.ok) visit.goTo('notices/received', 'news_read')
        else await showNews(visit, answer.error)
      },
    }),
  ]
}

async function showNews(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<News>('getNews')
  if (!answer.ok) return visit.missing()
  const { unread_count, mark, data } = answer.body
  const body = html`${heading(TEXTS.news)}
<p>${TEXTS.liveAlone} <a href="${visit.to('notices')}">${TEXTS.choose}</a></p>
${failure(error)}
${data.length === 0 ? html`<p>${TEXTS.nothing}</p>` : html`<ul class="news">${data.map((item) => newsRow(visit, item))}</ul>`}
${
  unread_count > 0 &&
  html`<form class="form" method="post" action="${visit.to('notices/received')}">${formStart(visit, { mark })}
<button type="submit">${TEXTS.markRead}</button></form>`
}`
  visit.show({ title: TEXTS.news, place: 'notices', body }, error === null ? 200 : 400)
}

/** The pages of news are in live, whichever environment the member looks at. */
function newsRow(visit: Visit, { at, summary, page, is_read }: NewsItem): Html {
  return html`<li><p${!is_read && html` class="is-unread"`}>${!is_read && html`${badge(TEXTS.unread, 'wait')} `}<bdi>${summary}</bdi></p>
<p class="hint">${dateText(at)} <a href="${visit.root}dashboard/live/${page}">${TEXTS.see}</a></p></li>`
}
