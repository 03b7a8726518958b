// Rows and events that the commands of the dashboard's accounts share.
import type { ErrorCode } from '../../contract/errors.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Accepted, type Context, event, rejectedBy } from '../decision.ts'
import { isProven } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import {
  DASHBOARD_SESSION_LIFETIME_MS,
  DASHBOARD_SESSIONS,
  DASHBOARD_SESSIONS_MAX,
  PASSWORD_ATTEMPTS_MAX,
  PASSWORD_COUNT_LIFETIME_MS,
  PASSWORD_LOCK_MAX_MS,
  PASSWORD_LOCK_MS,
} from './dashboard-limits.ts'
import type { DashboardSessionRow, DashboardUserRow, PasswordCount } from './dashboard-state.ts'

/** A session as its browser opens it. */
export interface NewDashboardSession {
  /** SHA-256 of the token that was made for it. */
  readonly tokenHash: string
  readonly userAgent: string
  /** True where the user has not used the browser before. */
  readonly isNewDevice?: boolean
}

export function sessionRow(
  userId: string,
  { tokenHash, userAgent, isNewDevice }: NewDashboardSession,
  context: Context,
): DashboardSessionRow {
  return {
    id: context.newId(),
    user_id: userId,
    token_hash: tokenHash,
    user_agent: userAgent,
    created_at: rfc3339(context.timeMs),
    expires_at_ms: context.timeMs + DASHBOARD_SESSION_LIFETIME_MS,
    ...(isNewDevice === true ? { is_new_device: true } : {}),
  }
}

export function closedEvent(
  account: number,
  { id, token_hash }: DashboardSessionRow,
  reason: 'revoked' | 'replaced' | 'password_changed' | 'member_removed',
): StoredEvent {
  return event('dashboard_session.closed', 1, account, { id, token_hash, reason })
}

/** A right password starts the count over; most have nothing to start over. */
export function cleared(account: number, { key, failures, locks }: PasswordCount): StoredEvent[] {
  if (failures === 0 && locks === 0) return []
  return [event('password.counted', 1, account, { key, failures: 0, locks: 0, locked_until_ms: 0, expires_at_ms: 0, replaced: null })]
}

export function accountOf(state: State, { merchant_id }: DashboardUserRow): number {
  const merchant = state.merchants.merchants.get(merchant_id)
  return merchant === undefined ? state.settlementAccount('live') : merchant.accounts.live
}

export function accept(events: readonly StoredEvent[], body: object): Accepted {
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(body) }
}

/** Counts a wrong password or code. Returns the rejection: `code`, or rate_limited for the one that locks. */
export function countedWrong<Code extends ErrorCode>(
  state: State,
  count: PasswordCount,
  code: Code,
  { timeMs }: Context,
): Accepted<Code | 'rate_limited'> {
  const failures = count.failures + 1
  const locks = failures >= PASSWORD_ATTEMPTS_MAX
  const lockMs = locks ? Math.min(PASSWORD_LOCK_MS * 2 ** count.locks, PASSWORD_LOCK_MAX_MS) : 0
  const counted: PasswordCount = {
    key: count.key,
    failures: locks ? 0 : failures,
    locks: count.locks + (locks ? 1 : 0),
    locked_until_ms: locks ? timeMs + lockMs : 0,
    expires_at_ms: timeMs + lockMs + PASSWORD_COUNT_LIFETIME_MS,
  }
  const replaced = state.dashboard.countToGiveWay(count.key)
  const events = [event('password.counted', 1, state.settlementAccount('live'), { ...counted, replaced })]
  return rejectedBy<Code | 'rate_limited'>(accept(events, {}), locks ? 'rate_limited' : code)
}

/** Returns the events that open a session; the oldest gives way where there are too many. */
export function openedEvents(state: State, user: DashboardUserRow, opened: DashboardSessionRow, { timeMs }: Context): StoredEvent[] {
  const account = accountOf(state, user)
  // Those that have expired are forgotten with the record itself.
  const open = state.dashboard.sessionsOf(user.id).filter(({ expires_at_ms }) => expires_at_ms > timeMs)
  const hasRoom = state.quotas.use(DASHBOARD_SESSIONS).hasRoom('both', user.id, isProven(state, account))
  // While the table is full each user keeps as many sessions as it has, and at least one.
  const most = hasRoom ? DASHBOARD_SESSIONS_MAX : Math.min(Math.max(open.length, 1), DASHBOARD_SESSIONS_MAX)
  const replaced = open.slice(0, Math.max(0, open.length + 1 - most))
  return [...replaced.map((row) => closedEvent(account, row, 'replaced')), event('dashboard_session.opened', 1, account, opened)]
}
