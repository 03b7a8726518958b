// The operator's routes: merchants, keys, money in and out, the ledger and the audit trail.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'

interface Merchant {
  readonly id: string
  readonly created_at: string
}

interface List<Row> {
  readonly data: readonly Row[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

interface TrialBalance {
  readonly balanced: boolean
  readonly accounts: readonly { readonly type: string; readonly count: number; readonly debit: number; readonly credit: number }[]
  readonly transactions: number
  readonly last_sequence: number
}

let server: TestServer

before(async () => {
  server = await ownServer()
})

after(async () => {
  await server.close()
})

test('a merchant is made, got and listed', async () => {
  const { status, body } = await server.operator.post<Merchant>('/v1/operator/merchants', { name: 'Chez Awa', email: 'awa@example.com' })
  assert.equal(status, 201)
  const { id, created_at, ...rest } = body
  assert.deepEqual(rest, {
    name: 'Chez Awa',
    email: 'awa@example.com',
    currency: 'XOF',
    state: 'active',
    activation_state: 'active',
    suspend_reason: null,
  })
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
  assert.deepEqual((await server.operator.get(`/v1/operator/merchants/${id}`)).body, body)
  assert.deepEqual((await server.operator.get(`/v1/operator/merchants/${id.toUpperCase()}`)).body, body)
  assert.deepEqual((await server.operator.get<List<Merchant>>('/v1/operator/merchants?limit=1')).body.data, [body])
})

const REFUSED: readonly {
  readonly path: string
  readonly given: string
  readonly json: unknown
  readonly then: readonly [number, string, string?]
}[] = [
  { path: 'merchants', given: 'no name', json: { email: 'a@b.ci' }, then: [400, 'invalid_request', 'name'] },
  { path: 'merchants', given: 'an empty name', json: { name: '', email: 'a@b.ci' }, then: [400, 'invalid_request', 'name'] },
  { path: 'merchants', given: 'a long name', json: { name: 'n'.repeat(101), email: 'a@b.ci' }, then: [400, 'invalid_request', 'name'] },
  { path: 'merchants', given: 'no email', json: { name: 'n' }, then: [400, 'invalid_request', 'email'] },
  { path: 'merchants', given: 'an email that is none', json: { name: 'n', email: 'a@b' }, then: [400, 'invalid_request', 'email'] },
  {
    path: 'merchants',
    given: 'a long email',
    json: { name: 'n', email: `a@${'b'.repeat(63)}.${'c'.repeat(200)}` },
    then: [400, 'invalid_request', 'email'],
  },
  {
    path: 'merchants',
    given: 'another currency',
    json: { name: 'n', email: 'a@b.ci', currency: 'EUR' },
    then: [400, 'unsupported_currency', 'currency'],
  },
  {
    path: 'merchants',
    given: 'a currency that is none',
    json: { name: 'n', email: 'a@b.ci', currency: 'francs' },
    then: [400, 'unsupported_currency', 'currency'],
  },
  { path: 'deposits', given: 'nobody', json: { environment: 'test', amount: 1 }, then: [400, 'invalid_request', 'merchant_id'] },
  {
    path: 'deposits',
    given: 'a merchant that is no id',
    json: { merchant_id: '12', environment: 'test', amount: 1 },
    then: [400, 'invalid_request', 'merchant_id'],
  },
  { path: 'deposits', given: 'a tag that is none', json: { tag: '!', environment: 'test', amount: 1 }, then: [400, 'invalid_tag', 'tag'] },
  { path: 'deposits', given: 'no environment', json: { tag: 'awa', amount: 1 }, then: [400, 'invalid_request', 'environment'] },
  {
    path: 'deposits',
    given: 'another environment',
    json: { tag: 'awa', environment: 'staging', amount: 1 },
    then: [400, 'invalid_request', 'environment'],
  },
  { path: 'deposits', given: 'no amount', json: { tag: 'awa', environment: 'test' }, then: [400, 'invalid_request', 'amount'] },
  {
    path: 'withdrawals',
    given: 'amount 0',
    json: { tag: 'awa', environment: 'test', amount: 0 },
    then: [400, 'invalid_request', 'amount'],
  },
  {
    path: 'withdrawals',
    given: 'a long reference',
    json: { tag: 'awa', environment: 'test', amount: 1, reference: 'r'.repeat(256) },
    then: [400, 'invalid_request', 'reference'],
  },
  {
    path: 'deposits',
    given: 'an unknown tag',
    json: { tag: newTag(), environment: 'test', amount: 1 },
    then: [404, 'recipient_not_found'],
  },
  {
    path: 'deposits',
    given: 'an unknown merchant',
    json: { merchant_id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', environment: 'live', amount: 1 },
    then: [404, 'not_found'],
  },
  {
    path: 'merchants/01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f/api-keys',
    given: 'an unknown merchant',
    json: { environment: 'test', scopes: [] },
    then: [404, 'not_found'],
  },
  { path: 'merchants/12/api-keys', given: 'a merchant that is no id', json: { environment: 'test', scopes: [] }, then: [404, 'not_found'] },
]

test('what is refused', async () => {
  for (const { path, given, json, then } of REFUSED) {
    const answer = await server.operator.post(`/v1/operator/${path}`, json, newKey())
    const [status, code, param] = then
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [status, code, param], `${path}: ${given}`)
  }
})

test('a merchant and a tag together in one request are invalid', async () => {
  const merchant = await server.merchant()
  const tag = await server.wallet(merchant)
  const answer = await server.operator.post(
    '/v1/operator/deposits',
    { merchant_id: merchant.id, tag, environment: 'test', amount: 1 },
    newKey(),
  )
  assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_request', 'merchant_id'])
})

test('an API key pair: what it says is what it does, and the secret is nowhere else', async () => {
  const merchant = await server.merchant()
  const sent = { environment: 'live', scopes: ['disbursements.write'], label: 'Caisse "1"' }
  const { status, body } = await server.operator.post<Record<string, unknown>>(`/v1/operator/merchants/${merchant.id}/api-keys`, sent)
  assert.equal(status, 201)
  const { id, public_key, secret_key, created_at, ...rest } = body
  assert.deepEqual(rest, { ...sent, limits: { payout_max: null, day_max: null } })
  assert.match(String(public_key), /^pk_live_/)
  assert.match(String(secret_key), /^sk_live_/)
  assert.ok(id && created_at)
  const client = server.anybody.with({ 'x-api-key': String(public_key), 'x-api-secret': String(secret_key) })
  assert.deepEqual((await client.get('/v1/biz/ping')).body, {
    ok: true,
    merchant_id: merchant.id,
    environment: 'live',
    scopes: ['disbursements.write'],
  })
  const audit = await server.operator.get('/v1/operator/audit?limit=100')
  assert.ok(!audit.text.includes(String(secret_key)) && !audit.text.includes('sealed:'))
  assert.ok(!server.process.lines.some((line) => line.includes(String(secret_key))))
})

test('a label that looks like a sealed secret stays a label', async () => {
  const merchant = await server.merchant()
  const path = `/v1/operator/merchants/${merchant.id}/api-keys`
  for (const label of ['sealed:v1:AAAA', '","secret_key":"sealed:v1:AAAA', '{"secret_key":"sealed:v1:AAAA"}']) {
    const { status, body } = await server.operator.post(path, { environment: 'test', scopes: [], label })
    assert.equal(status, 201)
    assert.equal(body.label, label)
    assert.match(String(body.secret_key), /^sk_test_/)
  }
})

const KEY_REFUSALS: readonly (readonly [given: string, json: unknown, param: string])[] = [
  ['no environment', { scopes: [] }, 'environment'],
  ['another environment', { environment: 'prod', scopes: [] }, 'environment'],
  ['no scopes', { environment: 'test' }, 'scopes'],
  ['an unknown scope', { environment: 'test', scopes: ['disbursements.write', 'everything'] }, 'scopes.1'],
  ['a scope twice', { environment: 'test', scopes: ['billers.write', 'billers.write'] }, 'scopes'],
  ['a long label', { environment: 'test', scopes: [], label: 'l'.repeat(101) }, 'label'],
]

test('what is refused of a key', async () => {
  const merchant = await server.merchant()
  for (const [given, json, param] of KEY_REFUSALS) {
    const answer = await server.operator.post(`/v1/operator/merchants/${merchant.id}/api-keys`, json)
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_request', param], given)
  }
})

test('the operator moves money in and out of a merchant and a wallet', async () => {
  const merchant = await server.merchant()
  const tag = await server.wallet(merchant)
  const target = { merchant_id: merchant.id, environment: 'live' }
  const into = await server.operator.post('/v1/operator/deposits', { ...target, amount: 5000, reference: 'VIR-1' }, newKey())
  assert.deepEqual([into.status, into.body.balance_after], [201, 5000])
  const out = await server.operator.post('/v1/operator/withdrawals', { ...target, amount: 2000 }, newKey())
  assert.deepEqual([out.status, out.body.balance_after], [201, 3000])
  const beyond = await server.operator.post('/v1/operator/withdrawals', { ...target, amount: 3001 }, newKey())
  assert.deepEqual([beyond.status, beyond.body.code], [402, 'insufficient_balance'])
  assert.equal((await merchant.live.get('/v1/biz/balance')).body.available, 3000)
  const statement = await merchant.live.get<List<Record<string, unknown>>>('/v1/biz/transactions')
  assert.deepEqual(
    statement.body.data.map(({ id, type, amount, balance_after, reference, counterparty }) => [
      id,
      type,
      amount,
      balance_after,
      reference,
      counterparty,
    ]),
    [
      [out.body.transaction_id, 'withdrawal', -2000, 3000, '', null],
      [into.body.transaction_id, 'deposit', 5000, 5000, 'VIR-1', null],
    ],
  )
  const wallet = await server.operator.post(
    '/v1/operator/deposits',
    { tag: `@${tag.toUpperCase()}`, environment: 'test', amount: 70 },
    newKey(),
  )
  assert.deepEqual([wallet.status, wallet.body.balance_after], [201, 70])
  const nowhere = await server.operator.post('/v1/operator/deposits', { tag, environment: 'live', amount: 70 }, newKey())
  assert.deepEqual([nowhere.status, nowhere.body.code], [404, 'recipient_not_found'])
})

test('the trial balance adds up, by environment, and `live` is meant where none is named', async () => {
  const trialBalance = async (query: string): Promise<TrialBalance> => {
    const answer = await server.operator.get<TrialBalance>(`/v1/operator/ledger/trial-balance${query}`)
    assert.equal(answer.status, 200)
    return answer.body
  }
  const before = { live: await trialBalance(''), test: await trialBalance('?environment=test') }
  const merchant = await server.merchant()
  await server.operator.post('/v1/operator/deposits', { merchant_id: merchant.id, environment: 'live', amount: 123 }, newKey())
  const behind = { live: await trialBalance('?environment=live'), test: await trialBalance('?environment=test') }
  assert.deepEqual(
    behind.live.accounts.map(({ type }) => type),
    ['settlement', 'clearing', 'merchant', 'wallet'],
  )
  const change = (type: string, field: 'count' | 'debit' | 'credit'): number => {
    const find = (all: TrialBalance) => all.accounts.find((row) => row.type === type)?.[field] ?? Number.NaN
    return find(behind.live) - find(before.live)
  }
  assert.deepEqual([change('settlement', 'debit'), change('merchant', 'credit'), change('merchant', 'count')], [123, 123, 1])
  assert.deepEqual([behind.live.transactions - before.live.transactions, behind.test.transactions - before.test.transactions], [1, 0])
  assert.ok(behind.live.balanced && behind.test.balanced && behind.live.last_sequence > before.live.last_sequence)
  const wrong = await server.operator.get('/v1/operator/ledger/trial-balance?environment=all')
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.param], [400, 'invalid_parameter', 'environment'])
})

test('the audit trail names each action, newest first; test helpers leave none', async () => {
  const merchant = await server.merchant()
  await merchant.test.post('/v1/biz/test/deposits', { amount: 10 })
  const paid = await server.operator.post(
    '/v1/operator/deposits',
    { merchant_id: merchant.id, environment: 'test', amount: 55, reference: 'VIR-2' },
    newKey(),
  )
  const { body } = await server.operator.get<List<Record<string, unknown>>>('/v1/operator/audit?limit=4')
  const mine = body.data.map(({ action, target, environment }) => [action, target, environment])
  assert.deepEqual(mine, [
    ['deposit.create', merchant.id, 'test'],
    ['api_key.create', merchant.id, 'live'],
    ['api_key.create', merchant.id, 'test'],
    ['merchant.create', merchant.id, null],
  ])
  assert.deepEqual(body.data[0]?.details, { transaction_id: paid.body.transaction_id, amount: 55, reference: 'VIR-2' })
})
