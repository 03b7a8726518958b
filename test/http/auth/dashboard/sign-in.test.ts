// Signing up, in and out over HTTP; what a session opens and what it does not; and who tries to get in without one.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CreatedApiKey } from '../../../../engine/contract/api-key.ts'
import type { SignedIn } from '../../../../engine/contract/dashboard.ts'
import { openCharge } from '../../../support/charge-callers.ts'
import type { Client } from '../../../support/client.ts'
import { cookieOf, newEmail, ownerOf, PASSWORD, signUp } from '../../../support/dashboard-callers.ts'
import type { TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await ownServer()
})

after(() => server.close())

const logIn = (email: string, password = PASSWORD) =>
  server.anybody.post<SignedIn & { readonly code?: string }>('/v1/dashboard/login', { email, password })

describe('sign-up', () => {
  test('sign-up makes a merchant and signs its user in', async () => {
    const email = `Compta.${newEmail()}`
    const answer = await server.anybody.post<SignedIn>('/v1/dashboard/signup', { merchant_name: 'Chez Awa', email, password: PASSWORD })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.merchant.name, 'Chez Awa')
    assert.equal(answer.body.user.email, email.toLowerCase())
    assert.match(
      answer.headers['set-cookie'] ?? '',
      /^session=session_[\w-]{43}; Path=\/; Max-Age=1209(?:600|5\d\d); HttpOnly; SameSite=Lax,device-[\w-]{12}=v1\.[^;]*; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    )
    const me = await server.anybody.get<SignedIn>('/v1/dashboard/me', { headers: { cookie: cookieOf(answer) } })
    assert.deepEqual(me.body, answer.body)
    const seen = await server.operator.get<{ name: string }>(`/v1/operator/merchants/${answer.body.merchant.id}`)
    assert.equal(seen.body.name, 'Chez Awa')
  })

  test('an address signs up once, however it is written, and of two at the same moment one does', async () => {
    const email = newEmail()
    const form = { merchant_name: 'Boutique', email, password: PASSWORD }
    const answers = await Promise.all([1, 2].map(() => server.anybody.post('/v1/dashboard/signup', form)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
    const again = await server.anybody.post('/v1/dashboard/signup', { ...form, email: email.toUpperCase() })
    assert.deepEqual([again.status, again.body.code, again.body.param], [409, 'email_taken', 'email'])
    assert.equal(again.headers['set-cookie'], undefined)
  })

  test('weak passwords and nonsense are refused', async () => {
    const email = newEmail()
    const form = { merchant_name: 'Boutique', email, password: PASSWORD }
    for (const password of ['', 'court', '1234567890', 'password123', email]) {
      const answer = await server.anybody.post('/v1/dashboard/signup', { ...form, password })
      assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'weak_password', 'password'], password)
    }
    for (const wrong of [
      { email: 'awa' },
      { merchant_name: '' },
      { merchant_name: 'a\u0000' },
      { password: 12 },
      { password: 'x'.repeat(129) },
    ]) {
      const answer = await server.anybody.post('/v1/dashboard/signup', { ...form, ...wrong })
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(wrong))
    }
  })
})

describe('login', () => {
  test('login opens a session of its own each time', async () => {
    const { email, cookie } = await signUp(server)
    const answer = await logIn(email.toUpperCase())
    assert.equal(answer.status, 200, answer.text)
    assert.notEqual(cookieOf(answer), cookie)
    assert.equal((await server.anybody.get('/v1/dashboard/me', { headers: { cookie } })).status, 200)
  })

  test('login says the same of a wrong password and of an unknown address', async () => {
    const { email } = await signUp(server)
    const answers = [await logIn(email, 'tout autre chose'), await logIn(newEmail(), PASSWORD)]
    const told = answers.map(({ status, body, headers }) => [status, body, headers['set-cookie']])
    assert.deepEqual(told[0], told[1])
    assert.equal(answers[0]?.body.code, 'invalid_credentials')
  })

  for (const known of [true, false]) {
    test(`the tenth wrong password locks the address${known ? '' : ', also an unknown one'}`, async () => {
      const email = known ? (await signUp(server)).email : newEmail()
      for (let tries = 1; tries < 10; tries++) assert.equal((await logIn(email, `essai numéro ${tries}`)).status, 401)
      for (const password of ['essai numéro 10', PASSWORD]) {
        const answer = await logIn(email, password)
        assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'])
        assert.match(answer.headers['retry-after'] ?? '', /^(?:900|89\d)$/)
      }
    })
  }

  test('many guesses at once are no more guesses than one after the other', async () => {
    const { email } = await signUp(server)
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => logIn(email, `essai numéro ${index}`)))
    const guessed = answers.filter(({ status }) => status === 401).length
    assert.equal(answers.filter(({ status }) => status === 429).length, 30 - guessed)
    assert.deepEqual([guessed, (await logIn(email)).status], [9, 429])
  })

  test('a right password starts the count over', async () => {
    const { email } = await signUp(server)
    for (const _round of [1, 2]) {
      for (let tries = 1; tries < 10; tries++) assert.equal((await logIn(email, `essai numéro ${tries}`)).status, 401)
      assert.equal((await logIn(email)).status, 200)
    }
  })
})

describe('a session', () => {
  test('a session may do what the specification gives to a key or a session, in the environment that it names', async () => {
    const { browser, merchantId } = await signUp(server)
    const keyed = { id: merchantId, test: await server.keyed(merchantId, 'test', []), live: await server.keyed(merchantId, 'live', []) }
    const charge = await openCharge(keyed)
    const inTest = browser.with({ 'x-environment': 'test' })
    assert.equal((await inTest.get(`/v1/biz/charges/${charge.token}`)).status, 200)
    assert.equal((await inTest.get<{ data: readonly unknown[] }>('/v1/biz/charges')).body.data.length, 1)
    for (const client of [browser, browser.with({ 'x-environment': 'live' })]) {
      assert.equal((await client.get(`/v1/biz/charges/${charge.token}`)).status, 404)
      assert.deepEqual((await client.get('/v1/biz/charges')).body.data, [])
    }
    const wrong = await browser.with({ 'x-environment': 'prod' }).get('/v1/biz/charges')
    assert.deepEqual([wrong.status, wrong.body.code, wrong.body.param], [400, 'invalid_request', 'X-Environment'])
  })

  test('a session opens nothing that is for keys alone', async () => {
    const { browser } = await signUp(server)
    for (const path of ['/v1/biz/ping', '/v1/biz/balance', '/v1/biz/payouts', '/v1/operator/merchants', '/v1/me']) {
      const answer = await browser.get(path)
      assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized'], path)
    }
    const payout = await browser.post('/v1/biz/payouts', { recipient: '@awa', amount: 100 })
    assert.deepEqual([payout.status, payout.body.code], [401, 'unauthorized'])
  })

  test('a session makes charges and payment links, with its CSRF token', async () => {
    const { browser } = await signUp(server)
    for (const [path, json] of [
      ['/v1/biz/charges', { amount: 100 }],
      ['/v1/biz/payment-links', { description: 'Caisse' }],
    ] as const) {
      assert.equal((await browser.with({ 'x-environment': 'test' }).post(path, json)).status, 201, path)
      assert.equal((await browser.with({ 'x-csrf-token': 'wrong' }).post(path, json)).body.code, 'csrf_failed')
    }
  })

  test('a session does not stand in for a wrong key', async () => {
    const { browser } = await signUp(server)
    const answer = await browser.with({ 'x-api-key': 'pk_live_wrong', 'x-api-secret': 'sk_live_wrong' }).get('/v1/biz/charges')
    assert.equal(answer.status, 401)
  })

  test('a session ends with its logout, and no other does', async () => {
    const owner = await signUp(server)
    const other = ownerOf(server, await logIn(owner.email), owner.email)
    const out = await owner.browser.post('/v1/dashboard/logout', undefined)
    assert.equal(out.status, 200, out.text)
    assert.match(out.headers['set-cookie'] ?? '', /^session=; Path=\/; Max-Age=0;/)
    assert.equal((await owner.browser.get('/v1/dashboard/me')).status, 401)
    assert.equal((await other.browser.get('/v1/dashboard/me')).status, 200)
  })

  test('a session is listed and ended from another one, but never from another user’s', async () => {
    const owner = await signUp(server)
    const other = ownerOf(server, await logIn(owner.email), owner.email)
    const { body } = await owner.browser.get<{ data: readonly { id: string; current: boolean }[] }>('/v1/dashboard/sessions')
    assert.deepEqual(
      body.data.map(({ current }) => current),
      [false, true],
    )
    const [newest] = body.data
    const stranger = await signUp(server)
    const refused = await stranger.browser.request('DELETE', `/v1/dashboard/sessions/${newest?.id}`)
    assert.equal(refused.status, 404)
    const ended = await owner.browser.request('DELETE', `/v1/dashboard/sessions/${newest?.id}`)
    assert.deepEqual(ended.body, { id: newest?.id, deleted: true })
    assert.equal((await other.browser.get('/v1/dashboard/me')).status, 401)
  })

  test('a user has at most twenty sessions', async () => {
    const owner = await signUp(server)
    for (let count = 0; count < 20; count++) assert.equal((await logIn(owner.email)).status, 200)
    assert.equal((await owner.browser.get('/v1/dashboard/me')).status, 401)
  })

  test('a new password ends all others', async () => {
    const owner = await signUp(server)
    const other = ownerOf(server, await logIn(owner.email), owner.email)
    const change = (password: string, new_password: string) => owner.browser.post('/v1/dashboard/password', { password, new_password })
    assert.equal((await change('pas le bon mot', 'trois pirogues sur la lagune')).body.code, 'invalid_credentials')
    assert.equal((await change(PASSWORD, 'azertyuiop')).body.code, 'weak_password')
    assert.equal((await change(PASSWORD, 'trois pirogues sur la lagune')).status, 200)
    assert.equal((await owner.browser.get('/v1/dashboard/me')).status, 200)
    assert.equal((await other.browser.get('/v1/dashboard/me')).status, 401)
    assert.equal((await logIn(owner.email)).status, 401)
    assert.equal((await logIn(owner.email, 'trois pirogues sur la lagune')).status, 200)
  })
})

describe('attacks on sessions', () => {
  test('a request that changes something needs the token of this very session', async () => {
    const owner = await signUp(server)
    const stranger = await signUp(server)
    const form = { environment: 'test', scopes: [], label: '' }
    const withToken = (headers: Record<string, string>): Client => server.anybody.with({ cookie: owner.cookie, ...headers })
    for (const token of ['', 'x', stranger.csrfToken, owner.csrfToken.slice(1), `${owner.csrfToken}x`, owner.csrfToken.toLowerCase()]) {
      const client = withToken(token === '' ? {} : { 'x-csrf-token': token })
      for (const [method, path] of [
        ['POST', '/v1/dashboard/api-keys'],
        ['POST', '/v1/dashboard/logout'],
        ['DELETE', '/v1/dashboard/api-keys/019aa0f8-1c00-7e12-8c4d-5e6f708192a3'],
      ] as const) {
        const answer = await client.request(method, path, method === 'POST' && path.endsWith('keys') ? { json: form } : {})
        assert.deepEqual([answer.status, answer.body.code], [403, 'csrf_failed'], `${method} ${path} ${token}`)
      }
    }
    assert.deepEqual((await owner.browser.get('/v1/dashboard/api-keys')).body.data, [])
    assert.equal((await owner.browser.get('/v1/dashboard/me')).status, 200)
  })

  test('foreign, damaged and repeated cookies open nothing', async () => {
    const { cookie } = await signUp(server)
    const other = await signUp(server)
    const value = cookie.slice('session='.length)
    for (const wrong of [
      'session=',
      `session=${value.slice(0, -1)}`,
      `session=${value}x`,
      `Session=${value}`,
      `xsession=${value}`,
      `__Host-session=${value}`,
      `${cookie}; ${other.cookie}`,
      `session=session_${'A'.repeat(43)}`,
      `session=${'a'.repeat(3000)}`,
    ]) {
      const answer = await server.anybody.get('/v1/dashboard/me', { headers: { cookie: wrong } })
      assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized'], wrong.slice(0, 80))
    }
    assert.equal((await server.anybody.get('/v1/dashboard/me', { headers: { cookie: `a=b; ${cookie}; c="d"` } })).status, 200)
  })

  test('what a log or a copy of the data holds opens no session', async () => {
    const { cookie } = await signUp(server)
    const shown = server.process.lines.join('\n') + server.process.errorOutput()
    assert.ok(!shown.includes(cookie.slice('session='.length)))
    assert.ok(!shown.includes(PASSWORD))
  })
})

describe('API keys', () => {
  test('API keys are made, used, listed without their secret, and revoked at once', async () => {
    const { browser, merchantId } = await signUp(server)
    const form = { environment: 'test', scopes: ['disbursements.write'], label: 'Paie' }
    const made = await browser.post<CreatedApiKey>('/v1/dashboard/api-keys', form)
    assert.equal(made.status, 201, made.text)
    const { id, public_key, secret_key } = made.body
    const keyed = server.anybody.with({ 'x-api-key': public_key, 'x-api-secret': secret_key })
    assert.deepEqual((await keyed.get('/v1/biz/ping')).body, {
      ok: true,
      merchant_id: merchantId,
      environment: 'test',
      scopes: ['disbursements.write'],
    })
    const list = await browser.get<{ data: readonly { id: string }[] }>('/v1/dashboard/api-keys?environment=test')
    assert.deepEqual(
      list.body.data.map((key) => key.id),
      [id],
    )
    assert.ok(!list.text.includes(secret_key))
    assert.deepEqual((await browser.get('/v1/dashboard/api-keys?environment=live')).body.data, [])
    const stranger = await signUp(server)
    assert.equal((await stranger.browser.request('DELETE', `/v1/dashboard/api-keys/${id}`)).status, 404)
    assert.deepEqual((await browser.request('DELETE', `/v1/dashboard/api-keys/${id}`)).body, { id, deleted: true })
    assert.equal((await keyed.get('/v1/biz/ping')).status, 401)
    assert.equal((await browser.request('DELETE', `/v1/dashboard/api-keys/${id}`)).status, 404)
  })

  test('the same key of the caller’s makes one pair', async () => {
    const { browser } = await signUp(server)
    const make = () => browser.post('/v1/dashboard/api-keys', { environment: 'live', scopes: [] }, { 'idempotency-key': 'une fois' })
    const [first, second] = [await make(), await make()]
    assert.equal(first.text, second.text)
    assert.equal(second.headers['idempotent-replayed'], 'true')
  })

  test('there are a hundred of them at most', async () => {
    const { browser } = await signUp(server)
    const form = { environment: 'test', scopes: [], label: '' }
    for (let count = 0; count < 100; count++) assert.equal((await browser.post('/v1/dashboard/api-keys', form)).status, 201)
    assert.equal((await browser.post('/v1/dashboard/api-keys', form)).body.code, 'too_many_api_keys')
  })
})
