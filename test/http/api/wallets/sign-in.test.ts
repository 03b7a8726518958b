// Signing in over real HTTP: the two flows, every way out of order, and wrong codes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Answer, Client } from '../../../support/client.ts'
import { newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import {
  bearer,
  codeOfAnswer,
  Handsets,
  logIn,
  newLivePhone,
  newTestPhone,
  ok,
  PIN,
  showCode,
  signUp,
  TEST_OTP,
} from '../../../support/wallet-callers.ts'

let handsets: Handsets
let server: TestServer

before(async () => {
  handsets = await Handsets.open()
  server = await ownServer({ SMS_URL: handsets.url, PUSH_URL: handsets.url, PROXY_HOPS: '1' })
})

after(async () => {
  await server.close()
  handsets.close()
})

/** From an address of its own. */
function stranger(): Client {
  const part = () => 1 + Math.floor(Math.random() * 254)
  return server.anybody.with({ 'x-forwarded-for': `41.${part()}.${part()}.${part()}` })
}

function start(client: Client, phone: string, purpose = 'login'): Promise<Answer> {
  return client.post('/v1/auth/phone/start', { phone, purpose })
}

function verify(client: Client, phone: string, code: string, purpose = 'login', challenge_id?: unknown): Promise<Answer> {
  return client.post('/v1/auth/phone/verify', { phone, code, purpose, ...(challenge_id === undefined ? {} : { challenge_id }) })
}

describe('sign-up and login', () => {
  it('sign-up and login of a test phone take the code 000000, and nothing is sent', async () => {
    const person = await signUp(server.anybody)
    const { body } = await ok(person.client.get('/v1/me'))
    const { id: _, ...me } = body
    assert.deepEqual(me, { phone: person.phone, tag: person.tag, family_name: 'Diallo', given_name: 'Awa', environment: 'test' })
    const again = await logIn(server.anybody, person.phone, PIN)
    assert.equal((await again.client.get('/v1/me')).status, 200)
    assert.equal((await person.client.get('/v1/me')).status, 200, 'another device ends no session')
    assert.ok(handsets.messages.every(({ phone }) => phone !== person.phone))
  })

  it('sign-up and login of a live phone: the code comes by text message', async () => {
    const client = stranger()
    const person = await signUp(client, { phone: newLivePhone(), codeOf: handsets.codeOf })
    assert.equal((await ok(person.client.get('/v1/me'))).body.environment, 'live')
    assert.deepEqual((await ok(person.client.get('/v1/me/balance'))).body, {
      available: 0,
      pending: 0,
      currency: 'XOF',
      environment: 'live',
    })
    const login = bearer(client, await showCode(client, person.phone, 'login', handsets.codeOf))
    const wrong = await login.post('/v1/auth/pin/verify', { pin: '7392', device: { id: 'two' } })
    assert.deepEqual([wrong.status, wrong.body.code, wrong.body.attempts_left], [401, 'pin_incorrect', 4])
    assert.equal((await login.post('/v1/auth/pin/verify', { pin: PIN, device: { id: 'two' } })).status, 200, 'a slip costs no new code')
  })

  it('sign-up and login of a test wallet from the merchant’s helper: 000000 and 2580', async () => {
    const merchant = await server.merchant()
    const made = await merchant.test.post<{ phone: string; pin: string; otp: string }>('/v1/biz/test/wallets', { tag: newTag() })
    assert.equal(made.body.otp, TEST_OTP)
    const person = await logIn(server.anybody, made.body.phone, made.body.pin)
    assert.equal((await person.client.get('/v1/me')).body.phone, made.body.phone)
  })

  it('a login takes the newest challenge where none is named, and an earlier one where it is', async () => {
    const phone = newTestPhone()
    const first = await start(server.anybody, phone, 'signup')
    await start(server.anybody, phone, 'signup')
    assert.equal((await verify(server.anybody, phone, TEST_OTP, 'signup')).status, 200)
    assert.equal((await verify(server.anybody, phone, TEST_OTP, 'signup', first.body.challenge_id)).status, 200)
    assert.equal(codeOfAnswer(await verify(server.anybody, phone, TEST_OTP, 'signup')), 'otp_expired')
  })

  it('a sign-up trims names and lowers tags; a blank name is rejected', async () => {
    const signup = bearer(server.anybody, await showCode(server.anybody, newTestPhone(), 'signup'))
    const set = (family_name: string, given_name: string) => signup.post('/v1/auth/identity/set', { family_name, given_name })
    assert.deepEqual((await set('  N’Diaye ', ' Aïssatou ')).body, { family_name: 'N’Diaye', given_name: 'Aïssatou' })
    for (const [family, given, param] of [
      ['   ', 'Awa', 'family_name'],
      ['Ba', '\u00a0', 'given_name'],
    ] as const) {
      const { body } = await set(family, given)
      assert.deepEqual([body.code, body.param], ['invalid_request', param])
    }
    const tag = newTag()
    assert.deepEqual((await signup.post('/v1/auth/tag/set', { tag: `@${tag.toUpperCase()}` })).body, { tag })
    assert.equal(codeOfAnswer(await signup.post('/v1/auth/tag/set', { tag: 'a b' })), 'invalid_tag')
    assert.equal(codeOfAnswer(await signup.post('/v1/auth/tag/set', { tag: (await signUp(server.anybody)).tag })), 'tag_taken')
  })
})

describe('out of order', () => {
  it('no step takes the token of another, nor an access token, nor none', async () => {
    const person = await signUp(server.anybody)
    const signup = await showCode(server.anybody, newTestPhone(), 'signup')
    const login = await showCode(server.anybody, person.phone, 'login')
    const device = { id: 'x' }
    const steps: readonly { path: string; json: object; takes: string }[] = [
      { path: '/v1/auth/identity/set', json: { family_name: 'A', given_name: 'B' }, takes: signup },
      { path: '/v1/auth/tag/set', json: { tag: newTag() }, takes: signup },
      { path: '/v1/auth/pin/set', json: { pin: PIN, device }, takes: signup },
      { path: '/v1/auth/pin/verify', json: { pin: PIN, device }, takes: login },
      { path: '/v1/me/logout', json: {}, takes: person.accessToken },
    ]
    const tokens = [signup, login, person.accessToken, person.deviceToken, '', 'signup_', `${signup}A`]
    for (const { path, json, takes } of steps) {
      for (const token of tokens.filter((one) => one !== takes)) {
        const client = token === '' ? server.anybody : bearer(server.anybody, token)
        assert.equal(codeOfAnswer(await client.post(path, json)), 'unauthorized', `${path} with ${token.slice(0, 12)}`)
      }
    }
  })

  it('tag before name and PIN before tag are refused, a step after the last is rejected', async () => {
    const signup = bearer(server.anybody, await showCode(server.anybody, newTestPhone(), 'signup'))
    const pin = () => signup.post('/v1/auth/pin/set', { pin: PIN, device: { id: 'x' } })
    assert.equal(codeOfAnswer(await pin()), 'signup_incomplete')
    assert.equal(codeOfAnswer(await signup.post('/v1/auth/tag/set', { tag: newTag() })), 'signup_incomplete')
    await ok(signup.post('/v1/auth/identity/set', { family_name: 'A', given_name: 'B' }))
    assert.equal(codeOfAnswer(await pin()), 'signup_incomplete')
    await ok(signup.post('/v1/auth/tag/set', { tag: newTag() }))
    for (const weak of ['0000', '1234', '987654']) {
      assert.equal(codeOfAnswer(await signup.post('/v1/auth/pin/set', { pin: weak, device: { id: 'x' } })), 'weak_pin')
    }
    await ok(pin())
    assert.equal(codeOfAnswer(await pin()), 'unauthorized')
  })

  it('a code for sign-up opens no login, and the other way round', async () => {
    const person = await signUp(server.anybody)
    await start(server.anybody, person.phone, 'login')
    assert.equal(codeOfAnswer(await verify(server.anybody, person.phone, TEST_OTP, 'signup')), 'otp_expired')
    assert.equal(codeOfAnswer(await verify(server.anybody, newTestPhone(), TEST_OTP, 'login')), 'otp_expired')
  })

  it('a login token is good for one login', async () => {
    const person = await signUp(server.anybody)
    const login = bearer(server.anybody, await showCode(server.anybody, person.phone, 'login'))
    const answers = await Promise.all(['a', 'b', 'c'].map((id) => login.post('/v1/auth/pin/verify', { pin: PIN, device: { id } })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
  })
})

describe('wrong codes', () => {
  it('wrong codes end with the fifth, with or without a wallet for the phone', async () => {
    const person = await signUp(server.anybody)
    for (const phone of [person.phone, newTestPhone()]) {
      await start(server.anybody, phone)
      const answers: Answer[] = []
      for (let time = 0; time < 5; time++) answers.push(await verify(server.anybody, phone, '999999'))
      assert.deepEqual(answers.map(codeOfAnswer), [...Array.from({ length: 4 }, () => 'otp_incorrect'), 'otp_attempts_exceeded'])
      assert.equal(codeOfAnswer(await verify(server.anybody, phone, TEST_OTP)), 'otp_attempts_exceeded')
    }
  })

  it('wrong codes at the same moment: of a hundred guesses five are looked at', async () => {
    const phone = newTestPhone()
    await start(server.anybody, phone)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => verify(server.anybody, phone, String(100_000 + at))))
    assert.equal(answers.filter((answer) => codeOfAnswer(answer) === 'otp_incorrect').length, 4)
    assert.equal(answers.filter((answer) => codeOfAnswer(answer) === 'otp_attempts_exceeded').length, 96)
  })
})

it('a recipient is notified on their devices', async () => {
  const person = await signUp(server.anybody)
  const merchant = await server.fundedMerchant(1000)
  const { body } = await ok(
    merchant.test.post<{ transaction_id: string }>('/v1/biz/payouts', { recipient: person.tag, amount: 250 }, newKey()),
  )
  const { title, text, devices, data } = await handsets.next(person.phone)
  assert.equal(title, 'Argent reçu')
  assert.equal(text.replaceAll(/\s/g, ' '), 'Vous avez reçu 250 F CFA de Boutique. Nouveau solde : 250 F CFA.')
  assert.deepEqual(devices, [person.deviceId])
  assert.deepEqual(data, { type: 'payment.received', transaction_id: body.transaction_id })
})

it('without a Firebase project every ID token is refused', async () => {
  const answer = await server.anybody.post('/v1/auth/firebase/exchange', { id_token: randomUUID(), purpose: 'login' })
  assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_id_token'])
})
