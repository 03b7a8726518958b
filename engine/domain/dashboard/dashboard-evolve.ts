// How the dashboard's accounts change.
import { assert } from '../../kernel/assert.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { DashboardSessionRow, DashboardUserRow, PasswordCount } from './dashboard-state.ts'

export const DASHBOARD_EVENTS = {
  'dashboard_user.created@1': createUser,
  'dashboard_password.changed@1': changePassword,
  'dashboard_session.opened@1': openSession,
  'dashboard_session.closed@1': closeSession,
  'password.counted@1': countPassword,
} satisfies EventTable

function createUser({ dashboard }: State, user: DashboardUserRow): void {
  dashboard.users.set(user.id, user)
}

function changePassword({ dashboard }: State, change: Pick<DashboardUserRow, 'id' | 'password_hash' | 'generation'>): void {
  const user = dashboard.users.get(change.id)
  assert(user !== undefined, 'the user is there')
  dashboard.users.set(user.id, { ...user, ...change })
}

function openSession({ dashboard }: State, session: DashboardSessionRow, _event: StoredEvent, record: LogRecord): void {
  dashboard.forget(record.timeMs)
  dashboard.sessions.set(session.token_hash, session)
}

function closeSession({ dashboard }: State, { token_hash }: Pick<DashboardSessionRow, 'token_hash'>): void {
  dashboard.sessions.delete(token_hash)
}

interface PasswordCounted extends PasswordCount {
  /** Key of the count that gave way to it. */
  readonly replaced: string | null
}

/** A count without anything in it takes no room. */
function countPassword({ dashboard }: State, { replaced, ...count }: PasswordCounted, _event: StoredEvent, record: LogRecord): void {
  const { passwordCounts } = dashboard
  dashboard.forget(record.timeMs)
  for (const key of [count.key, replaced]) if (key !== null && passwordCounts.get(key) !== undefined) passwordCounts.delete(key)
  if (count.failures > 0 || count.locks > 0) passwordCounts.set(count.key, count)
}
