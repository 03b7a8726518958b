// The wallet's own money over real HTTP: balance, statements, transfers with PIN and key, devices, PIN change, logout.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer, Client } from '../e2e/client.ts'
import { type Merchant, newKey, newTag, TestHouse } from '../e2e/house.ts'
import { bearer, codeOfAnswer, logIn, ok, type Person, PIN, signUp } from './people.ts'

let house: TestHouse
let merchant: Merchant

before(async () => {
  house = await TestHouse.open()
  merchant = await house.fundedMerchant(1_000_000)
})

after(() => house.close())

async function funded(amount: number): Promise<Person> {
  const person = await signUp(house.anybody)
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: person.tag, amount }))
  return person
}

function transfer(client: Client, json: object, headers: Readonly<Record<string, string>> = newKey()): Promise<Answer> {
  return client.post('/v1/me/transfers', { amount: 100, pin: PIN, ...json }, headers)
}

async function balanceOf({ client }: Person): Promise<unknown> {
  return (await ok(client.get('/v1/me/balance'))).body.available
}

describe('every wallet route', () => {
  const routes = [
    ['GET', '/v1/me'],
    ['GET', '/v1/me/balance'],
    ['GET', '/v1/me/transactions'],
    ['GET', '/v1/me/devices'],
    ['DELETE', '/v1/me/devices/x'],
    ['POST', '/v1/me/transfers'],
    ['POST', '/v1/me/pin/change'],
    ['POST', '/v1/me/logout'],
  ] as const

  it('answers 401 the same to nobody, to keys, to the operator and to nonsense', async () => {
    const callers = [
      house.anybody,
      merchant.test,
      house.operator,
      bearer(house.anybody, 'nonsense'),
      bearer(house.anybody, 'eyJhbGciOiJub25lIn0.e30.'),
      house.anybody.with({ authorization: 'Basic YTpi' }),
    ]
    for (const [method, path] of routes) {
      const answers = await Promise.all(callers.map((client) => client.request(method, path)))
      for (const { status, body } of answers) assert.deepEqual([status, body.code], [401, 'unauthorized'], path)
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    }
  })

  it('asks who is calling before it looks at anything else', async () => {
    assert.equal((await house.anybody.get('/v1/me/transactions?limit=0&nonsense=1')).status, 401)
    assert.equal((await house.anybody.request('POST', '/v1/me/transfers', { body: '{' })).status, 401)
    const forged = bearer(house.anybody, `${(await signUp(house.anybody)).accessToken.slice(0, -4)}AAAA`)
    assert.equal((await forged.get('/v1/me/transactions?limit=0')).status, 401)
    assert.equal((await forged.request('POST', '/v1/me/transfers', { body: '{' })).status, 401)
  })

  it('refuses the whole request for a token that comes with a key pair’s routes', async () => {
    const person = await signUp(house.anybody)
    assert.equal((await person.client.get('/v1/biz/balance')).status, 401)
    assert.equal((await person.client.get('/v1/operator/audit')).status, 401)
  })
})

describe('a transfer', () => {
  it('moves money and shows on both statements', async () => {
    const [awa, kofi] = [await funded(5000), await signUp(house.anybody)]
    const { status, body } = await transfer(awa.client, { recipient: `@${kofi.tag.toUpperCase()}`, amount: 1500, note: 'Pour le taxi' })
    assert.equal(status, 201)
    const { transaction_id, created_at, ...rest } = body
    assert.deepEqual(rest, { recipient: kofi.tag, amount: 1500, currency: 'XOF', note: 'Pour le taxi', balance_after: 3500 })
    assert.deepEqual([await balanceOf(awa), await balanceOf(kofi)], [3500, 1500])
    const lines = await Promise.all(
      [awa, kofi].map(async ({ client }) => (await client.get<{ data: object[] }>('/v1/me/transactions?type=transfer')).body.data),
    )
    const line = {
      id: transaction_id,
      type: 'transfer',
      currency: 'XOF',
      reference: '',
      charge_id: null,
      payout_id: null,
      batch_id: null,
      created_at,
    }
    assert.deepEqual(lines, [
      [{ ...line, amount: -1500, balance_after: 3500, counterparty: kofi.tag }],
      [{ ...line, amount: 1500, balance_after: 1500, counterparty: awa.tag }],
    ])
  })

  it('needs a key, an amount, a recipient and a PIN in the right form', async () => {
    const { client } = await funded(1000)
    const rows: readonly { json: object; headers?: Record<string, string>; then: readonly [number, string, string?] }[] = [
      { json: { recipient: 'awa' }, headers: {}, then: [400, 'idempotency_key_required'] },
      { json: {}, then: [400, 'invalid_request', 'recipient'] },
      { json: { recipient: 'a b' }, then: [400, 'invalid_recipient', 'recipient'] },
      { json: { recipient: 'awa', amount: 0 }, then: [400, 'invalid_request', 'amount'] },
      { json: { recipient: 'awa', amount: 1.5 }, then: [400, 'invalid_request', 'amount'] },
      { json: { recipient: 'awa', amount: '100' }, then: [400, 'invalid_request', 'amount'] },
      { json: { recipient: 'awa', pin: '73' }, then: [400, 'invalid_request', 'pin'] },
      { json: { recipient: 'awa', pin: 7391 }, then: [400, 'invalid_request', 'pin'] },
      { json: { recipient: 'awa', note: 'n'.repeat(501) }, then: [400, 'invalid_request', 'note'] },
      { json: { recipient: newTag() }, then: [404, 'recipient_not_found', 'recipient'] },
      { json: { recipient: (await signUp(house.anybody)).tag, amount: 1001 }, then: [402, 'insufficient_balance'] },
    ]
    for (const { json, headers, then } of rows) {
      const { status, body } = await transfer(client, json, headers)
      assert.deepEqual([status, body.code, ...(body.param === undefined ? [] : [body.param])], then)
    }
  })

  it('to oneself and to a blocked wallet is refused', async () => {
    const person = await funded(1000)
    assert.equal(codeOfAnswer(await transfer(person.client, { recipient: person.tag })), 'self_transfer')
    const blocked = `test_blocked_${newTag().slice(2, 8)}`
    await ok(merchant.test.post('/v1/biz/test/wallets', { tag: blocked }))
    assert.equal(codeOfAnswer(await transfer(person.client, { recipient: blocked })), 'recipient_blocked')
  })

  it('asks for the PIN before it tells anything of the recipient', async () => {
    const { client } = await funded(1000)
    for (const recipient of [newTag(), (await signUp(house.anybody)).tag]) {
      assert.equal(codeOfAnswer(await transfer(client, { recipient, pin: '1357' })), 'pin_incorrect')
    }
  })

  it('at the same moment with one key: one debit, one answer', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(house.anybody)]
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 30 }, () => transfer(awa.client, { recipient: kofi.tag }, key)))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 29)
    assert.deepEqual([await balanceOf(awa), await balanceOf(kofi)], [900, 100])
  })

  it('at the same moment with many keys: the balance is spent once', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(house.anybody)]
    const answers = await Promise.all(Array.from({ length: 40 }, () => transfer(awa.client, { recipient: kofi.tag })))
    assert.deepEqual(
      [201, 402].map((status) => answers.filter((answer) => answer.status === status).length),
      [10, 30],
    )
    assert.deepEqual([await balanceOf(awa), await balanceOf(kofi)], [0, 1000])
  })
})

describe('a key and the PIN', () => {
  it('a finished key gives its answer without a look at the PIN, and counts nothing', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(house.anybody)]
    const key = newKey()
    const first = await transfer(awa.client, { recipient: kofi.tag }, key)
    for (let time = 0; time < 7; time++) {
      const again = await transfer(awa.client, { recipient: kofi.tag, pin: '1357' }, key)
      assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [201, first.text, 'true'])
    }
    const fresh = await transfer(awa.client, { recipient: kofi.tag, pin: '1357' })
    assert.equal(fresh.body.attempts_left, 4)
    assert.equal(await balanceOf(awa), 900)
  })

  it('a finished key with another request is refused, also while the PIN is locked', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(house.anybody)]
    const key = newKey()
    await transfer(awa.client, { recipient: kofi.tag }, key)
    for (let time = 0; time < 5; time++) await transfer(awa.client, { recipient: kofi.tag, pin: '1357' })
    assert.equal((await transfer(awa.client, { recipient: kofi.tag })).status, 423)
    assert.equal(codeOfAnswer(await transfer(awa.client, { recipient: kofi.tag, amount: 101 }, key)), 'idempotency_key_reused')
    assert.equal((await transfer(awa.client, { recipient: kofi.tag }, key)).status, 201)
  })

  it('a wrong PIN is kept under no key: the right one goes through with the same', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(house.anybody)]
    const key = newKey()
    assert.equal((await transfer(awa.client, { recipient: kofi.tag, pin: '1357' }, key)).status, 401)
    assert.equal((await transfer(awa.client, { recipient: kofi.tag }, key)).status, 201)
  })

  it('a refusal of the ledger is kept, money or not', async () => {
    const [awa, kofi] = [await signUp(house.anybody), await signUp(house.anybody)]
    const key = newKey()
    assert.equal((await transfer(awa.client, { recipient: kofi.tag }, key)).status, 402)
    await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: awa.tag, amount: 1000 }))
    const again = await transfer(awa.client, { recipient: kofi.tag }, key)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [402, 'true'])
  })

  it('keys of two wallets, and of a merchant, never meet', async () => {
    const people = [await funded(1000), await funded(1000)]
    const kofi = await signUp(house.anybody)
    const key = newKey()
    for (const { client } of people) assert.equal((await transfer(client, { recipient: kofi.tag }, key)).status, 201)
    assert.equal((await merchant.test.post('/v1/biz/payouts', { recipient: kofi.tag, amount: 1 }, key)).status, 201)
    assert.equal(await balanceOf(kofi), 201)
  })

  it('ten wrong PINs at the same moment: the fifth locks, no money moves', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(house.anybody)]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => transfer(awa.client, { recipient: kofi.tag, pin: String(2000 + index) })),
    )
    assert.equal(answers.filter((answer) => codeOfAnswer(answer) === 'pin_incorrect').length, 4)
    assert.ok(answers.every((answer) => ['pin_incorrect', 'pin_locked', 'rate_limited'].includes(codeOfAnswer(answer))))
    assert.equal((await transfer(awa.client, { recipient: kofi.tag })).status, 423)
    assert.equal(await balanceOf(awa), 1000)
  })
})

describe('statements', () => {
  it('hold what came from merchants and the house too, page by page and as CSV', async () => {
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

  it('show nobody else’s', async () => {
    const person = await signUp(house.anybody)
    assert.deepEqual((await person.client.get('/v1/me/transactions')).body, { data: [], has_more: false, next_cursor: null })
  })

  it('know no parameter that is not theirs', async () => {
    const { client } = await signUp(house.anybody)
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

  it('are listed newest first, page by page, and say which one asks', async () => {
    const first = await signUp(house.anybody)
    const second = await logIn(house.anybody, first.phone, PIN)
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

  it('once deleted are signed out at once and cannot refresh', async () => {
    const first = await signUp(house.anybody)
    const second = await logIn(house.anybody, first.phone, PIN)
    const { body } = await ok(first.client.request('DELETE', `/v1/me/devices/${second.deviceId}`))
    assert.deepEqual(body, { id: second.deviceId, deleted: true })
    assert.equal((await second.client.get('/v1/me')).status, 401)
    const { phone, deviceId: device_id, deviceToken: device_token } = second
    assert.equal(
      codeOfAnswer(await house.anybody.post('/v1/auth/refresh', { phone, pin: PIN, device_id, device_token })),
      'device_not_registered',
    )
    assert.equal((await first.client.get('/v1/me')).status, 200)
    assert.equal(codeOfAnswer(await first.client.request('DELETE', `/v1/me/devices/${second.deviceId}`)), 'not_found')
    await ok(first.client.request('DELETE', `/v1/me/devices/${first.deviceId}`))
    assert.equal((await first.client.get('/v1/me')).status, 401)
  })

  it('may have names with slashes and accents', async () => {
    const first = await signUp(house.anybody)
    const id = 'téléphone/d’Awa 100%'
    await logIn(house.anybody, first.phone, PIN, id)
    assert.equal((await first.client.request('DELETE', `/v1/me/devices/${encodeURIComponent(id)}`)).status, 200)
  })

  it('of somebody else are not there', async () => {
    const [awa, kofi] = [await signUp(house.anybody), await signUp(house.anybody)]
    assert.equal(codeOfAnswer(await awa.client.request('DELETE', `/v1/me/devices/${kofi.deviceId}`)), 'not_found')
  })
})

describe('a PIN change', () => {
  it('takes the old PIN, ends other sessions, and the new PIN is the PIN', async () => {
    const first = await funded(1000)
    const second = await logIn(house.anybody, first.phone, PIN)
    const change = (json: object) => first.client.post('/v1/me/pin/change', { pin: PIN, new_pin: '8264', ...json })
    assert.equal((await change({ pin: '1357' })).body.attempts_left, 4)
    assert.equal(codeOfAnswer(await change({ new_pin: '4321' })), 'weak_pin')
    assert.deepEqual((await ok(change({}))).body, { ok: true })
    assert.equal((await first.client.get('/v1/me')).status, 200)
    assert.equal((await second.client.get('/v1/me')).status, 401)
    const { phone, deviceId: device_id, deviceToken: device_token } = second
    const refresh = (pin: string) => house.anybody.post('/v1/auth/refresh', { phone, pin, device_id, device_token })
    assert.equal(codeOfAnswer(await refresh(PIN)), 'pin_incorrect')
    assert.equal((await refresh('8264')).status, 200)
    const kofi = await signUp(house.anybody)
    assert.equal(codeOfAnswer(await transfer(first.client, { recipient: kofi.tag })), 'pin_incorrect')
    assert.equal((await transfer(first.client, { recipient: kofi.tag, pin: '8264' })).status, 201)
  })

  it('under a key happens once', async () => {
    const { client } = await signUp(house.anybody)
    const key = newKey()
    const change = () => client.post('/v1/me/pin/change', { pin: PIN, new_pin: '8264' }, key)
    await ok(change())
    const again = await change()
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
  })

  it('works for test wallets too: 2580 is the old PIN', async () => {
    const tag = newTag()
    const { body } = await ok(merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag }))
    const person = await logIn(house.anybody, body.phone, '2580')
    await ok(person.client.post('/v1/me/pin/change', { pin: '2580', new_pin: '8264' }))
    assert.equal((await logIn(house.anybody, body.phone, '8264')).tag, tag)
  })
})

describe('a logout', () => {
  it('ends the session of this device; phone, PIN and device open the next', async () => {
    const first = await signUp(house.anybody)
    const second = await logIn(house.anybody, first.phone, PIN)
    assert.deepEqual((await ok(first.client.post('/v1/me/logout', {}))).body, { ok: true })
    assert.equal((await first.client.get('/v1/me')).status, 401)
    assert.equal((await second.client.get('/v1/me')).status, 200)
    const { phone, deviceId: device_id, deviceToken: device_token } = first
    const { body } = await ok(
      house.anybody.post<{ access_token: string }>('/v1/auth/refresh', { phone, pin: PIN, device_id, device_token }),
    )
    assert.equal((await bearer(house.anybody, body.access_token).get('/v1/me')).status, 200)
    assert.equal((await first.client.get('/v1/me')).status, 401, 'the token before stays revoked')
  })

  it('at the same moment as others: one ends it, the others had no session any more', async () => {
    const person = await signUp(house.anybody)
    const answers = await Promise.all(Array.from({ length: 5 }, () => person.client.request('POST', '/v1/me/logout')))
    assert.ok(answers.some(({ status }) => status === 200))
    assert.ok(answers.every(({ status }) => status === 200 || status === 401))
    assert.equal((await person.client.get('/v1/me')).status, 401)
  })
})
