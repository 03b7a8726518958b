// One-time codes, sign-ups, logins, devices and PINs in the model.
import assert from 'node:assert/strict'
import type { State } from '../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows, sent } from '../entry.ts'

export interface ModelChallenge {
  readonly id: string
  readonly purpose: 'signup' | 'login' | 'payment'
  readonly identifier: string
  readonly subject: string
  readonly account: number | null
  readonly expiresMs: number
  failures: number
  state: 'open' | 'used'
}

export interface ModelSignup {
  readonly tokenHash: string
  readonly phone: string
  readonly expiresMs: number
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
  sessionId: string
}

export interface ModelPin {
  generation: number
  failures: number
  locks: number
  untilMs: number
}

/** What the engine's limits are meant to be, written down a second time. */
const [CODE_MS, SIGNUP_MS, LOGIN_MS] = [5 * 60_000, 15 * 60_000, 5 * 60_000]
const [GUESSES, LOCK_MS, LOCK_MAX_MS] = [5, 15 * 60_000, 30 * 86_400_000]

interface Counted {
  readonly account: number
  readonly device_id?: string
  readonly failures: number
  readonly locks: number
  readonly locked_until_ms: number
}

export class SignInModel implements NounModel {
  readonly challenges = new Map<string, ModelChallenge>()
  readonly signups = new Map<string, ModelSignup>()
  readonly logins = new Map<string, ModelLogin>()
  readonly devices = new Map<string, ModelDevice>()
  readonly pins = new Map<number, ModelPin>()
  readonly #devicePins = new Map<string, ModelPin>()
  readonly #challenge: Machine<'open' | 'used'>
  readonly #signup: Machine<ModelSignup['state']>
  readonly #login: Machine<ModelLogin['state']>

  constructor(seen: Map<string, number>) {
    this.#challenge = new Machine('one-time code', { failed: ['open'], verified: ['open'], used: ['open'] }, seen)
    const steps = { identified: ['started', 'identified', 'tagged'], tagged: ['identified', 'tagged'], completed: ['tagged'] } as const
    this.#signup = new Machine('sign-up', steps, seen)
    this.#login = new Machine('login', { completed: ['started'] }, seen)
  }

  audit(entry: Entry): void {
    this.#auditCodes(entry)
    this.#auditSignups(entry)
    this.#auditLogins(entry)
    this.#auditDevices(entry)
    this.#auditPins(entry)
  }

  compare({ auth }: State): void {
    sameRows(
      [...auth.devices.values()].map(({ account, id, session_id }) => `${account} ${id} ${session_id}`),
      [...this.devices.values()].map(({ account, id, sessionId }) => `${account} ${id} ${sessionId}`),
      'devices',
    )
    for (const { id, failures } of auth.challenges.values()) {
      const challenge = this.challenges.get(id)
      assert.deepEqual([challenge?.state, challenge?.failures], ['open', failures], `one-time code ${id}`)
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

  #auditCodes(entry: Entry): void {
    const { timeMs } = entry.record
    type Started = { readonly challenge: Omit<ModelChallenge, 'expiresMs' | 'state'> & { readonly expires_at_ms: number } }
    for (const { payload } of eventsOf<Started>(entry, 'otp.started')) {
      const { id, purpose, identifier, subject, account, expires_at_ms } = payload.challenge
      assert.equal(expires_at_ms, timeMs + CODE_MS, 'a one-time code is valid for five minutes')
      assert.equal(this.challenges.has(id), false, 'a one-time code is started once')
      this.challenges.set(id, { id, purpose, identifier, subject, account, expiresMs: expires_at_ms, failures: 0, state: 'open' })
    }
    for (const move of ['failed', 'verified', 'used'] as const) {
      for (const { payload } of eventsOf<{ readonly id: string; readonly failures?: number }>(entry, `otp.${move}`)) {
        const challenge = this.challenges.get(payload.id)
        this.#challenge.move(challenge?.state, move)
        if (challenge === undefined) continue
        assert.ok(timeMs < challenge.expiresMs && challenge.failures < GUESSES, 'a code that is over is not compared')
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
        state: 'started',
      })
    }
    for (const move of ['identified', 'tagged', 'completed'] as const) {
      for (const { payload } of eventsOf<{ readonly token_hash: string }>(entry, `signup.${move}`)) {
        const signup = this.signups.get(payload.token_hash)
        this.#signup.move(signup?.state, move)
        if (signup === undefined) continue
        assert.ok(timeMs < signup.expiresMs, 'a sign-up that is over goes no further')
        if (move !== 'identified' || signup.state === 'started') signup.state = move
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

  #auditDevices(entry: Entry): void {
    const isLogin = eventsOf(entry, 'login.completed').length > 0
    type Device = { readonly account: number; readonly id: string; readonly session_id: string }
    for (const { payload } of eventsOf<Device>(entry, 'device.removed')) {
      assert.ok(this.devices.delete(`${payload.account}:${payload.id}`), 'a device is removed once')
      this.#devicePins.delete(`${payload.account}:${payload.id}`)
      entry.frames.push(`${payload.account}:session.revoked`)
    }
    for (const { payload } of eventsOf<Device>(entry, 'device.registered')) {
      const { account, id, session_id } = payload
      if (isLogin && !this.devices.has(`${account}:${id}`)) entry.frames.push(`${account}:device.added`)
      this.devices.set(`${account}:${id}`, { account, id, sessionId: session_id })
      this.#devicePins.delete(`${account}:${id}`)
    }
    for (const { payload } of eventsOf<Device>(entry, 'session.revoked')) {
      const device = this.devices.get(`${payload.account}:${payload.id}`)
      assert.ok(device !== undefined && device.sessionId !== payload.session_id, 'a session that is revoked is replaced')
      device.sessionId = payload.session_id
      entry.frames.push(`${payload.account}:session.revoked`)
    }
  }

  #auditPins(entry: Entry): void {
    for (const { payload } of eventsOf<{ readonly account: number; readonly generation: number }>(entry, 'pin.set')) {
      assert.equal(
        payload.generation,
        (this.pins.get(payload.account)?.generation ?? 0) + 1,
        'a PIN is changed from the one that was checked',
      )
      this.pins.set(payload.account, { generation: payload.generation, failures: 0, locks: 0, untilMs: 0 })
    }
    const onDevice = eventsOf<Counted>(entry, 'device_pin.checked')
    for (const { payload } of onDevice) {
      const key = `${payload.account}:${payload.device_id}`
      const counts = this.#devicePins.get(key) ?? { generation: 0, failures: 0, locks: 0, untilMs: 0 }
      this.#devicePins.set(key, this.#count(entry, counts, payload))
    }
    for (const { payload } of eventsOf<Counted>(entry, 'pin.checked')) {
      const pin = this.pins.get(payload.account) ?? { generation: 0, failures: 0, locks: 0, untilMs: 0 }
      this.pins.set(payload.account, pin)
      if (onDevice.length === 0) this.#count(entry, pin, payload)
      else pin.untilMs = Math.max(pin.untilMs, onDevice[0]?.payload.locked_until_ms ?? 0)
      assert.deepEqual(
        [payload.failures, payload.locks, payload.locked_until_ms],
        [pin.failures, pin.locks, pin.untilMs],
        'guesses of a PIN',
      )
    }
  }

  /** One guess: the last of a few locks, each time twice as long. A right one begins again. */
  #count(entry: Entry, counts: ModelPin, found: Counted): ModelPin {
    const { timeMs } = entry.record
    assert.ok(timeMs >= counts.untilMs, 'nothing is guessed while the PIN is locked')
    const isRight = found.failures === 0 && found.locks === 0
    const check = sent(entry, 'RecordPinCheck')
    if (check !== null) assert.ok(!isRight || check.ok, 'a wrong PIN is not right')
    const isLast = counts.failures + 1 >= GUESSES
    if (isRight) Object.assign(counts, { failures: 0, locks: 0, untilMs: 0 })
    else if (isLast)
      Object.assign(counts, { failures: 0, untilMs: timeMs + Math.min(LOCK_MS * 2 ** counts.locks, LOCK_MAX_MS), locks: counts.locks + 1 })
    else counts.failures++
    assert.deepEqual([found.failures, found.locks], [counts.failures, counts.locks], 'guesses are counted')
    if (isLast && !isRight) assert.equal(found.locked_until_ms, counts.untilMs, 'a lock is twice as long as the one before')
    return counts
  }
}
