// Decider of news: a member has read what a mark stands for.
import { type Context, type Decision, event } from '../decision.ts'
import type { State } from '../state.ts'
import { type NewsReadRow, NO_NEWS_READ, unreadOf } from './notice-state.ts'

export interface ReadNews {
  readonly type: 'ReadNews'
  readonly userId: string
  /** Numbers of the newest news that the member has seen: of its merchant, and its own. */
  readonly merchantCount: number
  readonly ownCount: number
}

export const READ_NEWS_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the count of what is still unread. What was read stays read. Rejections: not_found. */
export function decideReadNews(
  state: State,
  { userId, merchantCount, ownCount }: ReadNews,
  _context: Context,
): Decision<(typeof READ_NEWS_REJECTIONS)[number]> {
  const user = state.dashboard.users.get(userId)
  if (user === undefined) return { refusal: 'not_found' }
  const { notices, merchants } = state
  const before = notices.newsRead.get(userId) ?? { user_id: userId, ...NO_NEWS_READ }
  const row: NewsReadRow = {
    user_id: userId,
    merchant: Math.max(before.merchant, Math.min(merchantCount, notices.news.get(user.merchant_id)?.count ?? 0)),
    own: Math.max(before.own, Math.min(ownCount, notices.news.get(userId)?.count ?? 0)),
  }
  const isSame = row.merchant === before.merchant && row.own === before.own
  const account = merchants.merchants.get(user.merchant_id)?.accounts.live ?? state.settlementAccount('live')
  return {
    environment: 'live',
    events: isSame ? [] : [event('news.read', 1, account, row)],
    transactions: [],
    frames: [],
    kind: 'ok',
    body: JSON.stringify({ unread_count: unreadOf(state, user, row) }),
  }
}
