// Requests of the client under faults: what is retried, under which key, and which error a rejection becomes.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { keysOf, openClient, sdk } from '../../support/built-client.ts'
import { type Deed, FaultyHttpProxy } from '../../support/faulty-http-proxy.ts'
import { type Merchant, newTag, type TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'

let server: TestServer
let proxy: FaultyHttpProxy
let merchant: Merchant
let tag: string

before(async () => {
  server = await sharedServer()
  proxy = await FaultyHttpProxy.start(server.process.port)
  merchant = await server.fundedMerchant(1_000_000)
  tag = await server.wallet(merchant)
})

after(async () => {
  await proxy.close()
})

beforeEach(() => {
  proxy.deeds = []
  proxy.seen.length = 0
})

const throughProxy = (more: object = {}) => openClient(server, merchant, { baseUrl: proxy.url, ...more })

async function paidTo(recipient: string): Promise<number> {
  const { body } = await merchant.test.get<{ data: { amount: number }[] }>(`/v1/biz/payouts?recipient=${recipient}&state=paid`)
  return body.data.length
}

const BUSY = JSON.stringify({ code: 'rate_limited', message: 'Trop de requêtes.' })
const AWAY = JSON.stringify({ code: 'unavailable', message: 'Indisponible.' })

const FAULTS: Readonly<Record<string, readonly Deed[]>> = {
  '429 with Retry-After': [{ status: 429, headers: { 'Retry-After': '0' }, body: BUSY }],
  '503 twice': [
    { status: 503, headers: { 'Retry-After': '0' }, body: AWAY },
    { status: 503, body: AWAY },
  ],
  'a connection that is cut before the service gets the request': ['cut-before'],
  'a connection that is cut after the service has paid': ['cut-after'],
  'an answer that is cut in its middle': ['cut-within'],
  'a failure of the service with 500': [{ status: 500, body: JSON.stringify({ code: 'internal_error', message: 'Erreur.' }) }],
  '502 and 504 with an ErrorBody, as nginx sends them': [
    { status: 502, body: AWAY },
    { status: 504, body: AWAY },
  ],
  'a success that is a page of another server': [{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Welcome</h1>' }],
  'a success without a body': [{ status: 200, body: '' }],
  'a success that is no object': [{ status: 201, body: 'null' }],
  'a page of a proxy with 502': [{ status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad Gateway</h1>' }],
  'all of them one after the other': ['cut-after', 'cut-before', { status: 503, body: AWAY }, 'cut-within', { status: 504, body: '' }],
}

for (const [fault, deeds] of Object.entries(FAULTS)) {
  test(`a payout is paid once, under one key, over ${fault}`, async () => {
    const recipient = await server.wallet(merchant)
    const client = await throughProxy()
    proxy.deeds = [...deeds]
    const payout = await client.payouts.create({ recipient, amount: 10 })
    assert.equal(payout.state, 'paid')
    assert.equal(await paidTo(recipient), 1)
    assert.equal(proxy.seen.length, deeds.length + 1)
    const [key, ...others] = new Set(proxy.sent('idempotency-key'))
    assert.match(String(key), /^[0-9a-f-]{36}$/)
    assert.deepEqual(others, [])
  })
}

test('redirects are errors that name the address: the keys go to no other address, and nothing is paid', async () => {
  const elsewhere = await FaultyHttpProxy.start(server.process.port)
  const client = await throughProxy()
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `${elsewhere.url}/v1/biz/payouts`
    proxy.deeds = [{ status, headers: { Location: location } }]
    await assert.rejects(client.payouts.create({ recipient: tag, amount: 10 }, { idempotencyKey: `moved-${status}` }), {
      ...{ name: 'RedirectError', status, code: `http_${status}`, location, idempotencyKey: `moved-${status}` },
      message: `${proxy.url}/v1/biz/payouts redirects to ${location}; redirects are not followed: set baseUrl to the address of the service itself`,
    })
  }
  // Of the service itself, and one that does not say where to.
  proxy.deeds = [{ status: 308, headers: { Location: '/v2' } }, { status: 302 }]
  await assert.rejects(client.balance(), { location: `${proxy.url}/v2` })
  await assert.rejects(client.balance(), { location: null })
  assert.equal(proxy.seen.length, 7)
  assert.deepEqual(elsewhere.seen, [])
  await elsewhere.close()
})

test('hooks see each attempt with its answer or its error, and no secret', async () => {
  const keys = await keysOf(server, merchant)
  const seen: Record<string, unknown>[] = []
  const onRequest = (request: object): unknown => seen.push({ on: 'request', ...request })
  const onResponse = (response: object): unknown => seen.push({ on: 'response', ...response })
  const client = await throughProxy({ ...keys, onRequest, onResponse })
  proxy.deeds = [{ status: 503, headers: { 'X-Request-Id': 'busy-1' }, body: AWAY }, 'cut-before']
  await client.payouts.create({ recipient: tag, amount: 10 }, { idempotencyKey: 'hooked-1' })
  assert.deepEqual(
    seen.map(({ on, method, path, attempt, idempotencyKey, status, error }) => [
      ...[on, method, path, attempt, idempotencyKey],
      ...(on === 'request' ? [] : [status, (error as Error | null)?.name ?? null]),
    ]),
    [
      ['request', 'POST', '/v1/biz/payouts', 1, 'hooked-1'],
      ['response', 'POST', '/v1/biz/payouts', 1, 'hooked-1', 503, 'UnavailableError'],
      ['request', 'POST', '/v1/biz/payouts', 2, 'hooked-1'],
      ['response', 'POST', '/v1/biz/payouts', 2, 'hooked-1', null, 'ConnectionError'],
      ['request', 'POST', '/v1/biz/payouts', 3, 'hooked-1'],
      ['response', 'POST', '/v1/biz/payouts', 3, 'hooked-1', 201, null],
    ],
  )
  assert.deepEqual([seen[1]?.requestId, typeof seen[5]?.requestId, typeof seen[5]?.durationMs], ['busy-1', 'string', 'number'])
  assert.doesNotMatch(JSON.stringify(seen), new RegExp(keys.secretKey))
})

test('what a hook throws rejects the call, and is no lost connection that would be tried again', async () => {
  for (const hook of ['onRequest', 'onResponse', 'onAnswer']) {
    const thrown = new TypeError(hook)
    const hooks = { [hook]: () => assert.fail(thrown) }
    const client = await throughProxy(hook === 'onAnswer' ? {} : hooks)
    proxy.seen.length = 0
    await assert.rejects(client.payouts.create({ recipient: tag, amount: 10 }, hooks), thrown)
    assert.equal(proxy.seen.length, hook === 'onRequest' ? 0 : 1, hook)
  }
})

test("the caller's own key is sent, and the head of the answer tells a replay", async () => {
  const client = await throughProxy()
  const heads: { isReplay: boolean; idempotencyKey: string | null; requestId: string | null; status: number }[] = []
  const options = { idempotencyKey: 'prime-2026-11-awa', onAnswer: (head: (typeof heads)[number]) => heads.push(head) }
  const first = await client.payouts.create({ recipient: tag, amount: 10 }, options)
  const again = await client.payouts.create({ recipient: tag, amount: 10 }, options)
  assert.deepEqual(again, first)
  assert.deepEqual(
    heads.map(({ isReplay, idempotencyKey, status }) => [isReplay, idempotencyKey, status]),
    [
      [false, 'prime-2026-11-awa', 201],
      [true, 'prime-2026-11-awa', 201],
    ],
  )
  assert.ok(heads.every(({ requestId }) => requestId !== null))
})

test('Retry-After is the shortest wait, and one that is too long ends the call with its wish', async () => {
  const waits: number[] = []
  const client = await throughProxy({ onRetry: ({ waitMs }: { waitMs: number }) => waits.push(waitMs) })
  proxy.deeds = [{ status: 429, headers: { 'Retry-After': '1' }, body: BUSY }]
  await client.balance()
  assert.equal(waits.length, 1)
  assert.ok((waits[0] as number) >= 1000, `${waits[0]}`)
  proxy.deeds = [{ status: 429, headers: { 'Retry-After': '3600' }, body: BUSY }]
  await assert.rejects(client.balance(), (error: InstanceType<typeof sdk.RateLimitedError>) => {
    assert.ok(error instanceof sdk.RateLimitedError)
    assert.equal(error.retryAfterMs, 3_600_000)
    return true
  })
  assert.equal(waits.length, 1)
})

test('waits grow with jitter up to their ceiling, and end with the retries', async () => {
  const waits: number[] = []
  const retry = { retries: 4, baseMs: 2, ceilingMs: 8 }
  const client = await throughProxy({ retry, onRetry: ({ waitMs }: { waitMs: number }) => waits.push(waitMs) })
  proxy.deeds = Array.from({ length: 5 }, () => ({ status: 503, body: AWAY }))
  await assert.rejects(client.balance(), { name: 'UnavailableError', code: 'unavailable', status: 503 })
  assert.equal(waits.length, 4)
  for (const [index, step] of [2, 4, 8, 8].entries()) {
    const wait = waits[index] as number
    assert.ok(wait >= step / 2 && wait <= step, `${wait} of ${step}`)
  }
})

test('a timeout is a ConnectionError with the key to repeat the request', async () => {
  const silent = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('ended')), 60_000).unref())
  const slow = (_: string, { signal }: { signal: AbortSignal }) =>
    Promise.race([silent, new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))])
  const client = await throughProxy({ fetch: slow, timeoutMs: 20, retry: { retries: 0 } })
  await assert.rejects(client.payouts.create({ recipient: tag, amount: 10 }, { idempotencyKey: 'k-1' }), {
    name: 'ConnectionError',
    isTimeout: true,
    idempotencyKey: 'k-1',
  })
})

test("the caller's signal ends a call and its waits with its own reason", async () => {
  const ending = new AbortController()
  const reason = new Error('closing time')
  const client = await throughProxy({ retry: { baseMs: 60_000 }, onRetry: () => ending.abort(reason) })
  proxy.deeds = ['cut-before']
  await assert.rejects(client.balance({ signal: ending.signal }), reason)
  await assert.rejects(client.balance({ signal: ending.signal }), reason)
})

const REJECTIONS: Readonly<Record<string, readonly [name: string, code: string, call: (client: typeof sdk.Cauri) => Promise<unknown>]>> = {
  'a wrong amount': ['InvalidRequestError', 'invalid_request', (client) => client.payouts.create({ recipient: tag, amount: 0 })],
  'an unknown record': ['NotFoundError', 'not_found', (client) => client.charges.get('019aa0f0-2a00-7b11-8c2d-3e4f50617283')],
  'a state that does not allow it': [
    'ConflictError',
    'charge_not_paid',
    async (client) => client.charges.refund((await client.charges.create({ amount: 5 })).token),
  ],
  'a withdrawal beyond the balance': [
    'InsufficientBalanceError',
    'insufficient_balance',
    (client) => client.withdrawals.create({ amount: 10 ** 12, destination: { kind: 'bank', name: 'Awa', account: 'SN08 0100' } }),
  ],
  'a key of another request': [
    'IdempotencyKeyReusedError',
    'idempotency_key_reused',
    async (client) => {
      const options = { idempotencyKey: `reused-${newTag()}` }
      await client.charges.create({ amount: 5 }, options)
      await client.charges.create({ amount: 6 }, options)
    },
  ],
}

for (const [what, [name, code, call]] of Object.entries(REJECTIONS)) {
  test(`${what} is ${name}, with the code ${code} and the id of the request`, async () => {
    const client = await throughProxy({ language: 'en' })
    await assert.rejects(call(client), (error: InstanceType<typeof sdk.ApiError>) => {
      assert.ok(error instanceof sdk.ApiError && error instanceof sdk.CauriError)
      assert.deepEqual([error.name, error.code, error.is(code)], [name, code, true])
      assert.match(error.requestId, /.+/)
      return true
    })
  })
}

test('wrong keys are an AuthenticationError, and are not tried again', async () => {
  const client = new sdk.Cauri({ baseUrl: proxy.url, publicKey: 'pk_test_x', secretKey: 'sk_test_x' })
  await assert.rejects(client.ping(), { name: 'AuthenticationError', code: 'unauthorized' })
  assert.equal(proxy.seen.length, 1)
})

test('keys that are of the wrong kind are refused, and no message holds one', () => {
  const WRONG = {
    'a public key in the place of the secret': ['pk_test_x', 'pk_test_x', /secretKey is a public key/],
    'a secret in the place of the public key': ['sk_test_x', 'sk_test_x', /publicKey is a secret key/],
    'keys of two environments': ['pk_test_x', 'sk_live_x', /publicKey is a test key, and secretKey a live key/],
    'a line break behind the secret': ['pk_test_x', 'sk_test_x\n', /secretKey has a space, a line break/],
    'a secret with a letter beyond ASCII': ['pk_test_x', 'sk_test_é', /secretKey has a space, a line break/],
  } as const
  for (const [what, [publicKey, secretKey, message]] of Object.entries(WRONG)) {
    assert.throws(
      () => new sdk.Cauri({ baseUrl: 'https://pay.example.com', publicKey, secretKey }),
      (error: Error) => {
        assert.ok(error instanceof TypeError, what)
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /[ps]k_(?:test|live)_./)
        return true
      },
    )
  }
  const keys = { publicKey: 'pk_test_x', secretKey: 'sk_test_x' }
  assert.throws(() => new sdk.Cauri({ baseUrl: 'https://user:word@pay.example.com', ...keys }), /no user name/)
})

test('addresses, keys and ids that cannot be right are refused before a request', async () => {
  const keys = { publicKey: 'pk_live_x', secretKey: 'sk_live_x' }
  assert.throws(() => new sdk.Cauri({ baseUrl: 'http://pay.example.com', ...keys }), TypeError)
  assert.throws(() => new sdk.Cauri({ baseUrl: 'ftp://pay.example.com', ...keys }), TypeError)
  assert.throws(() => new sdk.Cauri({ baseUrl: 'https://pay.example.com', ...keys, secretKey: '' }), TypeError)
  const client = await throughProxy()
  for (const idempotencyKey of ['', ' a', 'é', 'x'.repeat(256)]) {
    await assert.rejects(client.charges.create({ amount: 5 }, { idempotencyKey }), TypeError)
  }
  await assert.rejects(async () => client.charges.get(''), TypeError)
  await assert.rejects(async () => client.charges.get('..'), TypeError)
  assert.equal(proxy.seen.length, 0)
})

test('a list is iterated over its pages, or read page by page', async () => {
  const own = await server.merchant()
  const client = await openClient(server, own)
  for (let count = 0; count < 5; count++) await client.charges.create({ amount: 10 + count })
  const amounts: number[] = []
  for await (const { amount } of client.charges.list({ limit: 2 })) amounts.push(amount)
  assert.deepEqual(amounts, [14, 13, 12, 11, 10])
  const first = await client.charges.list({ limit: 2 }).page()
  assert.deepEqual([first.data.length, first.has_more], [2, true])
  const second = await client.charges.list({ limit: 2, cursor: first.next_cursor }).page()
  assert.deepEqual(
    second.data.map(({ amount }: { amount: number }) => amount),
    [12, 11],
  )
  assert.equal((await client.charges.list({ limit: 2 }).toArray(3)).length, 3)
})
