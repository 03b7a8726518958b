// Signing up and in, and the end of sessions. The password was checked outside, slowly; here its result is counted, one
// at a time, so that no guess goes uncounted and no session opens on a password that was changed meanwhile.
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { activationRequired, keptCurrency, merchantCreated } from '../merchant/new-merchant.ts'
import { merchantQuotaRefusal } from '../quotas.ts'
import type { State } from '../state.ts'
import {
  accept,
  accountOf,
  cleared,
  closedEvent,
  countedWrong,
  type NewDashboardSession,
  openedEvents,
  sessionRow,
} from './dashboard-events.ts'
import { MEMBERS } from './dashboard-limits.ts'
import type { DashboardUserRow } from './dashboard-state.ts'
import { endedEvent, type NewLink, sentEvents } from './link-events.ts'
import { type SecondFactor, secondFactor } from './totp-decide.ts'

export interface SignUpMerchant {
  readonly type: 'SignUpMerchant'
  readonly merchantName: string
  /** In lower case. */
  readonly email: string
  readonly passwordHash: string
  readonly session: NewDashboardSession
  /** Absent: the default of the deployment. */
  readonly currency?: string
  /** The e-mail that asks to confirm the address. */
  readonly confirmation?: NewLink
  /** True when an operator must activate it before it moves live money. */
  readonly needsActivation?: boolean
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
  /** What the user sent beside the password; null or absent: nothing. */
  readonly secondFactor?: SecondFactor | null
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

/** The caller has checked the password. All other sessions end, and so does an open link that sets a new password. */
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

export const SIGN_UP_MERCHANT_REJECTIONS = ['unsupported_currency', 'email_taken', 'quota_exceeded'] as const

/** Returns `created` and `{user_id, session_id}`. Rejections: unsupported_currency, email_taken, quota_exceeded (of all). */
export function decideSignUpMerchant(
  state: State,
  command: SignUpMerchant,
  context: Context,
): Decision<(typeof SIGN_UP_MERCHANT_REJECTIONS)[number]> {
  const { merchantName, email, passwordHash, session } = command
  const currency = keptCurrency(command.currency, context)
  if (currency === null) return { refusal: 'unsupported_currency', param: 'currency' }
  if (state.dashboard.userByEmail(email) !== undefined) return { refusal: 'email_taken', param: 'email' }
  const { merchant, created } = merchantCreated(state, { name: merchantName, email, currency }, context)
  const full = merchantQuotaRefusal(state, MEMBERS, merchant.id)
  if (full !== null) return full
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
  if (command.needsActivation === true) events.push(activationRequired(merchant))
  if (command.confirmation !== undefined) events.push(...sentEvents(state, context, { kind: 'confirmation', user }, command.confirmation))
  return { ...accept(events, { user_id: user.id, session_id: opened.id }), kind: 'created' }
}

export const OPEN_DASHBOARD_SESSION_REJECTIONS = ['rate_limited', 'invalid_credentials', 'totp_required', 'totp_incorrect'] as const

/**
 * Returns `ok` and `{user_id, session_id}`. Rejections: rate_limited while the address is locked, invalid_credentials,
 * totp_required, and totp_incorrect, which counts like a wrong password.
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
  const factor = secondFactor(state, user, command.secondFactor ?? null)
  if (factor === 'totp_required') return { refusal: factor }
  if (factor === 'totp_incorrect') return countedWrong(state, count, factor, context)
  const opened = sessionRow(userId, session, context)
  const events = [...openedEvents(state, user, opened, context), ...factor, ...cleared(accountOf(state, user), count)]
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
  const count = state.dashboard.passwordCount(countKey, context.timeMs)
  if (count.locked_until_ms > context.timeMs) return { refusal: 'rate_limited' }
  return countedWrong(state, count, 'invalid_credentials', context)
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
  const resets = state.dashboard.linksBefore({ kind: 'reset', ...user })
  const changed = { id: userId, password_hash: passwordHash, generation: generation + 1 }
  const events = [
    event('dashboard_password.changed', 1, account, changed),
    ...resets.map((link) => endedEvent(state, link, 'withdrawn')),
    ...others.map((row) => closedEvent(account, row, 'password_changed')),
    ...cleared(account, count),
  ]
  return accept(events, { ok: true })
}
