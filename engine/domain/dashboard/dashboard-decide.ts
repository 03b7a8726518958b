// Signing up and in, and the end of sessions. The password was checked outside, slowly; here its result is counted, one
// at a time, so that no guess goes uncounted and no session opens on a password that was changed meanwhile.
import { rfc3339 } from '../../kernel/time.ts'
import { type Accepted, type Context, type Decision, event, rejectedBy } from '../decision.ts'
import { merchantCreated } from '../merchant/new-merchant.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import {
  DASHBOARD_SESSION_LIFETIME_MS,
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
}

export interface SignUpMerchant {
  readonly type: 'SignUpMerchant'
  readonly merchantName: string
  /** In lower case. */
  readonly email: string
  readonly passwordHash: string
  readonly session: NewDashboardSession
}

/** The caller has checked the password. */
export interface OpenDashboardSession {
  readonly type: 'OpenDashboardSession'
  readonly userId: string
  /** Of the password that was checked. */
  readonly generation: number
  /** Where wrong passwords for this user are counted. */
  readonly countKey: string
  readonly session: NewDashboardSession
}

/** A wrong password, or a password for an unknown address. */
export interface CountWrongPassword {
  readonly type: 'CountWrongPassword'
  readonly countKey: string
}

export interface CloseDashboardSession {
  readonly type: 'CloseDashboardSession'
  readonly userId: string
  readonly sessionId: string
}

/** The caller has checked the password. All other sessions end. */
export interface ChangePassword {
  readonly type: 'ChangePassword'
  readonly userId: string
  /** Of the password that was checked. */
  readonly generation: number
  readonly countKey: string
  readonly passwordHash: string
  /** The one that goes on. */
  readonly sessionId: string
}

export const SIGN_UP_MERCHANT_REJECTIONS = ['email_taken'] as const

/** Returns `created` and `{user_id, session_id}`. Rejections: email_taken. */
export function decideSignUpMerchant(
  state: State,
  command: SignUpMerchant,
  context: Context,
): Decision<(typeof SIGN_UP_MERCHANT_REJECTIONS)[number]> {
  const { merchantName, email, passwordHash, session } = command
  if (state.dashboard.userByEmail(email) !== undefined) return { refusal: 'email_taken', param: 'email' }
  const { merchant, created } = merchantCreated(state, { name: merchantName, email }, context)
  const user: DashboardUserRow = {
    id: context.newId(),
    merchant_id: merchant.id,
    email,
    password_hash: passwordHash,
    generation: 1,
    created_at: rfc3339(context.timeMs),
  }
  const account = merchant.accounts.live
  const opened = sessionRow(user.id, session, context)
  const events = [created, event('dashboard_user.created', 1, account, user), event('dashboard_session.opened', 1, account, opened)]
  return { ...accept(events, { user_id: user.id, session_id: opened.id }), kind: 'created' }
}

export const OPEN_DASHBOARD_SESSION_REJECTIONS = ['rate_limited', 'invalid_credentials'] as const

/**
 * Returns `ok` and `{user_id, session_id}`. Rejections: rate_limited while the address is locked,
 * invalid_credentials.
 */
export function decideOpenDashboardSession(
  state: State,
  command: OpenDashboardSession,
  context: Context,
): Decision<(typeof OPEN_DASHBOARD_SESSION_REJECTIONS)[number]> {
  const { userId, generation, countKey, session } = command
  const count = state.dashboard.passwordCount(countKey, context.timeMs)
  if (count.locked_until_ms > context.timeMs) return { refusal: 'rate_limited' }
  const user = state.dashboard.users.get(userId)
  if (user === undefined || user.generation !== generation) return { refusal: 'invalid_credentials' }
  const account = accountOf(state, user)
  const opened = sessionRow(userId, session, context)
  // Those that have expired are forgotten with the record itself.
  const open = state.dashboard.sessionsOf(userId).filter(({ expires_at_ms }) => expires_at_ms > context.timeMs)
  const replaced = open.slice(0, Math.max(0, open.length + 1 - DASHBOARD_SESSIONS_MAX))
  const events = [
    ...replaced.map((row) => closedEvent(account, row, 'replaced')),
    event('dashboard_session.opened', 1, account, opened),
    ...cleared(account, count),
  ]
  return accept(events, { user_id: userId, session_id: opened.id })
}

export const COUNT_WRONG_PASSWORD_REJECTIONS = ['rate_limited', 'invalid_credentials'] as const

/**
 * Returns invalid_credentials, and rate_limited for the one that locks. Rejections that are not counted:
 * rate_limited.
 */
export function decideCountWrongPassword(
  state: State,
  { countKey }: CountWrongPassword,
  context: Context,
): Decision<(typeof COUNT_WRONG_PASSWORD_REJECTIONS)[number]> {
  const { timeMs } = context
  const count = state.dashboard.passwordCount(countKey, timeMs)
  if (count.locked_until_ms > timeMs) return { refusal: 'rate_limited' }
  const failures = count.failures + 1
  const locks = failures >= PASSWORD_ATTEMPTS_MAX
  const lockMs = locks ? Math.min(PASSWORD_LOCK_MS * 2 ** count.locks, PASSWORD_LOCK_MAX_MS) : 0
  const counted: PasswordCount = {
    key: countKey,
    failures: locks ? 0 : failures,
    locks: count.locks + (locks ? 1 : 0),
    locked_until_ms: locks ? timeMs + lockMs : 0,
    expires_at_ms: timeMs + lockMs + PASSWORD_COUNT_LIFETIME_MS,
  }
  const replaced = state.dashboard.countToGiveWay(countKey)
  const events = [event('password.counted', 1, state.settlementAccount('live'), { ...counted, replaced })]
  const code = locks ? 'rate_limited' : 'invalid_credentials'
  return rejectedBy(accept(events, {}), code)
}

export const CLOSE_DASHBOARD_SESSION_REJECTIONS = ['not_found'] as const

/** Returns `ok` and `{id, deleted: true}`. Rejections: not_found. */
export function decideCloseDashboardSession(
  state: State,
  { userId, sessionId }: CloseDashboardSession,
): Decision<(typeof CLOSE_DASHBOARD_SESSION_REJECTIONS)[number]> {
  const user = state.dashboard.users.get(userId)
  const session = state.dashboard.session(userId, sessionId)
  if (user === undefined || session === undefined) return { refusal: 'not_found' }
  return accept([closedEvent(accountOf(state, user), session, 'revoked')], { id: sessionId, deleted: true })
}

export const CHANGE_PASSWORD_REJECTIONS = ['rate_limited', 'invalid_credentials'] as const

/** Returns `ok` and `{ok: true}`. Rejections: rate_limited while the address is locked, invalid_credentials. */
export function decideChangePassword(
  state: State,
  command: ChangePassword,
  context: Context,
): Decision<(typeof CHANGE_PASSWORD_REJECTIONS)[number]> {
  const { userId, generation, countKey, passwordHash, sessionId } = command
  const count = state.dashboard.passwordCount(countKey, context.timeMs)
  if (count.locked_until_ms > context.timeMs) return { refusal: 'rate_limited' }
  const user = state.dashboard.users.get(userId)
  if (user === undefined || user.generation !== generation) return { refusal: 'invalid_credentials' }
  const account = accountOf(state, user)
  const others = state.dashboard.sessionsOf(userId).filter(({ id }) => id !== sessionId)
  const changed = { id: userId, password_hash: passwordHash, generation: generation + 1 }
  const events = [
    event('dashboard_password.changed', 1, account, changed),
    ...others.map((row) => closedEvent(account, row, 'password_changed')),
    ...cleared(account, count),
  ]
  return accept(events, { ok: true })
}

function sessionRow(userId: string, { tokenHash, userAgent }: NewDashboardSession, context: Context): DashboardSessionRow {
  return {
    id: context.newId(),
    user_id: userId,
    token_hash: tokenHash,
    user_agent: userAgent,
    created_at: rfc3339(context.timeMs),
    expires_at_ms: context.timeMs + DASHBOARD_SESSION_LIFETIME_MS,
  }
}

function closedEvent(
  account: number,
  { id, token_hash }: DashboardSessionRow,
  reason: 'revoked' | 'replaced' | 'password_changed',
): StoredEvent {
  return event('dashboard_session.closed', 1, account, { id, token_hash, reason })
}

/** A right password starts the count over; most have nothing to start over. */
function cleared(account: number, { key, failures, locks }: PasswordCount): StoredEvent[] {
  if (failures === 0 && locks === 0) return []
  return [event('password.counted', 1, account, { key, failures: 0, locks: 0, locked_until_ms: 0, expires_at_ms: 0, replaced: null })]
}

function accountOf(state: State, { merchant_id }: DashboardUserRow): number {
  const merchant = state.merchants.merchants.get(merchant_id)
  return merchant === undefined ? state.settlementAccount('live') : merchant.accounts.live
}

function accept(events: readonly StoredEvent[], body: object): Accepted {
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(body) }
}
