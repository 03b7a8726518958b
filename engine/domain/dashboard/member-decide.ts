// Members of a merchant: who is invited, joins and is removed. The last owner stays.
import type { MemberRole } from '../../contract/dashboard.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { merchantQuotaRefusal, quotaExceeded } from '../quotas.ts'
import type { State } from '../state.ts'
import { accept, accountOf, closedEvent, type NewDashboardSession, sessionRow } from './dashboard-events.ts'
import { MEMBERS, MEMBERS_MAX, SENT_LINKS, UNCONFIRMED_INVITATIONS_MAX } from './dashboard-limits.ts'
import type { DashboardUserRow } from './dashboard-state.ts'
import { endedEvent, type NewLink, sentEvents } from './link-events.ts'

export interface InviteMember {
  readonly type: 'InviteMember'
  /** The owner who invites. */
  readonly userId: string
  /** In lower case. */
  readonly email: string
  readonly role: MemberRole
  readonly link: NewLink
}

export interface AcceptInvitation {
  readonly type: 'AcceptInvitation'
  readonly tokenHash: string
  readonly passwordHash: string
  readonly session: NewDashboardSession
}

export interface RemoveMember {
  readonly type: 'RemoveMember'
  readonly merchantId: string
  /** Of a user or an open invitation. */
  readonly memberId: string
}

export const INVITE_MEMBER_REJECTIONS = ['not_found', 'email_taken', 'too_many_members', 'email_not_confirmed', 'quota_exceeded'] as const

/**
 * Returns `created` and the invited member. Rejections: not_found, email_taken, too_many_members, email_not_confirmed,
 * quota_exceeded while too many links of the merchant are open.
 */
export function decideInviteMember(
  state: State,
  { userId, email, role, link }: InviteMember,
  context: Context,
): Decision<(typeof INVITE_MEMBER_REJECTIONS)[number]> {
  const { dashboard } = state
  const owner = dashboard.users.get(userId)
  if (owner === undefined) return { refusal: 'not_found' }
  const merchantId = owner.merchant_id
  if (dashboard.userByEmail(email) !== undefined) return { refusal: 'email_taken', param: 'email' }
  // A second invitation of an address replaces the first.
  const invited = dashboard.invitationsOf(merchantId, context.timeMs).filter((open) => open.email !== email).length
  if (dashboard.usersOf(merchantId).length + invited >= MEMBERS_MAX) return { refusal: 'too_many_members' }
  if (owner.email_confirmed_at === undefined && invited >= UNCONFIRMED_INVITATIONS_MAX) return { refusal: 'email_not_confirmed' }
  const events = sentEvents(state, context, { kind: 'invitation', merchantId, email, role }, link)
  const [sent] = events
  if (sent === undefined) return quotaExceeded(SENT_LINKS)
  const { id, created_at } = sent.payload as { readonly id: string; readonly created_at: string }
  return { ...accept(events, { id, email, role, state: 'invited', created_at }), kind: 'created' }
}

export const ACCEPT_INVITATION_REJECTIONS = ['invalid_token', 'email_taken', 'quota_exceeded'] as const

/** Returns `created` and `{user_id, session_id}`. Rejections: invalid_token, email_taken, quota_exceeded (of all). */
export function decideAcceptInvitation(
  state: State,
  { tokenHash, passwordHash, session }: AcceptInvitation,
  context: Context,
): Decision<(typeof ACCEPT_INVITATION_REJECTIONS)[number]> {
  const link = state.dashboard.link(tokenHash, 'invitation', context.timeMs)
  if (link === undefined || link.role === null) return { refusal: 'invalid_token' }
  if (state.dashboard.userByEmail(link.email) !== undefined) return { refusal: 'email_taken' }
  const full = merchantQuotaRefusal(state, MEMBERS, link.merchant_id)
  if (full !== null) return full
  const user: DashboardUserRow = {
    ...{ id: context.newId(), merchant_id: link.merchant_id, email: link.email, password_hash: passwordHash, generation: 1 },
    created_at: rfc3339(context.timeMs),
    role: link.role,
    // The token was sent there.
    email_confirmed_at: rfc3339(context.timeMs),
  }
  const account = accountOf(state, user)
  const opened = sessionRow(user.id, session, context)
  const events = [
    event('dashboard_user.joined', 1, account, user),
    endedEvent(state, link, 'used'),
    event('dashboard_session.opened', 1, account, opened),
  ]
  return { ...accept(events, { user_id: user.id, session_id: opened.id }), kind: 'created' }
}

export const REMOVE_MEMBER_REJECTIONS = ['not_found', 'last_owner'] as const

/** Returns `ok` and `{id, deleted: true}`; sessions and links of the member end. Rejections: not_found, last_owner. */
export function decideRemoveMember(
  state: State,
  { merchantId, memberId }: RemoveMember,
  context: Context,
): Decision<(typeof REMOVE_MEMBER_REJECTIONS)[number]> {
  const { dashboard } = state
  const body = { id: memberId, deleted: true }
  const invitation = dashboard.invitationsOf(merchantId, context.timeMs).find(({ id }) => id === memberId)
  if (invitation !== undefined) return accept([endedEvent(state, invitation, 'withdrawn')], body)
  const user = dashboard.users.get(memberId)
  if (user === undefined || user.merchant_id !== merchantId) return { refusal: 'not_found' }
  const owners = dashboard.usersOf(merchantId).filter(isOwner)
  if (isOwner(user) && owners.length === 1) return { refusal: 'last_owner' }
  const account = accountOf(state, user)
  const links = (['reset', 'confirmation'] as const).flatMap((kind) => dashboard.linksBefore({ kind, ...user }))
  const events = [
    event('dashboard_user.removed', 1, account, { id: memberId, email: user.email }),
    ...dashboard.sessionsOf(memberId).map((row) => closedEvent(account, row, 'member_removed')),
    ...links.map((link) => endedEvent(state, link, 'withdrawn')),
  ]
  return accept(events, body)
}

function isOwner({ role = 'owner' }: DashboardUserRow): boolean {
  return role === 'owner'
}
