// Members of merchants in the model: their roles, sessions and second factors, and what they were sent.
import assert from 'node:assert/strict'
import type { MemberRole } from '../../../../engine/contract/dashboard.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'
import { type LinkSubject, LinksModel } from './links.ts'
import { PasswordsModel } from './passwords.ts'

export interface ModelUser {
  readonly id: string
  readonly merchantId: string
  readonly email: string
  readonly role: MemberRole
  isConfirmed: boolean
  generation: number
  totp: 'none' | 'enrolled' | 'active'
  secret: string
  lastStep: number
  recovery: readonly string[]
}

export interface ModelSession {
  readonly tokenHash: string
  readonly id: string
  readonly userId: string
  /** A session lasts equally long each time, so the oldest ends first. */
  readonly expiresMs: number
}

interface User {
  readonly id: string
  readonly merchant_id: string
  readonly email: string
  readonly generation: number
  readonly role?: MemberRole
  readonly email_confirmed_at?: string
}

interface Totp {
  readonly user_id: string
  readonly sealed_secret: string
  readonly last_step: number | null
  readonly recovery: string | null | readonly string[]
}

interface Session {
  readonly id: string
  readonly token_hash: string
  readonly user_id: string
  readonly expires_at_ms: number
}

const TOTP_MOVES = ['enrolled', 'enabled', 'used', 'disabled'] as const
/** With these, everything that is over is forgotten. */
const FORGETTING = ['dashboard_session.opened', 'dashboard_link.sent', 'password.counted'] as const
/** What the engine's limits are meant to be, written down a second time. */
const [SESSIONS, SESSION_MS] = [20, 14 * 86_400_000]

export class MembersModel implements NounModel {
  readonly users = new Map<string, ModelUser>()
  /** By hash of the token. */
  readonly sessions = new Map<string, ModelSession>()
  readonly passwords = new PasswordsModel()
  readonly #links: LinksModel
  readonly #totp: Machine<ModelUser['totp']>

  constructor(seen: Moves) {
    this.#links = new LinksModel(seen)
    this.#totp = new Machine(
      'second factor',
      { enrolled: ['none', 'enrolled'], enabled: ['enrolled', 'active'], used: ['active'], disabled: ['active'] },
      seen,
    )
  }

  get links(): Omit<LinksModel, 'audit' | 'forget' | 'compare'> {
    return this.#links
  }

  byEmail(email: string): ModelUser | undefined {
    return [...this.users.values()].find((user) => user.email === email)
  }

  ofMerchant(merchantId: string): ModelUser[] {
    return [...this.users.values()].filter((user) => user.merchantId === merchantId)
  }

  audit(entry: Entry): void {
    const link = this.#expectedLink(entry)
    if (link !== undefined) assertSent(entry, link)
    this.#auditUsers(entry)
    this.#auditTotp(entry)
    this.#auditSessions(entry)
    this.#links.audit(entry)
    this.passwords.audit(entry)
    this.#auditEnds(entry)
    if (!FORGETTING.some((type) => entry.events.has(type))) return
    const { timeMs } = entry.record
    for (const [token, { expiresMs }] of this.sessions) if (expiresMs <= timeMs) this.sessions.delete(token)
    this.#links.forget(timeMs)
    this.passwords.forget(timeMs)
  }

  compare(state: State): void {
    const { dashboard } = state
    const row = ({ id, email, role, isConfirmed, generation }: ModelUser): string =>
      [id, email, role, isConfirmed, generation].map(String).join(' ')
    sameRows(
      Array.from(dashboard.users.values(), ({ id, email, role = 'owner', email_confirmed_at, generation }) =>
        [id, email, role, email_confirmed_at !== undefined, generation].map(String).join(' '),
      ),
      Array.from(this.users.values(), row),
      'members',
    )
    sameRows(
      Array.from(dashboard.totps.values(), ({ user_id, is_active, last_step, recovery }) =>
        [user_id, is_active ? 'active' : 'enrolled', last_step, ...recovery].join(' '),
      ),
      [...this.users.values()]
        .filter(({ totp }) => totp !== 'none')
        .map((user) => [user.id, user.totp, user.lastStep, ...user.recovery].join(' ')),
      'second factors',
    )
    sameRows(
      Array.from(dashboard.sessions.values(), ({ id, token_hash, user_id }) => `${id} ${token_hash} ${user_id}`),
      Array.from(this.sessions.values(), ({ id, tokenHash, userId }) => `${id} ${tokenHash} ${userId}`),
      'sessions of members',
    )
    this.#links.compare(state)
    this.passwords.compare(state)
  }

  /** The link that the command that was accepted must send; null: none; undefined: it is no command that sends links. */
  #expectedLink({ decided, record }: Entry): LinkSubject | null | undefined {
    if (decided === null || decided.code !== null) return undefined
    const { command, timeMs } = decided
    const unlessTooSoon = (kind: 'reset' | 'confirmation', user: ModelUser): LinkSubject | null => {
      const subject = { kind, merchantId: user.merchantId, email: user.email }
      return this.#links.isTooSoon(subject, timeMs) ? null : subject
    }
    if (command.type !== record.command) return undefined
    if (command.type === 'InviteMember') {
      return { kind: 'invitation', merchantId: this.users.get(command.userId)?.merchantId ?? '', email: command.email }
    }
    if (command.type === 'RequestPasswordReset') {
      const user = this.byEmail(command.email)
      return user === undefined ? null : unlessTooSoon('reset', user)
    }
    if (command.type !== 'RequestEmailConfirmation') return undefined
    const user = this.users.get(command.userId)
    return user === undefined || user.isConfirmed ? null : unlessTooSoon('confirmation', user)
  }

  #auditUsers(entry: Entry): void {
    for (const type of ['dashboard_user.created', 'dashboard_user.joined'] as const) {
      for (const { payload } of eventsOf<User>(entry, type)) {
        const { id, merchant_id: merchantId, email, generation, role = 'owner', email_confirmed_at } = payload
        assert.equal(this.byEmail(email), undefined, 'an address belongs to one member')
        if (type === 'dashboard_user.joined') this.#assertInvited(entry, payload)
        const totp = { totp: 'none', secret: '', lastStep: 0, recovery: [] } as const
        this.users.set(id, { id, merchantId, email, role, isConfirmed: email_confirmed_at !== undefined, generation, ...totp })
      }
    }
    for (const { payload } of eventsOf<User>(entry, 'dashboard_password.changed')) {
      const user = this.users.get(payload.id)
      assert.ok(user !== undefined && payload.generation === user.generation + 1, 'a password is changed from the one that was checked')
      user.generation = payload.generation
    }
    for (const { payload } of eventsOf<User>(entry, 'dashboard_email.confirmed')) {
      const user = this.users.get(payload.id)
      assert.equal(user?.isConfirmed, false, 'an address is confirmed once')
      if (user !== undefined) user.isConfirmed = true
    }
  }

  /** One who joins is whom the link was for, in the role that it gives. */
  #assertInvited(entry: Entry, { merchant_id, email, role }: User): void {
    const [ended] = eventsOf<{ readonly token_hash: string }>(entry, 'dashboard_link.ended')
    const link = this.#links.links.get(ended?.payload.token_hash ?? '')
    assert.deepEqual([merchant_id, email, role], [link?.merchantId, link?.email, link?.role], 'who joins was invited')
  }

  #auditTotp(entry: Entry): void {
    for (const move of TOTP_MOVES) {
      for (const { payload } of eventsOf<Totp>(entry, `totp.${move}`)) {
        const user = this.users.get(payload.user_id)
        this.#totp.move(user?.totp, move)
        if (user !== undefined) moveTotp(user, move, payload)
      }
    }
  }

  /** The sessions that were opened first give way to a new one, where its member has too many. */
  #assertReplaced(entry: Entry): void {
    const [opened] = eventsOf<Session>(entry, 'dashboard_session.opened')
    if (opened === undefined) return
    const { user_id } = opened.payload
    const open = [...this.sessions.values()].filter(({ userId, expiresMs }) => userId === user_id && expiresMs > entry.record.timeMs)
    const replaced = open.slice(0, Math.max(0, open.length + 1 - SESSIONS)).map(({ expiresMs }) => expiresMs)
    const closed = eventsOf<Session>(entry, 'dashboard_session.closed').map(({ payload }) => this.sessions.get(payload.token_hash))
    assert.ok(
      closed.every((session) => session?.userId === user_id),
      'a session gives way to one of its member',
    )
    // Any one of the same time may give way: after a start in the same millisecond, ids do not tell which was first.
    const times = closed.map((session) => session?.expiresMs)
    assert.deepEqual(times, replaced, 'the oldest session gives way, where there are too many')
  }

  #auditSessions(entry: Entry): void {
    this.#assertReplaced(entry)
    for (const { payload } of eventsOf<Session>(entry, 'dashboard_session.closed')) {
      assert.ok(this.sessions.delete(payload.token_hash), 'a session is closed once')
    }
    const { timeMs } = entry.record
    for (const { payload } of eventsOf<Session>(entry, 'dashboard_session.opened')) {
      const { id, token_hash, user_id, expires_at_ms } = payload
      assert.ok(this.users.has(user_id), 'a member opens a session')
      assert.equal(expires_at_ms, timeMs + SESSION_MS, 'lifetime of a session')
      this.sessions.set(token_hash, { tokenHash: token_hash, id, userId: user_id, expiresMs: expires_at_ms })
    }
  }

  /** What ends with a password, and with a member. */
  #auditEnds(entry: Entry): void {
    const { decided } = entry
    const kept = decided?.command.type === 'ChangePassword' ? decided.command.sessionId : null
    for (const { payload } of eventsOf<User>(entry, 'dashboard_password.changed')) {
      const user = this.users.get(payload.id)
      this.#assertNoSession(payload.id, kept)
      if (user !== undefined) this.#assertNoLink({ ...user, kind: 'reset' })
    }
    for (const { payload } of eventsOf<User>(entry, 'dashboard_user.removed')) {
      const user = this.users.get(payload.id)
      assert.ok(user !== undefined && this.users.delete(payload.id), 'a member is removed once')
      const isOwned = this.ofMerchant(user.merchantId).some(({ role }) => role === 'owner')
      assert.ok(isOwned, 'the last owner of a merchant stays')
      this.#assertNoSession(payload.id, null)
      for (const kind of ['reset', 'confirmation'] as const) this.#assertNoLink({ ...user, kind })
    }
  }

  #assertNoSession(ofUser: string, kept: string | null): void {
    for (const { id, userId } of this.sessions.values()) assert.ok(userId !== ofUser || id === kept, 'other sessions end')
  }

  #assertNoLink(subject: LinkSubject): void {
    assert.ok(
      this.#links.of(subject).every(({ state }) => state === 'ended'),
      `an open link of the kind ${subject.kind} ends`,
    )
  }
}

function assertSent(entry: Entry, link: LinkSubject | null): void {
  const found = eventsOf<LinkPayload>(entry, 'dashboard_link.sent').map(({ payload }) => [payload.kind, payload.merchant_id, payload.email])
  assert.deepEqual(found, link === null ? [] : [[link.kind, link.merchantId, link.email]], 'links that the command sends')
  assert.equal(eventsOf(entry, 'message.queued').length, found.length, 'each link goes out in an e-mail')
}

interface LinkPayload {
  readonly kind: string
  readonly merchant_id: string
  readonly email: string
}

function moveTotp(user: ModelUser, move: (typeof TOTP_MOVES)[number], { sealed_secret, last_step, recovery }: Totp): void {
  if (move === 'enrolled') Object.assign(user, { totp: 'enrolled', secret: sealed_secret, lastStep: 0, recovery: [] })
  else if (move === 'disabled') Object.assign(user, { totp: 'none' })
  else if (move === 'enabled') Object.assign(user, { totp: 'active', lastStep: last_step, recovery })
  else if (typeof recovery === 'string') {
    assert.ok(user.recovery.includes(recovery), 'a recovery code works once')
    user.recovery = user.recovery.filter((code) => code !== recovery)
  } else {
    assert.ok((last_step ?? 0) > user.lastStep, 'a code of an authenticator works once')
    user.lastStep = last_step ?? 0
  }
}
