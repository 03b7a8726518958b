// Sessions of the operator's desk, minute by minute: how they begin, how long they last, and how often one may guess.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { IDLE_MAX_MS, isFormToken, type LogIn, OperatorSessions, SESSION_MAX_MS } from '../../../../http/auth/operator/operator-sessions.ts'
import { WRONG_OPERATOR_LOGINS_PER_NETWORK } from '../../../../http/server/server-limits.ts'

const TOKEN = 'the-operators-token'
const MINUTE_MS = 60_000
const ADDRESS = '41.82.7.9'
const [TRIES_MAX] = WRONG_OPERATOR_LOGINS_PER_NETWORK.ipv4

function scene(): { readonly sessions: OperatorSessions; pass(timeMs: number): void } {
  let nowMs = 1_000_000
  const sessions = new OperatorSessions(TOKEN, () => nowMs)
  return {
    sessions,
    pass: (timeMs) => {
      nowMs += timeMs
    },
  }
}

function idOf(logIn: LogIn): string {
  assert.ok(typeof logIn === 'object')
  return logIn.id
}

describe('a session', () => {
  test('a session lasts while it is used, and not a moment beyond four hours', () => {
    const { sessions, pass } = scene()
    const id = idOf(sessions.logIn(TOKEN, 'a'))
    for (let passedMs = 0; passedMs < SESSION_MAX_MS - IDLE_MAX_MS; passedMs += IDLE_MAX_MS - 1) {
      assert.notEqual(sessions.find(id), null)
      pass(IDLE_MAX_MS - 1)
    }
    assert.notEqual(sessions.find(id), null)
    pass(IDLE_MAX_MS)
    assert.equal(sessions.find(id), null)
    assert.equal(sessions.count, 0, 'nothing of it is kept')
  })

  test('a session ends when it is not used or is ended, and no other ends with it', () => {
    const { sessions, pass } = scene()
    const [idle, ended, other] = [1, 2, 3].map(() => idOf(sessions.logIn(TOKEN, 'a'))) as [string, string, string]
    sessions.end(ended)
    assert.equal(sessions.find(ended), null)
    pass(IDLE_MAX_MS - 1)
    assert.notEqual(sessions.find(other), null)
    pass(1)
    assert.equal(sessions.find(idle), null)
    assert.notEqual(sessions.find(other), null)
  })

  test('a session is opened by nothing but its id', () => {
    const { sessions } = scene()
    const id = idOf(sessions.logIn(TOKEN, 'a'))
    for (const wrong of ['', 'x', id.slice(1), `${id}A`, id.toLowerCase(), TOKEN]) {
      if (wrong !== id) assert.equal(sessions.find(wrong), null)
    }
  })

  test('a thirty-third session ends the first', () => {
    const { sessions } = scene()
    const ids = Array.from({ length: 33 }, () => idOf(sessions.logIn(TOKEN, 'a')))
    assert.equal(sessions.count, 32)
    assert.equal(sessions.find(ids[0] ?? ''), null)
    assert.ok(ids.slice(1).every((id) => sessions.find(id) !== null))
  })

  test('each session has a token of its own for forms', () => {
    const { sessions } = scene()
    const [one, other] = [1, 2].map(() => sessions.find(idOf(sessions.logIn(TOKEN, 'a'))))
    assert.ok(one !== null && one !== undefined && other !== null && other !== undefined)
    assert.ok(isFormToken(one.csrfToken, one))
    for (const wrong of ['', one.csrfToken.slice(1), `${one.csrfToken}A`, other.csrfToken]) assert.ok(!isFormToken(wrong, one))
  })
})

describe('guesses', () => {
  test('after ten wrong tokens an address is locked, with one more try every six minutes; other addresses are not', () => {
    const { sessions, pass } = scene()
    for (let tries = 0; tries < TRIES_MAX; tries++) assert.equal(sessions.logIn(`wrong ${tries}`, ADDRESS), 'wrong')
    assert.equal(sessions.logIn(TOKEN, ADDRESS), 'limited')
    idOf(sessions.logIn(TOKEN, '41.82.8.1'))
    pass(6 * MINUTE_MS)
    assert.equal(sessions.logIn('wrong', ADDRESS), 'wrong')
    assert.equal(sessions.logIn(TOKEN, ADDRESS), 'limited')
    pass(6 * MINUTE_MS)
    idOf(sessions.logIn(TOKEN, ADDRESS))
  })

  test('a right token is not counted', () => {
    const { sessions } = scene()
    for (let round = 0; round < 3 * TRIES_MAX; round++) idOf(sessions.logIn(TOKEN, ADDRESS))
    for (let tries = 0; tries < TRIES_MAX; tries++) assert.equal(sessions.logIn('wrong', ADDRESS), 'wrong')
  })

  test('an IPv6 /48 has forty, from whichever of its 65 536 networks they come', () => {
    const { sessions } = scene()
    let wrong = 0
    for (let index = 0; index < 200; index++) {
      const network = `2001:db8:7:${(index * 257).toString(16)}::/64`
      if (sessions.logIn('wrong', network) === 'wrong') wrong++
    }
    assert.equal(wrong, 40)
    assert.equal(sessions.logIn(TOKEN, '2001:db8:7:ffff::/64'), 'limited')
    idOf(sessions.logIn(TOKEN, '2001:db8:8:1::/64'))
  })

  test('a token must match exactly; spaces around it are trimmed', () => {
    for (const wrong of ['', ' ', TOKEN.toUpperCase(), `${TOKEN} x`, `${TOKEN}\n`, 'é'.repeat(1000)]) {
      assert.equal(scene().sessions.logIn(wrong, 'a'), 'wrong', JSON.stringify(wrong))
    }
    idOf(scene().sessions.logIn(` ${TOKEN} `, 'a'))
  })
})
