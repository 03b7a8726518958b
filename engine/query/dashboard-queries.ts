// Queries for sign-in to the dashboard: users, their sessions, and counts of wrong passwords.
import type { PageQuery } from '../contract/common.ts'
import type { DashboardSession as ListedSession, Member } from '../contract/dashboard.ts'
import type { DashboardSessionRow, DashboardUserRow, LinkRow, PasswordCount, TotpRow } from '../domain/dashboard/dashboard-state.ts'
import { rfc3339 } from '../kernel/time.ts'
import { type ListPage, statePage } from './list-page.ts'
import type { ById } from './merchant-queries.ts'
import type { Reads } from './reads.ts'
import type { ByTokenHash } from './sign-in-queries.ts'

export interface ByEmail {
  /** Address in lower case. */
  readonly email: string
}

export interface ByCountKey {
  /** Keyed hash of the e-mail address, and of the browser if it is known for that address. */
  readonly countKey: string
}

export function dashboardUser({ state }: Reads, { id }: ById): DashboardUserRow | null {
  return state.dashboard.users.get(id) ?? null
}

export function dashboardUserByEmail({ state }: Reads, { email }: ByEmail): DashboardUserRow | null {
  return state.dashboard.userByEmail(email) ?? null
}

/** Returns the user's second factor, active or enrolled; null without one. */
export function dashboardTotp({ state }: Reads, { id }: ById): TotpRow | null {
  return state.dashboard.totps.get(id) ?? null
}

export interface LinkInput extends ByTokenHash {
  readonly kind: LinkRow['kind']
}

/** Returns the link with the token; null for an unknown, used or expired one. */
export function dashboardLink(reads: Reads, { tokenHash, kind }: LinkInput): LinkRow | null {
  return reads.state.dashboard.link(tokenHash, kind, reads.nowMs()) ?? null
}

export interface MembersInput {
  readonly merchantId: string
  readonly query: PageQuery
}

/** Lists users and open invitations. Returns null when the cursor belongs to another kind of list. */
export function listMembers(reads: Reads, { merchantId, query }: MembersInput): ListPage | null {
  const { dashboard } = reads.state
  const rows: Member[] = [
    ...dashboard
      .usersOf(merchantId)
      .map(({ id, email, role = 'owner', created_at }) => ({ id, email, role, state: 'active' as const, created_at })),
    ...dashboard.invitationsOf(merchantId, reads.nowMs()).map(({ id, email, role, created_at }) => ({
      ...{ id, email, role: role ?? 'viewer', state: 'invited' as const, created_at },
    })),
  ]
  return statePage(query, { rows, render: (row) => row })
}

/** Returns the session, which may have expired: the caller compares `expires_at_ms`. */
export function dashboardSession({ state }: Reads, { tokenHash }: ByTokenHash): DashboardSessionRow | null {
  return state.dashboard.sessions.get(tokenHash) ?? null
}

export interface SessionsInput {
  readonly userId: string
  /** Id of the current session. */
  readonly currentId: string
  readonly query: PageQuery
}

/** Lists the open sessions of the user. Returns null when the cursor belongs to another kind of list. */
export function listDashboardSessions(reads: Reads, { userId, currentId, query }: SessionsInput): ListPage | null {
  const nowMs = reads.nowMs()
  return statePage(query, {
    rows: reads.state.dashboard.sessionsOf(userId).filter(({ expires_at_ms }) => expires_at_ms > nowMs),
    render: (session) => publicSession(session, currentId),
  })
}

/** Returns the session for the API, without the hash of its token. */
export function publicSession({ id, user_agent, created_at, expires_at_ms }: DashboardSessionRow, currentId: string): ListedSession {
  return { id, user_agent, current: id === currentId, created_at, expires_at: rfc3339(expires_at_ms) }
}

/** Returns the current counts of wrong passwords; all zero when there are none. */
export function passwordCount(reads: Reads, { countKey }: ByCountKey): PasswordCount {
  return reads.state.dashboard.passwordCount(countKey, reads.nowMs())
}
