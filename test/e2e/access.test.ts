// Keys, scopes, environments and the operator, and what every answer has in common. Every wrong caller of every route:
// access-matrix.test.ts.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import type { Answer } from '../support/client.ts'
import { newAjv, OPENAPI_META_SCHEMA } from '../support/json-schema.ts'
import { RawClient } from '../support/raw-client.ts'
import { newKey, type TestServer } from '../support/server-fixture.ts'
import { ownServer, sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

test('ping says who the key is', async () => {
  const merchant = await server.merchant()
  for (const environment of ['test', 'live'] as const) {
    const { status, body } = await merchant[environment].get('/v1/biz/ping')
    assert.equal(status, 200)
    assert.deepEqual(body, { ok: true, merchant_id: merchant.id, environment, scopes: ['disbursements.write', 'billers.write'] })
  }
})

const OPERATOR_ROUTES: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/v1/operator/merchants'],
  ['POST', '/v1/operator/merchants'],
  ['GET', '/v1/operator/merchants/01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f'],
  ['POST', '/v1/operator/merchants/01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f/api-keys'],
  ['POST', '/v1/operator/deposits'],
  ['POST', '/v1/operator/withdrawals'],
  ['GET', '/v1/operator/ledger/trial-balance'],
  ['GET', '/v1/operator/audit'],
]

test('without OPERATOR_TOKEN the operator routes do not exist', async () => {
  const closed = await ownServer({ OPERATOR_TOKEN: undefined })
  try {
    for (const [method, path] of OPERATOR_ROUTES) {
      const { status, body } = await closed.operator.request(method, path, method === 'POST' ? { json: {} } : {})
      assert.equal(status, 404, `${method} ${path}`)
      assert.equal(body.code, 'not_found')
    }
    const other = await fetch(`${closed.process.baseUrl}/v1/operator/merchants`, { method: 'DELETE' })
    assert.deepEqual([other.status, other.headers.get('allow')], [404, null], 'not even as a wrong method')
  } finally {
    await closed.close()
  }
})

test('a key without the scope may read and check, not pay', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  const reader = await server.keyed(merchant.id, 'test', ['billers.write'])
  assert.equal((await reader.get('/v1/biz/payouts')).status, 200)
  assert.equal((await reader.post('/v1/biz/payouts/check-recipient', { recipient: tag })).status, 200)
  const refused = await reader.post('/v1/biz/payouts', { recipient: tag, amount: 1 }, { 'idempotency-key': 'k' })
  assert.equal(refused.status, 403)
  assert.equal(refused.body.code, 'insufficient_scope')
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 1000)
})

test('test helpers are for test keys', async () => {
  const merchant = await server.merchant()
  for (const [path, json] of [
    ['/v1/biz/test/deposits', { amount: 1 }],
    ['/v1/biz/test/wallets', { tag: 'awa_live' }],
  ] as const) {
    const { status, body } = await merchant.live.post(path, json)
    assert.equal(status, 403)
    assert.equal(body.code, 'test_only')
  }
})

test('a caller’s own request id comes back; one that is unfit is replaced', async () => {
  const fit = ['r', 'abc-123', 'x'.repeat(128), 'a b~!']
  for (const id of fit)
    assert.equal((await server.anybody.get('/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id'], id)
  const unfit = ['x'.repeat(129), 'é', '\t']
  for (const id of unfit) {
    const answer = await server.anybody.get('/healthz', { headers: { 'x-request-id': id } })
    assert.notEqual(answer.headers['x-request-id'], id)
    assert.match(answer.headers['x-request-id'] ?? '', /^[ -~]{1,128}$/)
  }
  const [one, other] = [await server.anybody.get('/healthz'), await server.anybody.get('/healthz')]
  assert.notEqual(one.headers['x-request-id'], other.headers['x-request-id'])
})

test('unknown paths and wrong methods get 404 and 405', async () => {
  const merchant = await server.merchant()
  for (const path of ['/nowhere', '/v1', '/v1/biz', '/v1/biz/nowhere', '/v1/biz/payouts/a/b', '/V1/biz/ping', '/v1/biz/ping/']) {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await merchant.test.request(method, path)
      assert.equal(status, 404, `${method} ${path}`)
      assert.equal(body.code, 'not_found')
    }
  }
  const wrong = await merchant.test.request('DELETE', '/v1/biz/payouts')
  assert.equal(wrong.status, 405)
  assert.deepEqual(wrong.headers.allow?.split(', ').sort(), ['GET', 'HEAD', 'OPTIONS', 'POST'])
  assert.equal((await server.anybody.request('POST', '/healthz')).status, 405)
})

test('GET and HEAD of the health route are answered', async () => {
  const answer = await server.anybody.get('/healthz')
  assert.equal(answer.status, 200)
  assert.equal(answer.body.status, 'ok')
  const head = await server.anybody.request('HEAD', '/healthz')
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
})

test('a body that a nameless header line hides from a GET is not taken for the next request, even when the answer comes at once', async () => {
  for (const path of ['/healthz', '/openapi.json', '/metrics', '/login', '/v1/biz/ping']) {
    const client = await RawClient.open(server.process.port)
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n'
    client.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`)
    await client.closed()
    assert.equal(client.received, '', path)
  }
})

test('metrics are in the document and answer', async () => {
  const answer = await server.anybody.get('/metrics')
  assert.equal(answer.status, 200)
  assert.match(answer.text, /^# HELP /m)
})

test('a merchant beyond the rate limit gets a Retry-After, and each answer names the limit once', async () => {
  const limited = await ownServer({ RATE_LIMIT_TEST: '3' })
  try {
    const head = await (await limited.merchant()).test.request('HEAD', '/v1/biz/events/stream')
    assert.deepEqual([head.status, head.headers['ratelimit-limit']], [200, '3'])
    const merchant = await limited.merchant()
    const answers: Answer[] = []
    do answers.push(await merchant.test.get('/v1/biz/ping'))
    while (answers.at(-1)?.status === 200 && answers.length < 1000)
    const last = answers.at(-1)
    assert.deepEqual([last?.status, last?.body.code], [429, 'rate_limited'])
    assert.equal(answers[0]?.headers['ratelimit-limit'], '3')
    assert.equal((await merchant.live.get('/v1/biz/ping')).status, 200, 'the other environment has a bucket of its own')
    const { test: payer } = await limited.merchant()
    const batch = { items: Array.from({ length: 500 }, () => ({ recipient: 'awa_diop', amount: 1 })) }
    const dryRun = await payer.post('/v1/biz/payouts/batch?dry_run=true', batch)
    assert.deepEqual([dryRun.status, dryRun.headers['ratelimit-remaining']], [200, '0'], 'a batch above the limit takes a whole one')
  } finally {
    await limited.close()
  }
})

test('the document is served as YAML', async () => {
  const answer = await server.anybody.get('/openapi.yaml')
  assert.equal(answer.status, 200)
  assert.match(answer.headers['content-type'] ?? '', /^application\/yaml/)
  assert.match(answer.text, /^openapi: 3\.1\.0$/m)
  assert.ok(answer.text.includes(server.process.baseUrl), 'its server is this one')
  const document = parse(answer.text) as object
  const validate = newAjv().compile(OPENAPI_META_SCHEMA)
  assert.ok(validate(document), JSON.stringify(validate.errors))
  assert.deepEqual((await server.anybody.get('/openapi.json')).body, document, 'the JSON says the same')
})

test('test and live keys of one merchant see nothing of each other', async () => {
  const merchant = await server.fundedMerchant(5000)
  const tag = await server.wallet(merchant)
  const paid = await merchant.test.post<{ id: string }>('/v1/biz/payouts', { recipient: tag, amount: 100 }, { 'idempotency-key': 'same' })
  assert.equal(paid.body.id.length, 36)
  assert.equal((await merchant.live.get(`/v1/biz/payouts/${paid.body.id}`)).status, 404)
  assert.deepEqual((await merchant.live.get('/v1/biz/payouts')).body.data, [])
  assert.deepEqual((await merchant.live.get('/v1/biz/transactions')).body.data, [])
  assert.equal((await merchant.live.get('/v1/biz/balance')).body.available, 0)
  assert.deepEqual((await merchant.live.post('/v1/biz/payouts/check-recipient', { recipient: tag })).body, {
    exists: false,
    display_name: null,
  })
  const money = { merchant_id: merchant.id, environment: 'live', amount: 100 }
  assert.equal((await server.operator.post('/v1/operator/deposits', money, newKey())).status, 201)
  const live = await merchant.live.post('/v1/biz/payouts', { recipient: tag, amount: 100 }, { 'idempotency-key': 'same' })
  assert.equal(live.status, 201)
  assert.equal(live.body.failure_code, 'recipient_not_found')
})

test('one merchant sees nothing of another', async () => {
  const [mine, other] = [await server.fundedMerchant(5000), await server.merchant()]
  const tag = await server.wallet(mine)
  const paid = await mine.test.post<{ id: string }>('/v1/biz/payouts', { recipient: tag, amount: 100 }, { 'idempotency-key': 'same' })
  assert.equal((await other.test.get(`/v1/biz/payouts/${paid.body.id}`)).status, 404)
  assert.deepEqual((await other.test.get('/v1/biz/payouts?idempotency_key=same')).body.data, [])
  const own = await other.test.post('/v1/biz/payouts', { recipient: tag, amount: 7 }, { 'idempotency-key': 'same' })
  assert.equal(own.status, 201)
  assert.equal(own.headers['idempotent-replayed'], undefined)
})
