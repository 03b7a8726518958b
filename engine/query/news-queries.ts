// Queries for the news of a member: how many it has not read, and what they are.
import { type NewsRow, NO_NEWS_READ, unreadOf } from '../domain/notice/notice-state.ts'
import type { Position } from '../kernel/position.ts'
import { type NoticeCause, noticeCauses } from './notice-queries.ts'
import type { Reads } from './reads.ts'

export interface OfMember {
  readonly userId: string
}

export interface NewsRows {
  readonly unreadCount: number
  /** Numbers of the newest ones: of the merchant, and of the member alone. */
  readonly merchantCount: number
  readonly ownCount: number
  /** Newest first. */
  readonly rows: readonly { readonly cause: NoticeCause; readonly isRead: boolean }[]
}

/** Returns how many news the member has not read. Reads live state alone, for every page. */
export function unreadNews({ state }: Reads, { userId }: OfMember): number {
  const user = state.dashboard.users.get(userId)
  return user === undefined ? 0 : unreadOf(state, user, state.notices.newsRead.get(userId) ?? NO_NEWS_READ)
}

export function listNews(reads: Reads, { userId }: OfMember): NewsRows {
  const { dashboard, notices } = reads.state
  const user = dashboard.users.get(userId)
  const shared = user === undefined || user.role === 'cashier' ? undefined : notices.news.get(user.merchant_id)
  const own = notices.news.get(userId)
  const read = notices.newsRead.get(userId) ?? NO_NEWS_READ
  const placed = [...placedOf(shared, read.merchant), ...placedOf(own, read.own)].sort((one, other) => other.position - one.position)
  const causes = noticeCauses(reads, { positions: placed.map(({ position }) => position) })
  return {
    unreadCount: unreadNews(reads, { userId }),
    ...{ merchantCount: shared?.count ?? 0, ownCount: own?.count ?? 0 },
    rows: causes.map((cause, at) => ({ cause, isRead: placed[at]?.isRead ?? false })),
  }
}

function placedOf(row: NewsRow | undefined, readCount: number): { readonly position: Position; readonly isRead: boolean }[] {
  if (row === undefined) return []
  const first = row.count - row.positions.length + 1
  return row.positions.map((position, at) => ({ position, isRead: first + at <= readCount }))
}
