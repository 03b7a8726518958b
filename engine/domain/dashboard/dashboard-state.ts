// Who may look at a merchant's dashboard: users, their sessions, and what was tried against passwords. Passwords and
// session tokens stand here as hashes that were made outside.
import type { MemberRole } from '../../contract/dashboard.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import { TimerQueue } from '../../kernel/timer-queue.ts'
import { PASSWORD_COUNTS_MAX } from './dashboard-limits.ts'

export interface DashboardUserRow {
  readonly id: string
  readonly merchant_id: string
  /** In lower case; of one user only. */
  readonly email: string
  /** Slow keyed hash with its salt and cost. */
  readonly password_hash: string
  /** Grows with each new password: a check that began before a change counts for nothing after it. */
  readonly generation: number
  readonly created_at: string
  /** Absent: `owner`, as who signs a merchant up is. */
  readonly role?: MemberRole
}

export interface DashboardSessionRow {
  readonly id: string
  readonly user_id: string
  /** SHA-256 of the token in the cookie: nothing else finds the row. */
  readonly token_hash: string
  /** What the browser calls itself, for the list of sessions. */
  readonly user_agent: string
  readonly created_at: string
  readonly expires_at_ms: TimeMs
}

/** Wrong passwords for one e-mail address, known or unknown, so that the two cannot be distinguished. */
export interface PasswordCount {
  /** Keyed hash of the address: people type passwords into the wrong field. */
  readonly key: string
  /** In a row since the last lock. */
  readonly failures: number
  /** Locks in a row: each is twice as long as the one before. */
  readonly locks: number
  readonly locked_until_ms: TimeMs
  readonly expires_at_ms: TimeMs
}

const NO_SESSIONS: ReadonlyMap<string, DashboardSessionRow> = new Map()

declare module '../state.ts' {
  interface State {
    readonly dashboard: Dashboard
  }
}

export class Dashboard extends SnapshotTables {
  readonly #expiry = new TimerQueue()
  readonly #countExpiry = new TimerQueue()
  readonly #byEmail = new Map<string, DashboardUserRow>()
  readonly #sessionsByUser = new Map<string, Map<string, DashboardSessionRow>>()

  /** Keyed by id. */
  readonly users = new Table<DashboardUserRow>(this, 'dashboard_user', (user) => {
    if (user !== undefined) this.#byEmail.set(user.email, user)
  })

  /** Keyed by token hash. */
  readonly sessions = new Table<DashboardSessionRow>(this, 'dashboard_session', (session, before) => {
    const { user_id, id, token_hash } = (session ?? before) as DashboardSessionRow
    expire(this.#expiry, token_hash, session?.expires_at_ms)
    const ofUser = this.#sessionsByUser.get(user_id) ?? new Map<string, DashboardSessionRow>()
    if (session === undefined) ofUser.delete(id)
    else ofUser.set(id, session)
    if (ofUser.size === 0) this.#sessionsByUser.delete(user_id)
    else this.#sessionsByUser.set(user_id, ofUser)
  })

  /** By keyed hash of the e-mail address. */
  readonly passwordCounts = new Table<PasswordCount>(this, 'password_count', (count, before) => {
    expire(this.#countExpiry, ((count ?? before) as PasswordCount).key, count?.expires_at_ms)
  })

  /** The address in lower case. */
  userByEmail(email: string): DashboardUserRow | undefined {
    return this.#byEmail.get(email)
  }

  /** Oldest first, those included that have expired and were not forgotten yet. */
  sessionsOf(userId: string): DashboardSessionRow[] {
    const rows = [...(this.#sessionsByUser.get(userId) ?? NO_SESSIONS).values()]
    return rows.sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  session(userId: string, id: string): DashboardSessionRow | undefined {
    return this.#sessionsByUser.get(userId)?.get(id)
  }

  /** What was tried against the address; clean where nothing was, or nothing that still counts. */
  passwordCount(key: string, nowMs: TimeMs): PasswordCount {
    const count = this.passwordCounts.get(key)
    if (count !== undefined && count.expires_at_ms > nowMs) return count
    return { key, failures: 0, locks: 0, locked_until_ms: 0, expires_at_ms: 0 }
  }

  /**
   * Returns the count that a full table drops; null while there is room. A restored state may choose differently, so
   * the event stores the choice.
   */
  countToGiveWay(key: string): string | null {
    const isFull = this.passwordCounts.size >= PASSWORD_COUNTS_MAX && this.passwordCounts.get(key) === undefined
    return isFull ? (this.#countExpiry.next()?.key ?? null) : null
  }

  /** Drops what has expired. For appliers alone, with the time of their record. */
  forget(nowMs: TimeMs): void {
    for (let due = this.#expiry.takeDue(nowMs); due !== null; due = this.#expiry.takeDue(nowMs)) this.sessions.delete(due.key)
    const counts = this.#countExpiry
    for (let due = counts.takeDue(nowMs); due !== null; due = counts.takeDue(nowMs)) this.passwordCounts.delete(due.key)
  }
}

const EXPIRY = 'expiry'

function expire(timers: TimerQueue, key: string, atMs: TimeMs | undefined): void {
  if (atMs === undefined) timers.cancel(EXPIRY, key)
  else timers.set(EXPIRY, key, atMs)
}
