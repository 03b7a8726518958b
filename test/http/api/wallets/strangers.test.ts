// Limits on codes, what a stranger can learn of a phone (nothing), and renewing a session, over real HTTP.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer, Client } from '../../../support/client.ts'
import type { TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import {
  bearer,
  codeOfAnswer,
  Handsets,
  logIn,
  newLivePhone,
  newTestPhone,
  ok,
  type Person,
  PIN,
  showCode,
  signUp,
  TEST_OTP,
} from '../../../support/wallet-callers.ts'

let handsets: Handsets
let server: TestServer

before(async () => {
  handsets = await Handsets.open()
  server = await ownServer({ SMS_URL: handsets.url, SMS_PER_MINUTE: '6000', PROXY_HOPS: '1' })
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

function refresh(client: Client, { phone, deviceId, deviceToken }: Person, more: object = {}): Promise<Answer> {
  return client.post('/v1/auth/refresh', { phone, pin: PIN, device_id: deviceId, device_token: deviceToken, ...more })
}

describe('sends', () => {
  it('codes sent to one phone are five in ten minutes from one network; known and unknown alike', async () => {
    for (const isKnown of [true, false]) {
      const client = stranger()
      const phone = newLivePhone()
      if (isKnown) await signUp(client, { phone, codeOf: handsets.codeOf })
      for (let time = isKnown ? 1 : 0; time < 5; time++) assert.equal((await start(client, phone)).status, 200)
      const refused = await start(client, phone)
      assert.equal(codeOfAnswer(refused), 'rate_limited')
      const waitS = Number(refused.headers['retry-after'])
      assert.ok(waitS > 500 && waitS <= 600, `${waitS}`)
      assert.equal(codeOfAnswer(await start(client, phone, 'signup')), 'rate_limited', 'the purpose makes no difference')
      assert.equal((await start(stranger(), phone)).status, 200, 'another network has its own')
    }
  })

  it('codes sent to one phone from all networks are twenty an hour, except where its owner has signed in', async () => {
    const home = stranger()
    const owner = await signUp(home, { phone: newLivePhone(), codeOf: handsets.codeOf })
    const statuses: number[] = []
    for (let time = 0; time < 21; time++) statuses.push((await start(stranger(), owner.phone)).status)
    // The code of the sign-up was the first of the twenty.
    assert.deepEqual(statuses, [...Array.from({ length: 19 }, () => 200), 429, 429])
    for (let time = 0; time < 4; time++) assert.equal((await start(home, owner.phone)).status, 200)
    assert.equal((await start(home, owner.phone)).status, 429)
  })

  it('codes sent from one IPv6 /48 are 200 an hour however many of its addresses ask, and other networks are served', async () => {
    let [attacker, honest] = [0, 0]
    for (let index = 0; index < 400; index++) {
      const address = `2001:db8:7:${(index * 157).toString(16)}::1`
      const { status } = await start(server.anybody.with({ 'x-forwarded-for': address }), newLivePhone())
      if (status === 200) attacker++
      else assert.equal(status, 429)
      if (index % 40 === 39 && (await start(stranger(), newLivePhone())).status === 200) honest++
    }
    assert.ok(attacker <= 202, `${attacker}`)
    assert.equal(honest, 10)
  })

  it('codes sent to a country that is not served are refused by name', async () => {
    const refused = await start(stranger(), '+33612345678')
    assert.deepEqual([refused.status, refused.body.code, refused.body.param], [400, 'unsupported_country', 'phone'])
  })

  it('codes sent from one address are twenty an hour, to any phone', async () => {
    const client = stranger()
    const statuses: number[] = []
    for (let time = 0; time < 22; time++) statuses.push((await start(client, newLivePhone())).status)
    assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 200), 429, 429])
    assert.equal((await start(stranger(), newLivePhone())).status, 200)
    assert.equal((await start(client, newTestPhone())).status, 200, 'test phones are exempt')
  })

  it('codes sent to test phones have neither limit', async () => {
    const client = stranger()
    const phone = newTestPhone()
    for (let time = 0; time < 25; time++) assert.equal((await start(client, phone)).status, 200)
  })
})

describe('a challenge', () => {
  it('a challenge belongs to the address that started it: wrong codes without its id from elsewhere leave it as it was', async () => {
    const [home, abroad] = [stranger(), stranger()]
    const owner = await signUp(home, { phone: newLivePhone(), codeOf: handsets.codeOf })
    await start(home, owner.phone)
    const code = await handsets.codeOf(owner.phone)
    for (let time = 0; time < 6; time++) assert.equal(codeOfAnswer(await verify(abroad, owner.phone, '999999')), 'otp_expired')
    await start(abroad, owner.phone)
    for (let time = 0; time < 5; time++) await verify(abroad, owner.phone, code === '999999' ? '888888' : '999999')
    assert.equal((await verify(home, owner.phone, code)).status, 200)
  })

  it('a challenge is found by its id from any address', async () => {
    const phone = newLivePhone()
    const started = await start(stranger(), phone, 'signup')
    const answer = await verify(stranger(), phone, await handsets.codeOf(phone), 'signup', started.body.challenge_id)
    assert.equal(answer.status, 200, answer.text)
  })
})

describe('a stranger learns nothing', () => {
  it('a stranger learns nothing of a phone by asking for a code', async () => {
    const person = await signUp(server.anybody)
    for (const purpose of ['signup', 'login']) {
      const [known, unknown] = await Promise.all([
        start(server.anybody, person.phone, purpose),
        start(server.anybody, newTestPhone(), purpose),
      ])
      const { challenge_id: one, ...knownRest } = known?.body ?? {}
      const { challenge_id: other, ...unknownRest } = unknown?.body ?? {}
      assert.deepEqual(knownRest, unknownRest)
      assert.equal(String(one).length, String(other).length)
      assert.deepEqual(Object.keys(known?.headers ?? {}), Object.keys(unknown?.headers ?? {}))
    }
  })

  it('a stranger learns nothing of a phone by a wrong code, and only by the right one whether it has a wallet', async () => {
    const person = await signUp(server.anybody)
    const unknown = newTestPhone()
    const rows = [
      { phone: person.phone, purpose: 'signup', then: 'phone_taken' },
      { phone: unknown, purpose: 'login', then: 'wallet_not_found' },
    ]
    for (const { phone, purpose, then } of rows) {
      await start(server.anybody, phone, purpose)
      assert.deepEqual((await verify(server.anybody, phone, '999999', purpose)).body, (await verifyOfNobody(purpose)).body)
      assert.equal(codeOfAnswer(await verify(server.anybody, phone, TEST_OTP, purpose)), then)
    }

    async function verifyOfNobody(purpose: string): Promise<Answer> {
      const phone = newTestPhone()
      await start(server.anybody, phone, purpose)
      return verify(server.anybody, phone, '999999', purpose)
    }
  })

  it('a stranger learns nothing of a phone by a refresh, and cannot use up its tries', async () => {
    const person = await signUp(server.anybody)
    const answers: Answer[] = []
    for (const more of [
      { phone: newTestPhone() },
      { device_id: 'other' },
      { device_token: 'device_other' },
      { pin: '0001', device_token: 'x' },
    ]) {
      for (let time = 0; time < 6; time++) answers.push(await refresh(server.anybody, person, more))
    }
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
    assert.equal(codeOfAnswer(answers[0] as Answer), 'device_not_registered')
    assert.equal((await refresh(server.anybody, person)).status, 200, 'none of that counted against the PIN')
  })
})

describe('the time that an answer takes', () => {
  const PAIRS = 150
  /** As often as that one of two alike is the slower one, or less often, five times in ten million. */
  const BY_CHANCE = 30

  /**
   * Whether the two can be distinguished: one takes longer by a millisecond at the median, and is the slower one of most pairs.
   * They are asked in turn; a busy machine moves medians, but has no favourite in a pair.
   */
  async function areToldApart(one: () => Promise<Answer>, other: () => Promise<Answer>): Promise<string | null> {
    const times: [number[], number[]] = [[], []]
    let slower = 0
    for (let pair = 0; pair < PAIRS; pair++) {
      for (const [index, ask] of [one, other].entries()) {
        const startedMs = performance.now()
        await ask()
        times[index as 0 | 1].push(performance.now() - startedMs)
      }
      if ((times[0][pair] ?? 0) > (times[1][pair] ?? 0)) slower++
    }
    const [first = 0, second = 0] = times.map((all) => all.sort((less, more) => less - more)[PAIRS / 2])
    const isApart = Math.abs(first - second) >= 1 && Math.abs(slower - PAIRS / 2) > BY_CHANCE
    return isApart ? `${first} ms and ${second} ms, the first was slower ${slower} of ${PAIRS} times` : null
  }

  it('the time that an answer takes does not show whether the phone has a wallet', async () => {
    const person = await signUp(server.anybody)
    const device = { device_id: 'x', device_token: 'device_x', pin: PIN }
    const ways: readonly ((phone: string) => Promise<Answer>)[] = [
      (phone) => start(server.anybody, phone),
      (phone) => verify(server.anybody, phone, '999999'),
      (phone) => server.anybody.post('/v1/auth/refresh', { phone, ...device }),
    ]
    for (const way of ways) {
      assert.equal(
        await areToldApart(
          () => way(person.phone),
          () => way(newTestPhone()),
        ),
        null,
      )
    }
  })
})

describe('a refresh', () => {
  it('a refresh takes phone, PIN and device, and gives a session without the user', async () => {
    const person = await signUp(server.anybody)
    const { body } = await ok(refresh(server.anybody, person))
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'device_token'])
    assert.equal(body.device_token, person.deviceToken)
    assert.equal((await bearer(server.anybody, String(body.access_token)).get('/v1/me')).body.phone, person.phone)
    assert.equal((await person.client.get('/v1/me')).status, 200, 'the token before is good for its hour')
  })

  it('a refresh counts wrong PINs and is locked with them', async () => {
    const person = await signUp(server.anybody)
    const tries: Answer[] = []
    for (let time = 0; time < 6; time++) tries.push(await refresh(server.anybody, person, { pin: '1357' }))
    assert.deepEqual(
      tries.map((answer) => answer.body.attempts_left ?? answer.status),
      [4, 3, 2, 1, 423, 423],
    )
    const locked = await refresh(server.anybody, person)
    assert.equal(locked.status, 423)
    assert.ok(Number(locked.headers['retry-after']) > 890)
    const login = bearer(server.anybody, await showCode(server.anybody, person.phone, 'login'))
    const { status } = await login.post('/v1/auth/pin/verify', { pin: PIN, device: { id: 'x' } })
    assert.equal(status, 423, 'the lock of a device locks every use without a registered device')
  })

  it('a refresh passes the lock that a stranger with codes of the phone has caused', async () => {
    const person = await signUp(server.anybody)
    const login = bearer(server.anybody, await showCode(server.anybody, person.phone, 'login'))
    const tries: number[] = []
    for (let time = 0; time < 5; time++) {
      tries.push((await login.post('/v1/auth/pin/verify', { pin: '1357', device: { id: person.deviceId } })).status)
    }
    assert.deepEqual(tries, [401, 401, 401, 401, 423])
    assert.equal((await refresh(server.anybody, person)).status, 200)
    const changed = await person.client.post('/v1/me/pin/change', { pin: PIN, new_pin: '8264' })
    assert.equal(changed.status, 200, changed.text)
  })

  it('a refresh does not take a device of another wallet', async () => {
    const [awa, kofi] = [await signUp(server.anybody), await signUp(server.anybody)]
    const mixed = await refresh(server.anybody, awa, { device_id: kofi.deviceId, device_token: kofi.deviceToken })
    assert.equal(codeOfAnswer(mixed), 'device_not_registered')
  })

  it('a refresh takes the token of the last registration of a device', async () => {
    const person = await signUp(server.anybody)
    const again = await logIn(server.anybody, person.phone, PIN, person.deviceId)
    assert.equal(codeOfAnswer(await refresh(server.anybody, person)), 'device_not_registered')
    assert.equal((await refresh(server.anybody, again)).status, 200)
    assert.equal(codeOfAnswer(await person.client.get('/v1/me')), 'unauthorized')
  })
})
