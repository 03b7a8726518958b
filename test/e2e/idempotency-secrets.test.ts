// Keys on routes whose answers hold secrets: a key alone gives no answer, a used key shows no guess as right or
// wrong, a thing is done once, and the data folder holds no secret in clear.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Answer, Client } from '../support/client.ts'
import { cookieOf, newEmail, PASSWORD, signUp as signUpOwner } from '../support/dashboard-callers.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'
import {
  bearer,
  codeOfAnswer,
  Handsets,
  newLivePhone,
  newTestPhone,
  ok,
  PIN,
  type Session,
  showCode,
  signUp,
  TEST_OTP,
} from '../support/wallet-callers.ts'

type Key = Readonly<Record<string, string>>

const folder = mkdtempSync(join(tmpdir(), 'cauri-e2e-'))
/** What must stand in no file. */
const secrets: string[] = []
let handsets: Handsets
let server: TestServer
let anybody: Client

before(async () => {
  handsets = await Handsets.open()
  server = await ownServer({ SMS_URL: handsets.url }, folder)
  anybody = server.anybody
})

after(async () => {
  await server.close()
  handsets.close()
  rmSync(folder, { recursive: true, force: true })
})

function isReplay({ headers }: Pick<Answer, 'headers'>): boolean {
  return headers['idempotent-replayed'] === 'true'
}

function keep<Body>(answer: Answer<Body>, ...names: readonly (keyof Body)[]): Answer<Body> {
  secrets.push(...names.map((name) => String(answer.body[name])))
  return answer
}

/** The same request so many times at once: one answer for all, one of them the first. */
async function atOnce(count: number, send: () => Promise<Answer>): Promise<Answer> {
  const answers = await Promise.all(Array.from({ length: count }, send))
  const [first] = answers as [Answer]
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1, first.text)
  assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1)
  return first
}

async function signupClient(): Promise<Client> {
  const client = bearer(anybody, await showCode(anybody, newTestPhone(), 'signup'))
  await ok(client.post('/v1/auth/identity/set', { family_name: 'Diallo', given_name: 'Awa' }))
  await ok(client.post('/v1/auth/tag/set', { tag: newTag() }))
  return client
}

describe('a code', () => {
  it('a code is sent once for a key, however often the key comes', async () => {
    const [phone, key] = [newLivePhone(), newKey()]
    const send = () => anybody.post('/v1/auth/phone/start', { phone, purpose: 'signup' }, key)
    const first = await atOnce(8, send)
    assert.ok(isReplay(await send()))
    const code = await handsets.codeOf(phone)
    // `codeOf` has taken the one message.
    assert.equal(handsets.messages.filter((message) => message.phone === phone).length, 0)
    const body = { phone, purpose: 'signup', code, challenge_id: first.body.challenge_id }
    await ok(anybody.post('/v1/auth/phone/verify', body))
  })

  it('a code opens nothing to a stranger who knows the key and the phone', async () => {
    for (const withId of [true, false]) {
      const [phone, key] = [newTestPhone(), newKey()]
      const { body: started } = await ok(anybody.post('/v1/auth/phone/start', { phone, purpose: 'signup' }))
      const body = { phone, purpose: 'signup', ...(withId ? { challenge_id: started.challenge_id } : {}) }
      const verify = (code: string) => anybody.post<{ signup_token: string }>('/v1/auth/phone/verify', { ...body, code }, key)
      const first = keep(await ok(verify(TEST_OTP)), 'signup_token')
      assert.equal((await verify(TEST_OTP)).text, first.text)
      const guess = await verify('000001')
      assert.deepEqual([codeOfAnswer(guess), isReplay(guess)], ['otp_expired', false])
    }
  })

  it('a code gives one token to twenty equal requests at once', async () => {
    const [phone, key] = [newTestPhone(), newKey()]
    await ok(anybody.post('/v1/auth/phone/start', { phone, purpose: 'signup' }))
    await atOnce(20, () => anybody.post('/v1/auth/phone/verify', { phone, purpose: 'signup', code: TEST_OTP }, key))
  })
})

describe('the last step of a sign-up', () => {
  it('the last step of a sign-up makes one wallet and one session for twenty equal requests at once', async () => {
    const [client, key] = [await signupClient(), newKey()]
    const json = { pin: PIN, device: { id: randomUUID() } }
    const first = (await atOnce(20, () => client.post('/v1/auth/pin/set', json, key))) as unknown as Answer<Session>
    keep(first, 'access_token', 'device_token')
    await ok(bearer(anybody, first.body.access_token).get('/v1/me'))
  })

  it('the last step of a sign-up is replayed for its own token alone, also when another PIN comes with it', async () => {
    const [client, other, key] = [await signupClient(), await signupClient(), newKey()]
    const device = { id: randomUUID() }
    const first = await ok(client.post<Session>('/v1/auth/pin/set', { pin: PIN, device }, key))
    const guessed = await client.post('/v1/auth/pin/set', { pin: '8264', device }, key)
    assert.deepEqual([guessed.text, isReplay(guessed)], [first.text, true])
    const strangers: [Client, Key][] = [
      [anybody, key],
      [bearer(anybody, `signup_${'A'.repeat(43)}`), key],
      [client, newKey()],
      [client, {}],
    ]
    for (const [stranger, theirs] of strangers) {
      const refused = await stranger.post('/v1/auth/pin/set', { pin: PIN, device }, theirs)
      assert.deepEqual([codeOfAnswer(refused), isReplay(refused)], ['unauthorized', false])
    }
    assert.notEqual((await ok(other.post<Session>('/v1/auth/pin/set', { pin: PIN, device }, key))).text, first.text)
  })
})

describe('a renewed session', () => {
  it('a renewed session is replayed for the right PIN alone, and wrong ones count and lock', async () => {
    const { phone, deviceId, deviceToken } = await signUp(anybody)
    const key = newKey()
    const refresh = (pin: string) =>
      anybody.post<Session>('/v1/auth/refresh', { phone, pin, device_id: deviceId, device_token: deviceToken }, key)
    const first = keep(await ok(refresh(PIN)), 'access_token')
    const again = await refresh(PIN)
    assert.deepEqual([again.text, isReplay(again)], [first.text, true])
    for (let left = 4; left > 0; left--) {
      const wrong = (await refresh('8264')) as unknown as Answer
      assert.deepEqual([codeOfAnswer(wrong), wrong.body.attempts_left, isReplay(wrong)], ['pin_incorrect', left, false])
    }
    assert.equal((await refresh('8264')).status, 423)
    assert.equal((await refresh(PIN)).status, 423)
  })
})

describe('a session of the dashboard', () => {
  it('a session of the dashboard is opened once for equal logins at once, and replayed for the right password alone', async () => {
    const { email } = await signUpOwner(server)
    const key = newKey()
    const logIn = (password: string) => anybody.post('/v1/dashboard/login', { email, password }, key)
    const cookies = new Set<string>()
    const first = await atOnce(3, async () => {
      const answer = await logIn(PASSWORD)
      cookies.add(cookieOf(answer))
      return answer
    })
    assert.equal(cookies.size, 1)
    secrets.push(...[...cookies].map((cookie) => cookie.split('=')[1] ?? ''), String(first.body.csrf_token))
    const browser = anybody.with({ cookie: [...cookies][0] ?? '' })
    assert.equal((await browser.get<{ data: unknown[] }>('/v1/dashboard/sessions')).body.data.length, 2)
    for (let tries = 0; tries < 9; tries++) {
      const wrong = await logIn('un autre mot de passe')
      assert.deepEqual([codeOfAnswer(wrong), wrong.headers['set-cookie'], isReplay(wrong)], ['invalid_credentials', undefined, false])
    }
    assert.equal(codeOfAnswer(await logIn('un autre mot de passe')), 'rate_limited')
    assert.equal(codeOfAnswer(await logIn(PASSWORD)), 'rate_limited')
  })

  it('a session of the dashboard of a sign-up is replayed for the right password alone', async () => {
    const key = newKey()
    const body = { merchant_name: 'Boutique', email: newEmail() }
    const send = (password: string) => anybody.post('/v1/dashboard/signup', { ...body, password }, key)
    const first = await atOnce(3, () => send(PASSWORD))
    const again = await send(PASSWORD)
    assert.deepEqual([again.text, isReplay(again)], [first.text, true])
    assert.equal((await anybody.with({ cookie: cookieOf(again) }).get('/v1/dashboard/me')).status, 200)
    const wrong = await send('un autre mot de passe')
    assert.deepEqual([codeOfAnswer(wrong), wrong.headers['set-cookie'], isReplay(wrong)], ['email_taken', undefined, false])
  })

  it('a session of the dashboard that was ended is not opened again by the key of its login', async () => {
    const { email } = await signUpOwner(server)
    const key = newKey()
    const logIn = () => anybody.post<{ csrf_token: string }>('/v1/dashboard/login', { email, password: PASSWORD }, key)
    const first = await ok(logIn())
    const browser = anybody.with({ cookie: cookieOf(first), 'x-csrf-token': first.body.csrf_token })
    await ok(browser.post('/v1/dashboard/logout', {}))
    const over = (await logIn()) as unknown as Answer
    assert.deepEqual([over.status, codeOfAnswer(over)], [401, 'unauthorized'])
    await ok(anybody.post('/v1/dashboard/login', { email, password: PASSWORD }, newKey()))
  })
})

describe('a logout', () => {
  it('a logout is replayed for the token that it ended, with its key and without more', async () => {
    const [one, other] = [await signUp(anybody), await signUpOwner(server)]
    for (const [client, path] of [
      [one.client, '/v1/me/logout'],
      [other.browser, '/v1/dashboard/logout'],
    ] as const) {
      const key = newKey()
      const first = await ok(client.request('POST', path, { headers: key }))
      const again = await client.request('POST', path, { headers: key })
      assert.deepEqual([again.text, isReplay(again)], [first.text, true])
      for (const headers of [newKey(), {}]) assert.equal(codeOfAnswer(await client.request('POST', path, { headers })), 'unauthorized')
      assert.equal(codeOfAnswer(await anybody.request('POST', path, { headers: key })), 'unauthorized')
    }
    assert.equal(codeOfAnswer(await one.client.get('/v1/me')), 'unauthorized')
  })

  it('a logout refuses a key of the wallet that stands for another request', async () => {
    const { client } = await signUp(anybody)
    const key = newKey()
    await ok(client.post('/v1/me/pin/change', { pin: PIN, new_pin: '8264' }, key))
    assert.equal(codeOfAnswer(await client.request('POST', '/v1/me/logout', { headers: key })), 'idempotency_key_reused')
    await ok(client.get('/v1/me'))
  })
})

describe('a ticket', () => {
  it('a ticket is the same for its key until it has opened a stream', async () => {
    const { client } = await signUp(anybody)
    const key = newKey()
    const ask = () => client.request<{ ticket: string }>('POST', '/v1/me/events/ticket', { headers: key })
    const first = await ok(ask())
    assert.equal((await ask()).body.ticket, first.body.ticket)
    const stream = await fetch(`${server.process.baseUrl}/v1/me/events?ticket=${first.body.ticket}`)
    assert.equal(stream.status, 200)
    await stream.body?.cancel()
    assert.notEqual((await ok(ask())).body.ticket, first.body.ticket)
  })
})

it('no secret of an answer stands in the data folder in clear', async () => {
  assert.ok(secrets.length > 6)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const text = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n')
  for (const secret of secrets) assert.ok(secret !== '' && !text.includes(secret), secret.slice(0, 12))
})
