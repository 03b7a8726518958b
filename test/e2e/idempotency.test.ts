// One key, one result: byte for byte, while it runs, after a crash, for ever.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { ERROR_MESSAGES } from '../../http/text/error-messages.ts'
import { openPayer, PIN } from '../support/charge-callers.ts'
import type { Answer } from '../support/client.ts'
import { newKey, newTag, TestServer } from '../support/server-fixture.ts'
import { ownServer, sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

function assertReplay(first: Answer, again: Answer): void {
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.status, first.status)
  assert.equal(again.text, first.text)
}

test('the same request again gets the same bytes, without a second debit', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  const key = newKey()
  const send = () => merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 400 }, key)
  const first = await send()
  assertReplay(first, await send())
  assertReplay(first, await send())
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 600)
})

test('a failed payout is a result too: money that comes later does not change it', async () => {
  const merchant = await server.merchant()
  const tag = await server.wallet(merchant)
  const key = newKey()
  const send = () => merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 400 }, key)
  const first = await send()
  assert.equal(first.body.failure_code, 'insufficient_balance')
  await merchant.test.post('/v1/biz/test/deposits', { amount: 1000 })
  assertReplay(first, await send())
})

test('a refusal that the ledger decides is in the language of its first request, and its replay has the same bytes', async () => {
  const merchant = await server.merchant()
  const payer = await openPayer(server, merchant, 10)
  const rows: readonly (readonly [first: string, again: string, message: string])[] = [
    ['en', 'fr', ERROR_MESSAGES.en.insufficient_balance],
    ['fr', 'en', ERROR_MESSAGES.fr.insufficient_balance],
    ['*', 'en', ERROR_MESSAGES.fr.insufficient_balance],
  ]
  const recipient = await server.wallet(merchant)
  for (const [language, other, message] of rows) {
    const key = newKey()
    const send = (accepted: string) =>
      payer.app.post('/v1/me/transfers', { recipient, amount: 5000, pin: PIN }, { ...key, 'accept-language': accepted })
    const first = await send(language)
    assert.deepEqual([first.status, first.body.message], [402, message])
    const again = await send(other)
    assertReplay(first, again)
    assert.equal(again.headers['content-language'], first.headers['content-language'])
  }
})

test('another request with the key gets 422 for any difference', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  const key = newKey()
  await merchant.test.request('POST', '/v1/biz/payouts', { body: `{"recipient":"${tag}","amount":1}`, headers: key })
  const others = [
    ['/v1/biz/payouts', `{"recipient":"${tag}","amount":2}`],
    ['/v1/biz/payouts', `{"recipient":"${tag}","amount":1} `],
    ['/v1/biz/payouts', `{"amount":1,"recipient":"${tag}"}`],
    ['/v1/biz/test/deposits', `{"recipient":"${tag}","amount":1}`],
  ] as const
  for (const [path, body] of others) {
    const answer = await merchant.test.request('POST', path, { body, headers: key })
    assert.deepEqual([answer.status, answer.body.code], [422, 'idempotency_key_reused'], path + body)
    assert.equal(answer.headers['idempotent-replayed'], undefined)
  }
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 999)
})

test('the same key fifty times at once gives one payout and fifty equal answers', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  const key = newKey()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 100 }, key)),
  )
  assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
  assert.equal(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined).length, 1)
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 900)
})

const KEYS: readonly (readonly [given: string, key: string, code: string | null])[] = [
  ['one character', 'k', null],
  ['255 characters', 'k'.repeat(255), null],
  ['256 characters', 'k'.repeat(256), 'invalid_request'],
  ['spaces inside', 'a b', null],
  ['a tab', 'a\tb', 'invalid_request'],
]

for (const [given, key, code] of KEYS) {
  test(`a key of ${given} is ${code === null ? 'taken' : 'refused'}`, async () => {
    const merchant = await server.fundedMerchant(10)
    const tag = await server.wallet(merchant)
    const answer = await merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 1 }, { 'idempotency-key': key })
    if (code === null) assert.equal(answer.status, 201)
    else assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, code, 'Idempotency-Key'])
  })
}

test('an empty key is no key where one is required, and no key to keep where it is accepted', async () => {
  const merchant = await server.fundedMerchant(10)
  const payout = await merchant.test.post('/v1/biz/payouts', { recipient: 'awa', amount: 1 }, { 'idempotency-key': '' })
  assert.deepEqual([payout.status, payout.body.code], [400, 'idempotency_key_required'])
  const charge = await merchant.test.post('/v1/biz/charges', { amount: 1 }, { 'idempotency-key': '' })
  assert.deepEqual([charge.status, charge.body.code, charge.body.param], [400, 'invalid_request', 'Idempotency-Key'])
})

test('a malformed key is refused where a key stands for nothing, too', async () => {
  const merchant = await server.merchant()
  const bad = { 'idempotency-key': 'k'.repeat(256) }
  for (const answer of [
    await merchant.test.post('/v1/biz/payouts/check-recipient', { recipient: 'awa' }, bad),
    await server.anybody.post('/v1/auth/phone/start', { phone: '+2250099999999', purpose: 'signup' }, bad),
    await server.anybody.post('/v1/dashboard/login', { email: 'awa@example.com', password: 'un long mot de passe' }, bad),
  ]) {
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_request', 'Idempotency-Key'])
  }
  assert.equal((await merchant.test.get('/v1/biz/ping', { headers: bad })).status, 200, 'reading takes no key')
})

test('without a key: payouts, deposits and withdrawals are refused, test helpers are not', async () => {
  const merchant = await server.fundedMerchant(10)
  const funding = { merchant_id: merchant.id, environment: 'test', amount: 1 }
  for (const answer of [
    await merchant.test.post('/v1/biz/payouts', { recipient: 'awa', amount: 1 }),
    await server.operator.post('/v1/operator/deposits', funding),
    await server.operator.post('/v1/operator/withdrawals', funding),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [400, 'idempotency_key_required'])
  }
  assert.equal((await merchant.test.post('/v1/biz/test/deposits', { amount: 1 })).status, 201)
})

test('where a key is accepted it holds: test helpers and the operator’s routes', async () => {
  const merchant = await server.merchant()
  const key = newKey()
  const tag = newTag()
  const wallet = () => merchant.test.post('/v1/biz/test/wallets', { tag }, key)
  assertReplay(await wallet(), await wallet())
  const taken = await merchant.test.post('/v1/biz/test/wallets', { tag }, newKey())
  assert.deepEqual([taken.status, taken.body.code, taken.body.param], [409, 'tag_taken', 'tag'])
  const name = { name: 'Deux fois', email: 'deux@example.com' }
  const operatorKey = newKey()
  assertReplay(
    await server.operator.post('/v1/operator/merchants', name, operatorKey),
    await server.operator.post('/v1/operator/merchants', name, operatorKey),
  )
})

test('what the ledger refused is a result too: 402 and 409 come again', async () => {
  const merchant = await server.fundedMerchant(10)
  const key = newKey()
  const withdraw = () =>
    server.operator.post('/v1/operator/withdrawals', { merchant_id: merchant.id, environment: 'test', amount: 11 }, key)
  const first = await withdraw()
  assert.deepEqual([first.status, first.body.code], [402, 'insufficient_balance'])
  await merchant.test.post('/v1/biz/test/deposits', { amount: 100 })
  assertReplay(first, await withdraw())
  const fresh = await server.operator.post(
    '/v1/operator/withdrawals',
    { merchant_id: merchant.id, environment: 'test', amount: 11 },
    newKey(),
  )
  assert.equal(fresh.status, 201)
})

test('a 404 is no result: the key is free for when the thing is there', async () => {
  const merchant = await server.merchant()
  const tag = newTag()
  const key = newKey()
  const deposit = () => merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 5 }, key)
  assert.deepEqual([(await deposit()).status], [404])
  await merchant.test.post('/v1/biz/test/wallets', { tag })
  const second = await deposit()
  assert.equal(second.status, 201)
  assert.equal(second.headers['idempotent-replayed'], undefined)
})

test('after a crash every answered key still has its answer, API secrets included', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-e2e-'))
  try {
    const before = await TestServer.open({ dataDir })
    const merchant = await before.fundedMerchant(100_000)
    const tag = await before.wallet(merchant)
    const keys = Array.from({ length: 20 }, () => newKey())
    const sent = (key: { 'idempotency-key': string }, client = merchant.test) =>
      client.post('/v1/biz/payouts', { recipient: tag, amount: 10 }, key)
    const first = await Promise.all(keys.map((key) => sent(key)))
    const apiKey = {
      path: `/v1/operator/merchants/${merchant.id}/api-keys`,
      json: { environment: 'test', scopes: [], label: randomUUID() },
      key: newKey(),
    }
    const created = await before.operator.post(apiKey.path, apiKey.json, apiKey.key)
    const balance = await merchant.test.get('/v1/biz/balance')
    await before.process.kill()
    before.anybody.close()

    const behind = await ownServer({}, dataDir)
    try {
      const again = await behind.operator.post(apiKey.path, apiKey.json, apiKey.key)
      assertReplay(created, again)
      const { public_key, secret_key } = created.body as { public_key: string; secret_key: string }
      const client = behind.anybody.with({ 'x-api-key': public_key, 'x-api-secret': secret_key })
      assert.equal((await client.get('/v1/biz/balance')).text, balance.text)
      const paying = await behind.keyed(merchant.id, 'test', ['disbursements.write'])
      for (const [index, key] of keys.entries()) assertReplay(first[index] as Answer, await sent(key, paying))
      assert.equal((await client.get('/v1/biz/balance')).text, balance.text)
    } finally {
      await behind.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
