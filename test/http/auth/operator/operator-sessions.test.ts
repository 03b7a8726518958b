// Sessions of the operator's desk, minute by minute: how they begin, how long they last, which nodes read them, and how often one
// may guess.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AUDIT_ACCOUNT } from '../../../../engine/api.ts'
import {
  endOf,
  IDLE_MAX_MS,
  isFormToken,
  type LogIn,
  OperatorSessions,
  RENEWED_AFTER_MS,
  SESSION_MAX_MS,
} from '../../../../http/auth/operator/operator-sessions.ts'
import { WRONG_OPERATOR_LOGINS_PER_NETWORK } from '../../../../http/server/server-limits.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

const TOKEN = 'the-operators-token'
const MINUTE_MS = 60_000
const ADDRESS = '41.82.7.9'
const [TRIES_MAX] = WRONG_OPERATOR_LOGINS_PER_NETWORK.ipv4

interface Nodes {
  readonly sessions: OperatorSessions
  readonly fixture: EngineFixture
  /** Another node with the same log. */
  node(parts?: { readonly token?: string; readonly keyByte?: number }): OperatorSessions
  pass(timeMs: number): void
}

async function open(): Promise<Nodes> {
  const fixture = await EngineFixture.open()
  const engine: ConstructorParameters<typeof OperatorSessions>[0]['engine'] = { query: (name, input) => fixture.engine.query(name, input) }
  const node: Nodes['node'] = ({ token = TOKEN, keyByte = 7 } = {}) =>
    new OperatorSessions({ token, key: Buffer.alloc(32, keyByte), engine })
  return { sessions: node(), fixture, node, pass: (timeMs) => fixture.loop.advance(timeMs) }
}

function cookieOf(logIn: LogIn): string {
  assert.ok(typeof logIn === 'object')
  return logIn.cookie
}

/** As a logout does. */
function end(fixture: EngineFixture, sessions: OperatorSessions, cookie: string): void {
  const session = sessions.find(cookie)
  assert.ok(session !== null)
  const { scope, key, fingerprint } = endOf(session.id)
  fixture.do({ type: 'KeepAnswer', account: AUDIT_ACCOUNT, kind: 'ok' }, { mailbox: AUDIT_ACCOUNT, scope, key, fingerprint })
}

describe('a session', () => {
  test('a session lasts while it is used, and not a moment beyond four hours', async () => {
    const { sessions, pass } = await open()
    let cookie = cookieOf(sessions.logIn(TOKEN, 'a'))
    const stepMs = IDLE_MAX_MS - 1000
    for (let passedMs = 0; passedMs + stepMs < SESSION_MAX_MS; passedMs += stepMs) {
      const session = sessions.find(cookie)
      assert.ok(session !== null)
      cookie = sessions.renewed(session) ?? cookie
      pass(stepMs)
    }
    assert.notEqual(sessions.find(cookie), null)
    pass(SESSION_MAX_MS % stepMs)
    assert.equal(sessions.find(cookie), null)
  })

  test('a cookie is renewed once a minute, and the session stays the same', async () => {
    const { sessions, pass } = await open()
    const session = sessions.find(cookieOf(sessions.logIn(TOKEN, 'a')))
    assert.ok(session !== null)
    pass(RENEWED_AFTER_MS - 1)
    assert.equal(sessions.renewed(session), null)
    pass(1)
    const renewed = sessions.find(sessions.renewed(session) ?? '')
    assert.deepEqual(renewed, { ...session, seenMs: session.seenMs + RENEWED_AFTER_MS })
  })

  test('a session ends when it is not used or is ended, and no other ends with it', async () => {
    const { sessions, fixture, pass } = await open()
    const [ended, other] = [1, 2].map(() => cookieOf(sessions.logIn(TOKEN, 'a'))) as [string, string]
    end(fixture, sessions, ended)
    assert.equal(sessions.find(ended), null)
    pass(IDLE_MAX_MS - 1)
    assert.notEqual(sessions.find(other), null)
    pass(1)
    assert.equal(sessions.find(other), null)
  })

  test('every node with the same keys and log reads a session, its end and its token for forms', async () => {
    const { sessions, fixture, node } = await open()
    const cookie = cookieOf(sessions.logIn(TOKEN, 'a'))
    const there = node()
    assert.deepEqual(there.find(cookie), sessions.find(cookie))
    await fixture.start()
    assert.notEqual(there.find(cookie), null, 'also after a start')
    end(fixture, there, cookie)
    assert.equal(sessions.find(cookie), null)
    await fixture.start()
    assert.equal(sessions.find(cookie), null, 'the end is in the log')
  })

  test('a session of another master key or of another operator token is invalid', async () => {
    const { sessions, node } = await open()
    const cookie = cookieOf(sessions.logIn(TOKEN, 'a'))
    assert.equal(node({ keyByte: 8 }).find(cookie), null)
    assert.equal(node({ token: 'the-next-token' }).find(cookie), null)
  })

  test('a session is opened by nothing but its cookie', async () => {
    const { sessions } = await open()
    const cookie = cookieOf(sessions.logIn(TOKEN, 'a'))
    const changed = Array.from(Buffer.from(cookie, 'base64url').keys(), (at) => {
      const bytes = Buffer.from(cookie, 'base64url')
      bytes[at] = (bytes[at] as number) ^ 1
      return bytes.toString('base64url')
    })
    for (const wrong of ['', 'x', cookie.slice(1), `${cookie}A`, cookie.toLowerCase(), TOKEN, 'A'.repeat(43), ...changed]) {
      if (wrong !== cookie) assert.equal(sessions.find(wrong), null)
    }
  })

  test('each session has a token of its own for forms', async () => {
    const { sessions } = await open()
    const [one, other] = [1, 2].map(() => sessions.find(cookieOf(sessions.logIn(TOKEN, 'a'))))
    assert.ok(one !== null && one !== undefined && other !== null && other !== undefined)
    assert.ok(isFormToken(one.csrfToken, one))
    const changed = Array.from(one.csrfToken, (character, at) => {
      return `${one.csrfToken.slice(0, at)}${character === 'A' ? 'Q' : 'A'}${one.csrfToken.slice(at + 1)}`
    })
    for (const wrong of ['', one.csrfToken.slice(1), `${one.csrfToken}A`, other.csrfToken, ...changed]) assert.ok(!isFormToken(wrong, one))
  })
})

describe('guesses', () => {
  test('after ten wrong tokens an address is locked, with one more try every six minutes; other addresses are not', async () => {
    const { sessions, pass } = await open()
    for (let tries = 0; tries < TRIES_MAX; tries++) assert.equal(sessions.logIn(`wrong ${tries}`, ADDRESS), 'wrong')
    assert.equal(sessions.logIn(TOKEN, ADDRESS), 'limited')
    cookieOf(sessions.logIn(TOKEN, '41.82.8.1'))
    pass(6 * MINUTE_MS)
    assert.equal(sessions.logIn('wrong', ADDRESS), 'wrong')
    assert.equal(sessions.logIn(TOKEN, ADDRESS), 'limited')
    pass(6 * MINUTE_MS)
    cookieOf(sessions.logIn(TOKEN, ADDRESS))
  })

  test('a right token is not counted', async () => {
    const { sessions } = await open()
    for (let round = 0; round < 3 * TRIES_MAX; round++) cookieOf(sessions.logIn(TOKEN, ADDRESS))
    for (let tries = 0; tries < TRIES_MAX; tries++) assert.equal(sessions.logIn('wrong', ADDRESS), 'wrong')
  })

  test('an IPv6 /48 has forty, from whichever of its 65 536 networks they come', async () => {
    const { sessions } = await open()
    let wrong = 0
    for (let index = 0; index < 200; index++) {
      const network = `2001:db8:7:${(index * 257).toString(16)}::/64`
      if (sessions.logIn('wrong', network) === 'wrong') wrong++
    }
    assert.equal(wrong, 40)
    assert.equal(sessions.logIn(TOKEN, '2001:db8:7:ffff::/64'), 'limited')
    cookieOf(sessions.logIn(TOKEN, '2001:db8:8:1::/64'))
  })

  test('a token must match exactly; spaces around it are trimmed', async () => {
    const { sessions } = await open()
    for (const wrong of ['', ' ', TOKEN.toUpperCase(), `${TOKEN} x`, `${TOKEN}\n`, 'é'.repeat(1000)]) {
      assert.equal(sessions.logIn(wrong, wrong.slice(0, 9)), 'wrong', JSON.stringify(wrong))
    }
    cookieOf(sessions.logIn(` ${TOKEN} `, 'a'))
  })
})
