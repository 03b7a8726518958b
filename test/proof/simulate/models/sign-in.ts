// One-time codes, sign-ups, logins and devices in the model.
import assert from 'node:assert/strict'
import type { SetPushToken } from '../../../../engine/domain/auth/device-decide.ts'
import type { Origin } from '../../../../engine/domain/auth/sign-in-rows.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows, sent } from '../entry.ts'
import type { Moves } from '../moves.ts'
import { type Environment, environmentOf } from './accounts.ts'
import { type ModelPin, PinsModel } from './pins.ts'

export interface ModelChallenge {
  readonly id: string
  readonly purpose: 'signup' | 'login' | 'payment'
  readonly identifier: string
  readonly subject: string
  readonly account: number | null
  readonly origin: Origin
  readonly expiresMs: number
  failures: number
  state: 'open' | 'used' | 'dropped'
}

export interface ModelSignup {
  readonly tokenHash: string
  readonly phone: string
  readonly expiresMs: number
  tag: string | null
  state: 'started' | 'identified' | 'tagged' | 'completed'
}

export interface ModelLogin {
  readonly tokenHash: string
  readonly account: number
  readonly expiresMs: number
  state: 'started' | 'completed'
}

export interface ModelDevice {
  readonly account: number
  readonly id: string
  readonly registeredMs: number
  sessionId: string
  /** Where its push messages go. */
  push: string | null
}

/** What the engine's limits are meant to be, written down a second time. */
const [CODE_MS, SIGNUP_MS, LOGIN_MS] = [5 * 60_000, 15 * 60_000, 5 * 60_000]
const OPEN_CODES = 5
const DEVICES = 10
export const GUESSES = 5

interface Started {
  readonly challenge: Pick<ModelChallenge, 'id' | 'purpose' | 'identifier' | 'subject' | 'account' | 'origin'> & {
    readonly expires_at_ms: number
  }
  readonly sends: readonly { readonly key: string }[]
}

interface Device {
  readonly account: number
  readonly id: string
  readonly session_id: string
}

export class SignInModel implements NounModel {
  readonly challenges = new Map<string, ModelChallenge>()
  readonly signups = new Map<string, ModelSignup>()
  readonly logins = new Map<string, ModelLogin>()
  readonly devices = new Map<string, ModelDevice>()
  /** Sign-ups in the order in which they chose their tags. */
  readonly tagged: ModelSignup[] = []
  readonly #pins = new PinsModel()
  /** Times at which codes were sent, by what is counted. */
  readonly #sends = new Map<string, number[]>()
  readonly #byTag = new Map<string, ModelSignup[]>()
  readonly #byIdentifier = new Map<string, ModelChallenge[]>()
  readonly #challenge: Machine<ModelChallenge['state']>
  readonly #signup: Machine<ModelSignup['state']>
  readonly #login: Machine<ModelLogin['state']>

  constructor(seen: Moves) {
    this.#challenge = new Machine('one-time code', { failed: ['open'], verified: ['open'], used: ['open'] }, seen)
    const steps = { identified: ['started', 'identified', 'tagged'], tagged: ['identified', 'tagged'], completed: ['tagged'] } as const
    this.#signup = new Machine('sign-up', steps, seen)
    this.#login = new Machine('login', { completed: ['started'] }, seen)
  }

  /** Whether the one-time code of a payment was sent for this subject to this account, and is open. */
  isGoodFor(id: string, { subject, account }: { readonly subject: string; readonly account: number }, nowMs: number): boolean {
    const code = this.challenges.get(id)
    if (code === undefined || code.state !== 'open' || code.expiresMs <= nowMs) return false
    return code.purpose === 'payment' && code.subject === subject && code.account === account
  }

  /** How many codes were sent after this time, under this key of what is counted. */
  sentSince(key: string, afterMs: number): number {
    return (this.#sends.get(key) ?? []).filter((atMs) => atMs > afterMs).length
  }

  /** Whether another sign-up that goes on has the tag. */
  reserves(environment: Environment, tag: string, nowMs: number, own?: ModelSignup): boolean {
    const all = this.#byTag.get(`${environment}:${tag}`) ?? []
    return all.some((one) => one !== own && one.tag === tag && one.state !== 'completed' && one.expiresMs > nowMs)
  }

  /** Of a registered device, or of the wallet. */
  pinCounts(account: number, deviceId: string | undefined): ModelPin {
    const key = `${account}:${deviceId}`
    return this.devices.has(key) ? this.#pins.ofDevice(key) : this.#pins.ofWallet(account)
  }

  get pins(): ReadonlyMap<number, ModelPin> {
    return this.#pins.pins
  }

  audit(entry: Entry): void {
    this.#nowMs = entry.record.timeMs
    this.#auditCodes(entry)
    this.#auditSignups(entry)
    this.#auditLogins(entry)
    this.#auditDevices(entry)
    this.#pins.audit(entry)
  }

  compare({ auth }: State): void {
    sameRows(
      [...auth.devices.values()].map(({ account, id, session_id, push }) => `${account} ${id} ${session_id} ${push?.token ?? null}`),
      [...this.devices.values()].map(({ account, id, sessionId, push }) => `${account} ${id} ${sessionId} ${push}`),
      'devices',
    )
    for (const { id, failures } of auth.challenges.values()) {
      const challenge = this.challenges.get(id)
      assert.deepEqual([challenge?.state, challenge?.failures], ['open', failures], `one-time code ${id}`)
    }
    for (const { id, state, expiresMs } of this.challenges.values()) {
      const isOpen = state === 'open' && expiresMs > this.#nowMs
      if (isOpen) assert.ok(auth.challenges.get(id) !== undefined, `the one-time code ${id} is open`)
    }
    for (const signup of auth.signups.values()) assert.notEqual(this.signups.get(signup.token_hash)?.state ?? 'completed', 'completed')
    for (const login of auth.logins.values()) assert.equal(this.logins.get(login.token_hash)?.state, 'started')
    for (const [account, { generation, failures, locks, untilMs }] of this.pins) {
      const pin = auth.pin(account)
      assert.deepEqual(
        [pin.generation, pin.failures, pin.locks, pin.locked_until_ms],
        [generation, failures, locks, untilMs],
        `PIN of ${account}`,
      )
    }
  }

  #nowMs = 0

  #start({ challenge, sends }: Started, timeMs: number): void {
    const { id, purpose, identifier, subject, account, origin, expires_at_ms } = challenge
    assert.equal(expires_at_ms, timeMs + CODE_MS, 'a one-time code is valid for five minutes')
    assert.equal(this.challenges.has(id), false, 'a one-time code is started once')
    for (const { key } of sends) this.#sends.set(key, [...(this.#sends.get(key) ?? []), timeMs])
    const started: ModelChallenge = {
      ...{ id, purpose, identifier, subject, account, origin },
      ...{ expiresMs: expires_at_ms, failures: 0, state: 'open' },
    }
    const key = `${purpose}:${identifier}:${origin.address}`
    const before = (this.#byIdentifier.get(key) ?? []).filter(({ state, expiresMs }) => state === 'open' && expiresMs > timeMs)
    const open = [...before, started].sort((one, other) => one.expiresMs - other.expiresMs || (one.id < other.id ? -1 : 1))
    const [oldest] = open
    if (open.length > OPEN_CODES && oldest !== undefined) oldest.state = 'dropped'
    this.#byIdentifier.set(key, open)
    this.challenges.set(id, started)
  }

  #reserve(signup: ModelSignup, tag: string): void {
    const key = `${environmentOf(signup.phone)}:${tag}`
    signup.tag = tag
    this.tagged.push(signup)
    this.#byTag.set(key, [...(this.#byTag.get(key) ?? []).filter((one) => one !== signup), signup])
  }

  #auditCodes(entry: Entry): void {
    const { timeMs } = entry.record
    for (const { payload } of eventsOf<Started>(entry, 'otp.started')) this.#start(payload, timeMs)
    for (const move of ['failed', 'verified', 'used'] as const) {
      for (const { payload } of eventsOf<{ readonly id: string; readonly failures?: number }>(entry, `otp.${move}`)) {
        const challenge = this.challenges.get(payload.id)
        this.#challenge.move(challenge?.state, move)
        if (challenge === undefined) continue
        // A payment compares no code: it names the one that was verified before, and later guesses do not undo that.
        const isOver = challenge.failures >= GUESSES && entry.record.command !== 'PayCharge'
        assert.ok(timeMs < challenge.expiresMs && !isOver, 'a code that is over is not compared')
        const verify = sent(entry, 'VerifyOtp')
        if (verify !== null) assert.equal(verify.codeHash === 'right', move !== 'failed', 'the right code is right')
        if (move === 'failed') assert.equal(payload.failures, ++challenge.failures, 'each guess is counted')
        if (move === 'used') challenge.state = 'used'
      }
    }
  }

  #auditSignups(entry: Entry): void {
    const { timeMs } = entry.record
    for (const { payload } of eventsOf<{ readonly token_hash: string; readonly phone: string; readonly expires_at_ms: number }>(
      entry,
      'signup.started',
    )) {
      assert.equal(payload.expires_at_ms, timeMs + SIGNUP_MS)
      this.signups.set(payload.token_hash, {
        tokenHash: payload.token_hash,
        phone: payload.phone,
        expiresMs: payload.expires_at_ms,
        tag: null,
        state: 'started',
      })
    }
    for (const move of ['identified', 'tagged', 'completed'] as const) {
      for (const { payload } of eventsOf<{ readonly token_hash: string; readonly tag?: string }>(entry, `signup.${move}`)) {
        const signup = this.signups.get(payload.token_hash)
        this.#signup.move(signup?.state, move)
        if (signup === undefined) continue
        assert.ok(timeMs < signup.expiresMs, 'a sign-up that is over goes no further')
        if (move !== 'identified' || signup.state === 'started') signup.state = move
        if (payload.tag !== undefined) this.#reserve(signup, payload.tag)
        if (move === 'completed') assert.equal(eventsOf(entry, 'wallet.created').length, 1, 'a sign-up opens one wallet')
      }
    }
  }

  #auditLogins(entry: Entry): void {
    const { timeMs } = entry.record
    for (const { payload } of eventsOf<{ readonly token_hash: string; readonly account: number; readonly expires_at_ms: number }>(
      entry,
      'login.started',
    )) {
      assert.equal(payload.expires_at_ms, timeMs + LOGIN_MS)
      const { token_hash, account, expires_at_ms } = payload
      this.logins.set(token_hash, { tokenHash: token_hash, account, expiresMs: expires_at_ms, state: 'started' })
    }
    for (const { payload } of eventsOf<{ readonly token_hash: string }>(entry, 'login.completed')) {
      const login = this.logins.get(payload.token_hash)
      this.#login.move(login?.state, 'completed')
      if (login === undefined) continue
      assert.ok(timeMs < login.expiresMs, 'a login that is over opens no session')
      login.state = 'completed'
    }
  }

  /** A token belongs to the last device that sent it. */
  #setPush({ account, deviceId, push }: SetPushToken): void {
    for (const device of this.devices.values()) if (device.push === push.token) device.push = null
    const device = this.devices.get(`${account}:${deviceId}`)
    if (device !== undefined) device.push = push.token
  }

  /** At the maximum of its wallet, a new device takes the place of the one that was registered first. */
  #assertReplaced(entry: Entry): void {
    const [registered] = eventsOf<Device>(entry, 'device.registered')
    if (registered === undefined) return
    const { account, id } = registered.payload
    const before = [...this.devices.values()].filter((device) => device.account === account)
    const isFull = before.length >= DEVICES && before.every((device) => device.id !== id)
    const found = eventsOf<Device>(entry, 'device.removed').map(({ payload }) => `${payload.account}:${payload.id}`)
    // Any one of the same time may give way: after a start in the same millisecond, ids do not tell which was first.
    const oldest = before.filter(({ registeredMs }) => registeredMs === before[0]?.registeredMs).map((device) => `${account}:${device.id}`)
    assert.equal(found.length, isFull ? 1 : 0, 'one device gives way, where there are too many')
    assert.ok(
      found.every((device) => oldest.includes(device)),
      'the oldest device gives way',
    )
  }

  #auditDevices(entry: Entry): void {
    const isLogin = eventsOf(entry, 'login.completed').length > 0
    this.#assertReplaced(entry)
    for (const { payload } of eventsOf<Device>(entry, 'device.removed')) {
      assert.ok(this.devices.delete(`${payload.account}:${payload.id}`), 'a device is removed once')
      this.#pins.forgetDevice(`${payload.account}:${payload.id}`)
      entry.frames.push(`${payload.account}:session.revoked`)
    }
    for (const { payload } of eventsOf<Device>(entry, 'device.registered')) {
      const { account, id, session_id } = payload
      if (isLogin && !this.devices.has(`${account}:${id}`)) entry.frames.push(`${account}:device.added`)
      // A device that is registered again is the newest.
      this.devices.delete(`${account}:${id}`)
      this.devices.set(`${account}:${id}`, { account, id, sessionId: session_id, registeredMs: entry.record.timeMs, push: null })
      this.#pins.forgetDevice(`${account}:${id}`)
    }
    for (const { payload } of eventsOf<Device>(entry, 'session.revoked')) {
      const device = this.devices.get(`${payload.account}:${payload.id}`)
      assert.ok(device !== undefined && device.sessionId !== payload.session_id, 'a session that is revoked is replaced')
      device.sessionId = payload.session_id
      entry.frames.push(`${payload.account}:session.revoked`)
    }
    const { command } = entry.decided ?? {}
    if (command?.type === 'SetPushToken' && entry.code === null) this.#setPush(command)
  }
}
