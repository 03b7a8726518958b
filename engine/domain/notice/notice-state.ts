// Notices that wait, and those that left within the last ten minutes: one row of each kind and holder.
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

/** Returns the members who get the notice. */
export function recipientsOf({ dashboard }: State, kind: NoticeKind, { merchantId, userId }: NoticeHolder): DashboardUserRow[] {
  const members = dashboard.usersOf(merchantId).filter(({ id }) => userId === null || id === userId)
  return members.filter((user) => noticesOf(user)[kind])
}
