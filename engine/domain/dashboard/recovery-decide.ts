// A forgotten password, and the confirmation of an e-mail address: links that were sent there, each used once.
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, type Decision, event } from '../decision.ts'
import type { State } from '../state.ts'
import { accept, accountOf, cleared, closedEvent } from './dashboard-events.ts'
import type { DashboardUserRow } from './dashboard-state.ts'
import { endedEvent, type NewLink, sentEvents } from './link-events.ts'

export interface RequestPasswordReset {
  readonly type: 'RequestPasswordReset'
  /** In lower case; of a user or not. */
  readonly email: string
  readonly link: NewLink
}

export interface ResetPassword {
  readonly type: 'ResetPassword'
  readonly tokenHash: string
  readonly passwordHash: string
  /** Where wrong passwords for the address are counted: the lock ends. */
  readonly countKey: string
}

export interface RequestEmailConfirmation {
  readonly type: 'RequestEmailConfirmation'
  readonly userId: string
  readonly link: NewLink
}

export interface ConfirmEmail {
  readonly type: 'ConfirmEmail'
  readonly tokenHash: string
}

/** Returns `accepted` for every address. An unknown one leaves a record too, so that both take the same time. */
export function decideRequestPasswordReset(state: State, { email, link }: RequestPasswordReset, context: Context): Decision<never> {
  const user = state.dashboard.userByEmail(email)
  const events = user === undefined ? [] : sentEvents(state, context, { kind: 'reset', user }, link)
  const ignored = event('dashboard_link.ignored', 1, state.settlementAccount('live'), { kind: 'reset' })
  return { ...accept(events.length === 0 ? [ignored] : events, { ok: true }), kind: 'accepted' }
}

export const RESET_PASSWORD_REJECTIONS = ['invalid_token'] as const

/** Returns `ok`: all sessions and links of the user end, and the address is confirmed. Rejections: invalid_token. */
export function decideResetPassword(
  state: State,
  { tokenHash, passwordHash, countKey }: ResetPassword,
  context: Context,
): Decision<(typeof RESET_PASSWORD_REJECTIONS)[number]> {
  const link = state.dashboard.link(tokenHash, 'reset', context.timeMs)
  const user = link?.user_id === null || link === undefined ? undefined : state.dashboard.users.get(link.user_id)
  if (link === undefined || user === undefined) return { refusal: 'invalid_token' }
  const account = accountOf(state, user)
  const others = state.dashboard.linksBefore({ kind: 'reset', ...user }).filter(({ id }) => id !== link.id)
  const changed = { id: user.id, password_hash: passwordHash, generation: user.generation + 1 }
  const events = [
    event('dashboard_password.changed', 1, account, changed),
    endedEvent(state, link, 'used'),
    ...others.map((other) => endedEvent(state, other, 'withdrawn')),
    ...confirmedEvents(state, user, context),
    ...state.dashboard.sessionsOf(user.id).map((row) => closedEvent(account, row, 'password_changed')),
    ...cleared(account, state.dashboard.passwordCount(countKey, context.timeMs)),
  ]
  return accept(events, { ok: true })
}

export const REQUEST_EMAIL_CONFIRMATION_REJECTIONS = ['not_found'] as const

/** Returns `accepted`; a confirmed address gets no e-mail. Rejections: not_found. */
export function decideRequestEmailConfirmation(
  state: State,
  { userId, link }: RequestEmailConfirmation,
  context: Context,
): Decision<(typeof REQUEST_EMAIL_CONFIRMATION_REJECTIONS)[number]> {
  const user = state.dashboard.users.get(userId)
  if (user === undefined) return { refusal: 'not_found' }
  const isOpen = user.email_confirmed_at === undefined
  const events = isOpen ? sentEvents(state, context, { kind: 'confirmation', user }, link) : []
  return { ...accept(events, { ok: true }), kind: 'accepted' }
}

export const CONFIRM_EMAIL_REJECTIONS = ['invalid_token'] as const

/** Returns `ok`. Rejections: invalid_token. */
export function decideConfirmEmail(
  state: State,
  { tokenHash }: ConfirmEmail,
  context: Context,
): Decision<(typeof CONFIRM_EMAIL_REJECTIONS)[number]> {
  const link = state.dashboard.link(tokenHash, 'confirmation', context.timeMs)
  const user = link?.user_id === null || link === undefined ? undefined : state.dashboard.users.get(link.user_id)
  if (link === undefined || user === undefined) return { refusal: 'invalid_token' }
  return accept([endedEvent(state, link, 'used'), ...confirmedEvents(state, user, context)], { ok: true })
}

function confirmedEvents(state: State, user: DashboardUserRow, { timeMs }: Context) {
  if (user.email_confirmed_at !== undefined) return []
  return [event('dashboard_email.confirmed', 1, accountOf(state, user), { id: user.id, email_confirmed_at: rfc3339(timeMs) })]
}
