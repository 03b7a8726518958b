// Who may look at a merchant's dashboard: users, their sessions, second factors, links sent by e-mail, and what was tried
// against passwords. Passwords, tokens and recovery codes stand here as hashes that were made outside.
import type { MemberRole } from '../../contract/dashboard.ts'
import type { NoticeKind } from '../../contract/notice.ts'
import type { RowCount } from '../../kernel/quota.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import { TimerQueue } from '../../kernel/timer-queue.ts'
import { countedBy } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { DASHBOARD_SESSIONS, MEMBERS, PASSWORD_COUNTS_MAX, RESET_LINKS, RESET_WINDOW_MS, SENT_LINKS } from './dashboard-limits.ts'

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
  /** Absent until a link that was sent there has been opened. */
  readonly email_confirmed_at?: string
  /** Which notices go to the address; absent: those that the role begins with. */
  readonly notices?: Readonly<Partial<Record<NoticeKind, boolean>>>
}

/** TOTP (RFC 6238) of one user. */
export interface TotpRow {
  readonly user_id: string
  /** Encrypted under the master key. */
  readonly sealed_secret: string
  /** False until a first code has confirmed the enrolment. */
  readonly is_active: boolean
  /** The newest time step that was used. It and older ones are refused. */
  readonly last_step: number
  /** Keyed hashes of the recovery codes that are left. */
  readonly recovery: readonly string[]
  readonly created_at: string
}

/** A link that was sent by e-mail; its token is used once. */
export interface LinkRow {
  readonly id: string
  /** SHA-256 of the token in the link. */
  readonly token_hash: string
  readonly kind: 'invitation' | 'reset' | 'confirmation'
  readonly merchant_id: string
  /** Null for an invitation. */
  readonly user_id: string | null
  /** Where it was sent, in lower case. */
  readonly email: string
  /** Of an invitation. */
  readonly role: MemberRole | null
  readonly created_at: string
  readonly created_at_ms: TimeMs
  readonly expires_at_ms: TimeMs
}

/** When links to reset a password went to a user, in the last hour. */
export interface ResetsRow {
  readonly user_id: string
  readonly sent_ms: readonly TimeMs[]
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
  /** A login from a browser that the user has not used before. */
  readonly is_new_device?: true
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
  readonly #linkExpiry = new TimerQueue()
  readonly #byEmail = new Map<string, DashboardUserRow>()
  readonly #byMerchant = new Map<string, Map<string, DashboardUserRow>>()
  readonly #linksBySubject = new Map<string, Map<string, LinkRow>>()
  readonly #invitationsByMerchant = new Map<string, Map<string, LinkRow>>()
  readonly #sessionsByUser = new Map<string, Map<string, DashboardSessionRow>>()

  /** Keyed by id. */
  readonly users: Table<DashboardUserRow>

  /** Keyed by user id. */
  readonly totps = new Table<TotpRow>(this, 'dashboard_totp', { boundedBy: 'one row of each member' })

  /** Keyed by token hash. */
  readonly links: Table<LinkRow>

  /** Keyed by user id; links end before their hour does. */
  readonly resets = new Table<ResetsRow>(this, 'password_reset', { boundedBy: 'one row of each member' })

  /** Keyed by token hash. */
  readonly sessions: Table<DashboardSessionRow>

  /** By keyed hash of the e-mail address. */
  readonly passwordCounts = new Table<PasswordCount>(
    this,
    'password_count',
    { boundedBy: 'PASSWORD_COUNTS_MAX; each row costs its caller a slow hash, and the one that expires first gives way' },
    (count, before) => expire(this.#countExpiry, ((count ?? before) as PasswordCount).key, count?.expires_at_ms),
  )

  constructor(shared: SharedState) {
    super()
    const { quotas } = shared
    this.users = new Table(
      this,
      'dashboard_user',
      countedBy<DashboardUserRow>(shared, MEMBERS, ({ merchant_id }) => merchant_id),
      (user, before) => this.#placeUser(user, before),
    )
    const uses = { reset: quotas.counted(RESET_LINKS), sent: quotas.counted(SENT_LINKS) }
    const ofLinks: RowCount<LinkRow> = {
      useOf: ({ kind }) => (kind === 'reset' ? uses.reset : uses.sent),
      partOf: () => 'both',
      holderOf: ({ merchant_id }) => merchant_id,
    }
    this.links = new Table(this, 'dashboard_link', ofLinks, (link, before) => this.#placeLink(link, before))
    const ofSessions = countedBy<DashboardSessionRow>(shared, DASHBOARD_SESSIONS, ({ user_id }) => user_id)
    this.sessions = new Table(this, 'dashboard_session', ofSessions, (session, before) => this.#placeSession(session, before))
  }

  #placeUser(user: DashboardUserRow | undefined, before: DashboardUserRow | undefined): void {
    const { email, merchant_id, id } = (user ?? before) as DashboardUserRow
    if (user === undefined) this.#byEmail.delete(email)
    else this.#byEmail.set(email, user)
    place(this.#byMerchant, merchant_id, id, user)
  }

  #placeLink(link: LinkRow | undefined, before: LinkRow | undefined): void {
    const row = (link ?? before) as LinkRow
    expire(this.#linkExpiry, row.token_hash, link?.expires_at_ms)
    place(this.#linksBySubject, subjectOf(row), row.id, link)
    if (row.kind === 'invitation') place(this.#invitationsByMerchant, row.merchant_id, row.id, link)
  }

  #placeSession(session: DashboardSessionRow | undefined, before: DashboardSessionRow | undefined): void {
    const { user_id, id, token_hash } = (session ?? before) as DashboardSessionRow
    expire(this.#expiry, token_hash, session?.expires_at_ms)
    place(this.#sessionsByUser, user_id, id, session)
  }

  /** The address in lower case. */
  userByEmail(email: string): DashboardUserRow | undefined {
    return this.#byEmail.get(email)
  }

  /** All users of the merchant, oldest first. */
  usersOf(merchantId: string): DashboardUserRow[] {
    return [...(this.#byMerchant.get(merchantId)?.values() ?? [])]
  }

  /** The link with the token; undefined for one that has expired. */
  link(tokenHash: string, kind: LinkRow['kind'], nowMs: TimeMs): LinkRow | undefined {
    const link = this.links.get(tokenHash)
    return link?.kind === kind && link.expires_at_ms > nowMs ? link : undefined
  }

  /** The links of the same kind to the same address, oldest first; some may have expired. */
  linksBefore(link: Pick<LinkRow, 'kind' | 'merchant_id' | 'email'>): LinkRow[] {
    return [...(this.#linksBySubject.get(subjectOf(link))?.values() ?? [])].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** Times of the newest links to reset the user's password, within the hour before `nowMs`. */
  resetsBefore(userId: string, nowMs: TimeMs): readonly TimeMs[] {
    return (this.resets.get(userId)?.sent_ms ?? []).filter((sentMs) => nowMs - sentMs < RESET_WINDOW_MS)
  }

  countReset(userId: string, nowMs: TimeMs): void {
    this.resets.set(userId, { user_id: userId, sent_ms: [...this.resetsBefore(userId, nowMs), nowMs] })
  }

  /** Open invitations of the merchant. */
  invitationsOf(merchantId: string, nowMs: TimeMs): LinkRow[] {
    const rows = [...(this.#invitationsByMerchant.get(merchantId)?.values() ?? [])]
    return rows.filter((row) => row.expires_at_ms > nowMs)
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
    for (let due = this.#linkExpiry.takeDue(nowMs); due !== null; due = this.#linkExpiry.takeDue(nowMs)) this.links.delete(due.key)
    const counts = this.#countExpiry
    for (let due = counts.takeDue(nowMs); due !== null; due = counts.takeDue(nowMs)) this.passwordCounts.delete(due.key)
  }
}

function subjectOf({ kind, merchant_id, email }: Pick<LinkRow, 'kind' | 'merchant_id' | 'email'>): string {
  return `${kind}:${merchant_id}:${email}`
}

/** Puts the row below its owner, or removes it there; an owner without rows has no entry. */
function place<Row>(rows: Map<string, Map<string, Row>>, owner: string, id: string, row: Row | undefined): void {
  const ofOwner = rows.get(owner) ?? new Map<string, Row>()
  if (row === undefined) ofOwner.delete(id)
  else ofOwner.set(id, row)
  if (ofOwner.size === 0) rows.delete(owner)
  else rows.set(owner, ofOwner)
}

const EXPIRY = 'expiry'

function expire(timers: TimerQueue, key: string, atMs: TimeMs | undefined): void {
  if (atMs === undefined) timers.cancel(EXPIRY, key)
  else timers.set(EXPIRY, key, atMs)
}
