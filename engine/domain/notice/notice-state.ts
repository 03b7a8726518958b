// Notices that wait, and those that left within the last ten minutes: one row of each kind and holder. Beside them the news: the last
// events of each holder, and how far each member has read them.
import { NOTICE_KINDS, type NoticeKind } from '../../contract/notice.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { DashboardUserRow } from '../dashboard/dashboard-state.ts'
import type { SharedState, State } from '../state.ts'

/** For whom a notice is: all members of a merchant who want its kind, or one of them. */
export interface NoticeHolder {
  readonly merchantId: string
  /** Null: all members. */
  readonly userId: string | null
}

export interface NoticeRow {
  /** The kind and the id of the holder. */
  readonly key: string
  readonly kind: NoticeKind
  readonly merchant_id: string
  readonly user_id: string | null
  /** When the next notice leaves; without an event by then, the row ends. */
  readonly due_ms: TimeMs
  /** Events since the last notice. */
  readonly count: number
  /** The first of them. */
  readonly positions: readonly Position[]
}

/** The last events of a merchant that notices are about; or of a member, for what concerns the member alone. */
export interface NewsRow {
  /** Id of the merchant or of the member. */
  readonly holder_id: string
  /** All that there ever were. */
  readonly count: number
  /** Of the last ones, oldest first. */
  readonly positions: readonly Position[]
}

/** News that a member has read, by their numbers: of its merchant, and its own. */
export interface NewsReadRow {
  readonly user_id: string
  readonly merchant: number
  readonly own: number
}

export const NO_NEWS_READ = { merchant: 0, own: 0 } as const

/** Kind of the timers of notices; their key is that of the row. */
export const NOTICE_TIMER = 'notice'

declare module '../state.ts' {
  interface State {
    readonly notices: Notices
  }
}

export class Notices extends SnapshotTables {
  /** Setting a row also sets its timer, so a restored snapshot has the timers of its rows. */
  readonly rows: Table<NoticeRow>

  /** Keyed by id of the merchant, and by id of the member. */
  readonly news = new Table<NewsRow>(this, 'news', { boundedBy: 'one row of each merchant, and one of each member' })
  /** Keyed by id of the member. */
  readonly newsRead = new Table<NewsReadRow>(this, 'news_read', { boundedBy: 'one row of each member' })

  constructor({ timers }: SharedState) {
    super()
    const bound = { boundedBy: 'one row of each kind and merchant, and one of each member' }
    this.rows = new Table(this, 'notice', bound, (row, before) => {
      const { key } = (row ?? before) as NoticeRow
      if (row === undefined) timers.cancel(NOTICE_TIMER, key)
      else timers.set(NOTICE_TIMER, key, row.due_ms)
    })
  }
}

export function noticeKey(kind: NoticeKind, { merchantId, userId }: NoticeHolder): string {
  return `${kind}:${userId ?? merchantId}`
}

/** Returns which kinds the member gets by e-mail. Owners begin with all but the daily summary, others with none. */
export function noticesOf({ role = 'owner', notices = {} }: Pick<DashboardUserRow, 'role' | 'notices'>): Record<NoticeKind, boolean> {
  const choices = NOTICE_KINDS.map((kind) => [kind, notices[kind] ?? (role === 'owner' && kind !== 'daily_summary')] as const)
  return Object.fromEntries(choices) as Record<NoticeKind, boolean>
}

/** Returns how many news the member has not read. A cashier sees its own alone. */
export function unreadOf(
  { notices: { news } }: Pick<State, 'notices'>,
  { id, merchant_id, role = 'owner' }: Pick<DashboardUserRow, 'id' | 'merchant_id' | 'role'>,
  read: Omit<NewsReadRow, 'user_id'>,
): number {
  const unread = (row: NewsRow | undefined, readCount: number): number =>
    row === undefined ? 0 : Math.min(row.positions.length, row.count - readCount)
  return (role === 'cashier' ? 0 : unread(news.get(merchant_id), read.merchant)) + unread(news.get(id), read.own)
}

/** Returns the members who get the notice. */
export function recipientsOf({ dashboard }: State, kind: NoticeKind, { merchantId, userId }: NoticeHolder): DashboardUserRow[] {
  const members = dashboard.usersOf(merchantId).filter(({ id }) => userId === null || id === userId)
  return members.filter((user) => noticesOf(user)[kind])
}
