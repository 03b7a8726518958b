// News of the signed-in member: what happened in live, and how far the member has read it.
import type { EngineApi } from '../../../engine/api.ts'
import { News, type NewsItem, NewsRead, ReadNewsBody } from '../../../engine/contract/news.ts'
import { type Route, route } from '../../server/route.ts'
import { acceptedLanguage, type Language } from '../../text/language.ts'
import { causesPage } from '../../text/notice-pages.ts'
import { sayable, wordsOf } from '../../text/said-cause.ts'

export interface NewsParts {
  readonly engine: Pick<EngineApi, 'query'>
}

const PATH = '/v1/dashboard/news'
const NEWS: News = {
  ...{ unread_count: 1, mark: '12-3' },
  data: [
    {
      ...{ type: 'top_up.confirmed', at: '2026-11-20T10:00:00.000Z', is_read: false },
      summary: 'Votre approvisionnement de 250 000 F CFA est arrivé sur votre compte.',
      page: 'top-ups/019aa0fb-f5e9-7a2b-9c3d-4e5f60718293',
    },
  ],
}

export function newsRoutes(parts: NewsParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'getNews',
      tag: 'Dashboard',
      summary: 'Get the news of the member',
      description: GET_DESCRIPTION,
      auth: 'session',
      cashierReads: true,
      idempotency: 'none',
      responses: [{ status: 200, description: 'The news.', schema: News, example: NEWS }],
      errors: [],
      handle: (call) => {
        const news = newsOf(parts, call.principal.user.id, acceptedLanguage(call.browser.acceptLanguage))
        call.answer(200, JSON.stringify(news))
      },
    }),
    route({
      method: 'PUT',
      path: PATH,
      operationId: 'readNews',
      tag: 'Dashboard',
      summary: 'Mark news as read',
      description: 'What happened after `mark` stays unread. Each member has marks of its own.',
      auth: 'session',
      memberRole: 'cashier',
      idempotency: 'none',
      body: ReadNewsBody,
      bodyExample: { mark: NEWS.mark },
      responses: [{ status: 200, description: 'What is still unread.', schema: NewsRead, example: { unread_count: 0 } }],
      commands: ['ReadNews'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => {
        const { user, account } = call.principal
        const [merchantCount = 0, ownCount = 0] = call.body.mark.split('-').map(Number)
        call.submit({ type: 'ReadNews', userId: user.id, merchantCount, ownCount }, account)
      },
    }),
  ]
}

function newsOf({ engine }: NewsParts, userId: string, language: Language): News {
  const { unreadCount, merchantCount, ownCount, rows } = engine.query('news.list', { userId })
  const data = rows.map(({ cause, isRead }): NewsItem => {
    const said = sayable(cause)
    return { type: said.type, at: said.at, summary: wordsOf(said, language).line(said), page: causesPage([said]), is_read: isRead }
  })
  return { unread_count: unreadCount, mark: `${merchantCount}-${ownCount}`, data }
}

const GET_DESCRIPTION = `The events that notices are about: the last 20 of the merchant, and the last 20 of the member alone. X-Environment has no effect: they
are about live alone. A cashier gets its own.`
