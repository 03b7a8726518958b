// The wallet's own money over real HTTP: who gets in, statements, devices, PIN change, logout.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Answer, Client } from '../../../support/client.ts'
import { type Merchant, newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { bearer, codeOfAnswer, logIn, ok, type Person, PIN, signUp } from '../../../support/wallet-callers.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  merchant = await server.fundedMerchant(1_000_000)
})

async function funded(amount: number): Promise<Person> {
  const person = await signUp(server.anybody)
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: person.tag, amount }))
  return person
}

function transfer(client: Client, json: object, headers: Readonly<Record<string, string>> = newKey()): Promise<Answer> {
  return client.post('/v1/me/transfers', { amount: 100, pin: PIN, ...json }, headers)
}

describe('every wallet route', () => {
  const routes = [
    ['GET', '/v1/me'],
    ['GET', '/v1/me/balance'],
    ['GET', '/v1/me/transactions'],
    ['GET', '/v1/me/devices'],
    ['DELETE', '/v1/me/devices/x'],
    ['PUT', '/v1/me/devices/x/push-token'],
    ['POST', '/v1/me/transfers'],
    ['POST', '/v1/me/pin/change'],
    ['POST', '/v1/me/logout'],
  ] as const

  it('every wallet route answers the same 401 to requests without credentials, to keys, to the operator and to nonsense', async () => {
    const callers = [
      server.anybody,
      merchant.test,
      server.operator,
      bearer(server.anybody, 'nonsense'),
      bearer(server.anybody, 'eyJhbGciOiJub25lIn0.e30.'),
      server.anybody.with({ authorization: 'Basic YTpi' }),
    ]
    for (const [method, path] of routes) {
      const answers = await Promise.all(callers.map((client) => client.request(method, path)))
      for (const { status, body } of answers) assert.deepEqual([status, body.code], [401, 'unauthorized'], path)
      assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
    }
  })

  it('every wallet route asks who is calling before it looks at anything else', async () => {
    assert.equal((await server.anybody.get('/v1/me/transactions?limit=0&nonsense=1')).status, 401)
    assert.equal((await server.anybody.request('POST', '/v1/me/transfers', { body: '{' })).status, 401)
    const forged = bearer(server.anybody, `${(await signUp(server.anybody)).accessToken.slice(0, -4)}AAAA`)
    assert.equal((await forged.get('/v1/me/transactions?limit=0')).status, 401)
    assert.equal((await forged.request('POST', '/v1/me/transfers', { body: '{' })).status, 401)
  })

  it('every wallet route refuses the whole request for a token that comes with a key pair’s routes', async () => {
    const person = await signUp(server.anybody)
    assert.equal((await person.client.get('/v1/biz/balance')).status, 401)
    assert.equal((await person.client.get('/v1/operator/audit')).status, 401)
  })
})

describe('push tokens', () => {
  it('a push token is stored for a device of the wallet, and for no other', async () => {
    const person = await signUp(server.anybody)
    const put = (id: string, json: object) => person.client.request('PUT', `/v1/me/devices/${id}/push-token`, { json })
    const token = { provider: 'fcm', token: 'dGVzdA:APA91b' }
    for (const time of ['first', 'again']) {
      const { status, body } = await put(person.deviceId, token)
      assert.deepEqual([status, body], [200, { id: person.deviceId, provider: 'fcm' }], time)
    }
    assert.equal((await put('other', token)).status, 404)
    for (const json of [
      { provider: 'fcm' },
      { ...token, token: '' },
      { ...token, provider: 'a\nb' },
      { ...token, token: 'x'.repeat(2049) },
    ]) {
      assert.equal((await put(person.deviceId, json)).status, 400)
    }
  })
})

describe('statements', () => {
  it('statements hold what came from merchants and the operator too, page by page and as CSV', async () => {
    const person = await funded(1000)
    await ok(merchant.test.post('/v1/biz/payouts', { recipient: person.tag, amount: 20, reference: 'PAIE-1' }, newKey()))
    const { body } = await ok(
      person.client.get<{ data: { type: string; counterparty: string | null }[]; next_cursor: string }>('/v1/me/transactions?limit=1'),
    )
    assert.deepEqual(
      body.data.map(({ type, counterparty }) => [type, counterparty]),
      [['payout', 'Boutique']],
    )
    const next = await ok(person.client.get<{ data: { type: string }[] }>(`/v1/me/transactions?limit=1&cursor=${body.next_cursor}`))
    assert.deepEqual(
      next.body.data.map(({ type }) => type),
      ['deposit'],
    )
    const filtered = await ok(person.client.get<{ data: object[] }>('/v1/me/transactions?reference=PAIE-1'))
    assert.equal(filtered.body.data.length, 1)
    const csv = await person.client.get('/v1/me/transactions', { headers: { accept: 'text/csv' } })
    assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
    assert.equal(csv.text.trim().split('\r\n').length, 3)
  })

  it('statements show no lines of other wallets', async () => {
    const person = await signUp(server.anybody)
    assert.deepEqual((await person.client.get('/v1/me/transactions')).body, { data: [], has_more: false, next_cursor: null })
  })

  it('statements know no parameter that is not theirs', async () => {
    const { client } = await signUp(server.anybody)
    for (const query of ['nonsense=1', 'limit=0', 'limit=101', 'cursor=x', 'type=gift', 'created_from=yesterday']) {
      assert.equal(codeOfAnswer(await client.get(`/v1/me/transactions?${query}`)), 'invalid_parameter', query)
    }
  })
})

describe('devices', () => {
  interface Listed {
    readonly id: string
    readonly current: boolean
  }

  it('devices are listed newest first, page by page, and say which one asks', async () => {
    const first = await signUp(server.anybody)
    const second = await logIn(server.anybody, first.phone, PIN)
    const { body } = await ok(first.client.get<{ data: Listed[] }>('/v1/me/devices'))
    assert.deepEqual(
      body.data.map(({ id, current }) => [id, current]),
      [
        [second.deviceId, false],
        [first.deviceId, true],
      ],
    )
    assert.deepEqual(Object.keys(body.data[0] ?? {}).sort(), ['created_at', 'current', 'id', 'name', 'platform'])
    const page = await ok(first.client.get<{ data: Listed[]; next_cursor: string }>('/v1/me/devices?limit=1'))
    const next = await ok(first.client.get<{ data: Listed[] }>(`/v1/me/devices?limit=1&cursor=${page.body.next_cursor}`))
    assert.deepEqual(
      next.body.data.map(({ id }) => id),
      [first.deviceId],
    )
  })

  it('devices once deleted are signed out at once and cannot refresh', async () => {
    const first = await signUp(server.anybody)
    const second = await logIn(server.anybody, first.phone, PIN)
    const { body } = await ok(first.client.request('DELETE', `/v1/me/devices/${second.deviceId}`))
    assert.deepEqual(body, { id: second.deviceId, deleted: true })
    assert.equal((await second.client.get('/v1/me')).status, 401)
    const { phone, deviceId: device_id, deviceToken: device_token } = second
    assert.equal(
      codeOfAnswer(await server.anybody.post('/v1/auth/refresh', { phone, pin: PIN, device_id, device_token })),
      'device_not_registered',
    )
    assert.equal((await first.client.get('/v1/me')).status, 200)
    assert.equal(codeOfAnswer(await first.client.request('DELETE', `/v1/me/devices/${second.deviceId}`)), 'not_found')
    await ok(first.client.request('DELETE', `/v1/me/devices/${first.deviceId}`))
    assert.equal((await first.client.get('/v1/me')).status, 401)
  })

  it('devices may have names with slashes and accents', async () => {
    const first = await signUp(server.anybody)
    const id = 'téléphone/d’Awa 100%'
    await logIn(server.anybody, first.phone, PIN, id)
    assert.equal((await first.client.request('DELETE', `/v1/me/devices/${encodeURIComponent(id)}`)).status, 200)
  })

  it('devices of another wallet are not found', async () => {
    const [awa, kofi] = [await signUp(server.anybody), await signUp(server.anybody)]
    assert.equal(codeOfAnswer(await awa.client.request('DELETE', `/v1/me/devices/${kofi.deviceId}`)), 'not_found')
  })
})

describe('a PIN change', () => {
  it('a PIN change takes the old PIN, ends other sessions, and the new PIN is the PIN', async () => {
    const first = await funded(1000)
    const second = await logIn(server.anybody, first.phone, PIN)
    const change = (json: object) => first.client.post('/v1/me/pin/change', { pin: PIN, new_pin: '8264', ...json })
    assert.equal((await change({ pin: '1357' })).body.attempts_left, 4)
    assert.equal(codeOfAnswer(await change({ new_pin: '4321' })), 'weak_pin')
    assert.deepEqual((await ok(change({}))).body, { ok: true })
    assert.equal((await first.client.get('/v1/me')).status, 200)
    assert.equal((await second.client.get('/v1/me')).status, 401)
    const { phone, deviceId: device_id, deviceToken: device_token } = second
    const refresh = (pin: string) => server.anybody.post('/v1/auth/refresh', { phone, pin, device_id, device_token })
    assert.equal(codeOfAnswer(await refresh(PIN)), 'pin_incorrect')
    assert.equal((await refresh('8264')).status, 200)
    const kofi = await signUp(server.anybody)
    assert.equal(codeOfAnswer(await transfer(first.client, { recipient: kofi.tag })), 'pin_incorrect')
    assert.equal((await transfer(first.client, { recipient: kofi.tag, pin: '8264' })).status, 201)
  })

  it('a PIN change under a key happens once', async () => {
    const { client } = await signUp(server.anybody)
    const key = newKey()
    const change = () => client.post('/v1/me/pin/change', { pin: PIN, new_pin: '8264' }, key)
    await ok(change())
    const again = await change()
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
  })

  it('a PIN change works for test wallets too: 2580 is the old PIN', async () => {
    const tag = newTag()
    const { body } = await ok(merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag }))
    const person = await logIn(server.anybody, body.phone, '2580')
    await ok(person.client.post('/v1/me/pin/change', { pin: '2580', new_pin: '8264' }))
    assert.equal((await logIn(server.anybody, body.phone, '8264')).tag, tag)
  })
})

describe('a logout', () => {
  it('a logout ends the session of this device; phone, PIN and device open the next', async () => {
    const first = await signUp(server.anybody)
    const second = await logIn(server.anybody, first.phone, PIN)
    assert.deepEqual((await ok(first.client.post('/v1/me/logout', {}))).body, { ok: true })
    assert.equal((await first.client.get('/v1/me')).status, 401)
    assert.equal((await second.client.get('/v1/me')).status, 200)
    const { phone, deviceId: device_id, deviceToken: device_token } = first
    const { body } = await ok(
      server.anybody.post<{ access_token: string }>('/v1/auth/refresh', { phone, pin: PIN, device_id, device_token }),
    )
    assert.equal((await bearer(server.anybody, body.access_token).get('/v1/me')).status, 200)
    assert.equal((await first.client.get('/v1/me')).status, 401, 'the token before stays revoked')
  })

  it('a logout at the same moment as others: one ends it, the others had no session any more', async () => {
    const person = await signUp(server.anybody)
    const answers = await Promise.all(Array.from({ length: 5 }, () => person.client.request('POST', '/v1/me/logout')))
    assert.ok(answers.some(({ status }) => status === 200))
    assert.ok(answers.every(({ status }) => status === 200 || status === 401))
    assert.equal((await person.client.get('/v1/me')).status, 401)
  })
})
