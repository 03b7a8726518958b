// Queries for the dashboard's sign-in: users, their sessions, and wrong passwords.
import type { DashboardSession, DashboardUser, PasswordCount } from '../domain/dashboard/dashboard-state.ts'
import type { ById } from './merchant-queries.ts'
import type { Reads } from './reads.ts'
import type { ByTokenHash } from './sign-in-queries.ts'

export interface ByEmail {
  /** In lower case. */
  readonly email: string
}

export interface ByCountKey {
  /** Keyed hash of the e-mail address, and of the browser that is known for it. */
  readonly countKey: string
}

export function dashboardUser({ state }: Reads, { id }: ById): DashboardUser | null {
  return state.dashboard.users.get(id) ?? null
}

export function dashboardUserByEmail({ state }: Reads, { email }: ByEmail): DashboardUser | null {
  return state.dashboard.userByEmail(email) ?? null
}

/** It may have expired: the caller compares `expires_at_ms`. */
export function dashboardSession({ state }: Reads, { tokenHash }: ByTokenHash): DashboardSession | null {
  return state.dashboard.sessions.get(tokenHash) ?? null
}

/** Wrong passwords that count now; all zero where there were none. */
export function passwordCount(reads: Reads, { countKey }: ByCountKey): PasswordCount {
  return reads.state.dashboard.passwordCount(countKey, reads.nowMs())
}
