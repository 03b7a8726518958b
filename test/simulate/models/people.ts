// Members, their sessions, second factors and links; operators, API keys and runs of code in the model.
import assert from 'node:assert/strict'
import type { OperatorRequest } from '../../../engine/domain/operator/operator-state.ts'
import type { State } from '../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'

export interface ModelUser {
  readonly id: string
  readonly merchantId: string
  readonly email: string
  generation: number
  totp: 'none' | 'enrolled' | 'active'
  secret: string
  lastStep: number
  recovery: readonly string[]
}

export interface ModelLink {
  readonly tokenHash: string
  readonly id: string
  readonly kind: string
  readonly email: string
  readonly expiresMs: number
  state: 'sent' | 'ended'
}

export interface ModelSession {
  readonly tokenHash: string
  readonly id: string
  readonly userId: string
  readonly expiresMs: number
}

export interface ModelKey {
  readonly id: string
  readonly merchantId: string
  readonly publicKey: string
}

export interface ModelOperator {
  readonly id: string
  readonly name: string
  readonly email: string
}

interface User {
  readonly id: string
  readonly merchant_id: string
  readonly email: string
  readonly generation: number
}

interface Totp {
  readonly user_id: string
  readonly sealed_secret: string
  readonly last_step: number | null
  readonly recovery: string | null | readonly string[]
}

interface Link {
  readonly id: string
  readonly token_hash: string
  readonly kind: string
  readonly email: string
  readonly expires_at_ms: number
  readonly replaced: string | null
  readonly reason: 'used' | 'withdrawn'
}

const TOTP_MOVES = ['enrolled', 'enabled', 'used', 'disabled'] as const

export class PeopleModel implements NounModel {
  readonly users = new Map<string, ModelUser>()
  readonly links = new Map<string, ModelLink>()
  readonly sessions = new Map<string, ModelSession>()
  readonly keys = new Map<string, ModelKey>()
  readonly operators = new Map<string, ModelOperator>()
  /** Id of the operator who asked, by the id of the request. */
  readonly waitingOperators = new Map<string, string | null>()
  readonly #runs = new Map<string, number>()
  readonly #totp: Machine<ModelUser['totp']>
  readonly #link: Machine<ModelLink['state']>

  constructor(seen: Map<string, number>) {
    this.#totp = new Machine(
      'second factor',
      { enrolled: ['none', 'enrolled'], enabled: ['enrolled'], used: ['active'], disabled: ['active'] },
      seen,
    )
    this.#link = new Machine('link', { used: ['sent'], withdrawn: ['sent'] }, seen)
  }

  audit(entry: Entry): void {
    this.#auditUsers(entry)
    this.#auditTotp(entry)
    this.#auditLinks(entry)
    this.#auditSessions(entry)
    this.#auditKeys(entry)
    for (const { event, payload } of eventsOf<{ readonly product: string; readonly number: number }>(entry, 'code_run.recorded')) {
      const key = `${event.account}:${payload.product}`
      const count = (this.#runs.get(key) ?? 0) + 1
      assert.equal(payload.number, count, 'runs are numbered without gaps')
      this.#runs.set(key, count)
    }
  }

  compare({ dashboard, merchants, operators, codeRuns }: State): void {
    const rows = ({ id, email, generation, totp }: ModelUser): string => `${id} ${email} ${generation} ${totp}`
    sameRows(
      [...dashboard.users.values()].map((user) => {
        const row = dashboard.totps.get(user.id)
        return `${user.id} ${user.email} ${user.generation} ${row === undefined ? 'none' : row.is_active ? 'active' : 'enrolled'}`
      }),
      [...this.users.values()].map(rows),
      'members',
    )
    for (const { token_hash } of dashboard.links.values())
      assert.equal(this.links.get(token_hash)?.state, 'sent', 'a link that works was sent')
    for (const { token_hash, id } of dashboard.sessions.values())
      assert.equal(this.sessions.get(token_hash)?.id, id, 'a session that works was opened')
    const nowMs = this.#nowMs
    for (const session of this.sessions.values()) {
      if (session.expiresMs > nowMs)
        assert.equal(dashboard.sessions.get(session.tokenHash)?.id, session.id, 'a session works until its end')
    }
    sameRows(
      [...merchants.apiKeys.values()].map(({ public_key }) => public_key),
      this.keys.keys(),
      'API keys',
    )
    sameRows(
      [...operators.operators.values()].map(({ id }) => id),
      this.operators.keys(),
      'operators',
    )
    sameRows(operatorIds(operators), this.waitingOperators.keys(), 'operators who wait for a second administrator')
    for (const [key, count] of this.#runs) {
      const [account, product = ''] = key.split(':')
      assert.equal(codeRuns.countOf(Number(account), product), count, `runs of ${key}`)
    }
  }

  #nowMs = 0

  #auditUsers(entry: Entry): void {
    this.#nowMs = entry.record.timeMs
    for (const type of ['dashboard_user.created', 'dashboard_user.joined'] as const) {
      for (const { payload } of eventsOf<User>(entry, type)) {
        const { id, merchant_id, email, generation } = payload
        for (const user of this.users.values()) assert.notEqual(user.email, email, 'an address belongs to one member')
        this.users.set(id, { id, merchantId: merchant_id, email, generation, totp: 'none', secret: '', lastStep: 0, recovery: [] })
      }
    }
    for (const { payload } of eventsOf<User>(entry, 'dashboard_password.changed')) {
      const user = this.users.get(payload.id)
      assert.ok(user !== undefined && payload.generation === user.generation + 1, 'a password is changed from the one that was checked')
      user.generation = payload.generation
    }
    for (const { payload } of eventsOf<User>(entry, 'dashboard_user.removed'))
      assert.ok(this.users.delete(payload.id), 'a member is removed once')
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

  #auditLinks(entry: Entry): void {
    for (const { payload } of eventsOf<Link>(entry, 'dashboard_link.sent')) {
      const { id, token_hash, kind, email, expires_at_ms, replaced } = payload
      const before = replaced === null ? undefined : this.links.get(replaced)
      if (before !== undefined) before.state = 'ended'
      this.links.set(token_hash, { tokenHash: token_hash, id, kind, email, expiresMs: expires_at_ms, state: 'sent' })
    }
    for (const { payload } of eventsOf<Link>(entry, 'dashboard_link.ended')) {
      const link = this.links.get(payload.token_hash)
      this.#link.move(link?.state, payload.reason)
      if (link === undefined) continue
      assert.ok(payload.reason === 'withdrawn' || entry.record.timeMs < link.expiresMs, 'a link that is over is not used')
      link.state = 'ended'
    }
  }

  #auditSessions(entry: Entry): void {
    type Session = { readonly id: string; readonly token_hash: string; readonly user_id: string; readonly expires_at_ms: number }
    for (const { payload } of eventsOf<Session>(entry, 'dashboard_session.closed')) {
      assert.ok(this.sessions.delete(payload.token_hash), 'a session is closed once')
    }
    for (const { payload } of eventsOf<Session>(entry, 'dashboard_session.opened')) {
      const { id, token_hash, user_id, expires_at_ms } = payload
      assert.ok(this.users.has(user_id), 'a member opens a session')
      this.sessions.set(token_hash, { tokenHash: token_hash, id, userId: user_id, expiresMs: expires_at_ms })
    }
  }

  #auditKeys(entry: Entry): void {
    type Key = { readonly id: string; readonly merchant_id: string; readonly public_key: string }
    for (const { payload } of eventsOf<Key>(entry, 'api_key.created')) {
      const { id, merchant_id, public_key } = payload
      this.keys.set(public_key, { id, merchantId: merchant_id, publicKey: public_key })
    }
    for (const { payload } of eventsOf<Key>(entry, 'api_key.revoked'))
      assert.ok(this.keys.delete(payload.public_key), 'a key is revoked once')
    this.#auditOperatorRequests(entry)
    for (const { payload } of eventsOf<ModelOperator>(entry, 'operator.created')) {
      for (const { email } of this.operators.values()) assert.notEqual(email, payload.email, 'an address belongs to one operator')
      this.operators.set(payload.id, { id: payload.id, name: payload.name, email: payload.email })
    }
    for (const { payload } of eventsOf<ModelOperator>(entry, 'operator.revoked'))
      assert.ok(this.operators.delete(payload.id), 'an operator is revoked once')
  }

  #auditOperatorRequests(entry: Entry): void {
    for (const { payload } of eventsOf<OperatorRequest>(entry, 'operator.requested')) {
      this.waitingOperators.set(payload.id, payload.requested_by.id)
    }
    for (const { payload } of eventsOf<OperatorRequest>(entry, 'operator.request_decided')) {
      const { id, state, decided_by } = payload
      const by = this.waitingOperators.get(id)
      assert.ok(this.waitingOperators.delete(id), 'a request for an operator is decided once')
      if (state === 'approved') assert.notEqual(decided_by?.id ?? null, by, 'another administrator approves')
    }
  }
}

function operatorIds({ waiting }: State['operators']): string[] {
  return Array.from(waiting.values(), ({ id }) => id)
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
