// How the dashboard's accounts change.
import { assert } from '../../kernel/assert.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { DashboardSessionRow, DashboardUserRow, LinkRow, PasswordCount, TotpRow } from './dashboard-state.ts'

export const DASHBOARD_EVENTS = {
  'dashboard_user.created@1': createUser,
  'dashboard_password.changed@1': changePassword,
  'dashboard_session.opened@1': openSession,
  'dashboard_session.closed@1': closeSession,
  'password.counted@1': countPassword,
  'dashboard_user.joined@1': joinUser,
  'dashboard_user.removed@1': removeUser,
  'dashboard_email.confirmed@1': confirmEmail,
  'dashboard_link.sent@1': sendLink,
  'dashboard_link.ignored@1': null,
  'dashboard_link.ended@1': endLink,
  'totp.enrolled@1': enrolTotp,
  'totp.enabled@1': enableTotp,
  'totp.used@1': useTotp,
  'totp.disabled@1': disableTotp,
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

function joinUser({ dashboard }: State, user: DashboardUserRow): void {
  dashboard.users.set(user.id, user)
}

function removeUser({ dashboard }: State, { id }: Pick<DashboardUserRow, 'id'>): void {
  if (dashboard.totps.get(id) !== undefined) dashboard.totps.delete(id)
  if (dashboard.resets.get(id) !== undefined) dashboard.resets.delete(id)
  dashboard.users.delete(id)
}

function confirmEmail({ dashboard }: State, change: Required<Pick<DashboardUserRow, 'id' | 'email_confirmed_at'>>): void {
  const user = dashboard.users.get(change.id)
  assert(user !== undefined, 'the user is there')
  dashboard.users.set(user.id, { ...user, ...change })
}

interface LinkSent extends LinkRow {
  /** Token hash of the link that gives way to this one. */
  readonly replaced: string | null
}

function sendLink({ dashboard }: State, { replaced, ...link }: LinkSent, _event: StoredEvent, record: LogRecord): void {
  dashboard.forget(record.timeMs)
  if (replaced !== null && dashboard.links.get(replaced) !== undefined) dashboard.links.delete(replaced)
  dashboard.links.set(link.token_hash, link)
  if (link.kind === 'reset' && link.user_id !== null) dashboard.countReset(link.user_id, record.timeMs)
}

function endLink({ dashboard }: State, { token_hash }: Pick<LinkRow, 'token_hash'>): void {
  if (dashboard.links.get(token_hash) !== undefined) dashboard.links.delete(token_hash)
}

function enrolTotp({ dashboard }: State, totp: Pick<TotpRow, 'user_id' | 'sealed_secret' | 'created_at'>): void {
  dashboard.totps.set(totp.user_id, { ...totp, is_active: false, last_step: 0, recovery: [] })
}

function enableTotp({ dashboard }: State, { user_id, last_step, recovery }: Pick<TotpRow, 'user_id' | 'last_step' | 'recovery'>): void {
  const totp = dashboard.totps.get(user_id)
  assert(totp !== undefined, 'the enrolment is there')
  dashboard.totps.set(user_id, { ...totp, is_active: true, last_step, recovery })
}

interface TotpUsed extends Pick<TotpRow, 'user_id'> {
  /** Null where a recovery code was used. */
  readonly last_step: number | null
  readonly recovery: string | null
}

function useTotp({ dashboard }: State, { user_id, last_step, recovery }: TotpUsed): void {
  const totp = dashboard.totps.get(user_id)
  assert(totp !== undefined, 'the second factor is there')
  const left = totp.recovery.filter((hash) => hash !== recovery)
  dashboard.totps.set(user_id, { ...totp, last_step: last_step ?? totp.last_step, recovery: left })
}

function disableTotp({ dashboard }: State, { user_id }: Pick<TotpRow, 'user_id'>): void {
  dashboard.totps.delete(user_id)
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
