// Payouts over HTTP: what is taken, what is refused, what is answered, and what the ledger says after it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

interface Payout {
  readonly id: string
  readonly state: string
  readonly failure_code?: string
  readonly transaction_id?: string
}

let server: TestServer

before(async () => {
  server = await sharedServer()
})

test('a payout is paid: record, balance, statement', async () => {
  const merchant = await server.fundedMerchant(10_000)
  const tag = await server.wallet(merchant)
  const sent = { recipient: `@${tag.toUpperCase()}`, amount: 2500, reference: 'PAIE-11', note: 'Salaire\nde novembre' }
  const { status, body } = await merchant.test.post<Payout>('/v1/biz/payouts', sent, newKey())
  assert.equal(status, 201)
  const { id, transaction_id, ...rest } = body as Payout & Record<string, unknown>
  assert.match(rest.created_at as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(
    { ...rest, created_at: '' },
    {
      recipient: tag,
      amount: 2500,
      currency: 'XOF',
      fee: 0,
      reference: 'PAIE-11',
      state: 'paid',
      note: 'Salaire\nde novembre',
      environment: 'test',
      batch_id: null,
      schedule_id: null,
      disbursement_id: null,
      created_at: '',
    },
  )
  assert.deepEqual((await merchant.test.get(`/v1/biz/payouts/${id}`)).body, body)
  assert.deepEqual((await merchant.test.get(`/v1/biz/payouts/${id.toUpperCase()}`)).body, body)
  assert.deepEqual((await merchant.test.get('/v1/biz/balance')).body, { available: 7500, pending: 0, currency: 'XOF', environment: 'test' })
  const statement = await merchant.test.get<{ data: Record<string, unknown>[] }>('/v1/biz/transactions')
  assert.deepEqual(statement.body.data[0], {
    id: transaction_id,
    type: 'payout',
    amount: -2500,
    balance_after: 7500,
    currency: 'XOF',
    reference: 'PAIE-11',
    counterparty: tag,
    charge_id: null,
    payout_id: id,
    batch_id: null,
    created_at: rest.created_at,
  })
})

test('a number with a zero fraction is a float, and no amount', async () => {
  const merchant = await server.fundedMerchant(10)
  const tag = await server.wallet(merchant)
  const answer = await merchant.test.request('POST', '/v1/biz/payouts', { body: `{"recipient":"${tag}","amount":10.0}`, headers: newKey() })
  assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_request', 'amount'])
})

test('unsent reference and note are empty strings', async () => {
  const merchant = await server.fundedMerchant(10)
  const tag = await server.wallet(merchant)
  const answer = await merchant.test.post<Record<string, unknown>>('/v1/biz/payouts', { recipient: tag, amount: 10 }, newKey())
  assert.equal(answer.status, 201)
  assert.equal(answer.body.reference, '')
  assert.equal(answer.body.note, '')
  assert.equal(answer.body.amount, 10)
})

test('the whole balance may go, one franc more may not: 201 and failed', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  const short = await merchant.test.post<Payout>('/v1/biz/payouts', { recipient: tag, amount: 1001 }, newKey())
  assert.equal(short.status, 201)
  assert.equal(short.body.state, 'failed')
  assert.equal(short.body.failure_code, 'insufficient_balance')
  assert.ok(!('transaction_id' in short.body))
  const whole = await merchant.test.post<Payout>('/v1/biz/payouts', { recipient: tag, amount: 1000 }, newKey())
  assert.equal(whole.body.state, 'paid')
  assert.ok(!('failure_code' in whole.body))
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 0)
})

test('a payout to an unknown tag or a blocked wallet gets 201 and failed', async () => {
  const merchant = await server.fundedMerchant(1000)
  const nobody = await merchant.test.post<Payout>('/v1/biz/payouts', { recipient: newTag(), amount: 1 }, newKey())
  assert.deepEqual([nobody.status, nobody.body.state, nobody.body.failure_code], [201, 'failed', 'recipient_not_found'])
  const blockedTag = `test_blocked_${newTag().slice(2, 9)}`
  await merchant.test.post('/v1/biz/test/wallets', { tag: blockedTag })
  const blocked = await merchant.test.post<Payout>('/v1/biz/payouts', { recipient: blockedTag, amount: 1 }, newKey())
  assert.deepEqual([blocked.status, blocked.body.state, blocked.body.failure_code], [201, 'failed', 'recipient_blocked'])
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 1000)
})

const REFUSED: readonly {
  readonly given: string
  readonly body?: string
  readonly json?: unknown
  readonly contentType?: string
  readonly then: readonly [number, string, string?]
}[] = [
  { given: 'no body', then: [400, 'invalid_json'] },
  { given: 'half a body', body: '{"recipient":', then: [400, 'invalid_json'] },
  {
    given: 'a form',
    body: 'recipient=awa&amount=1',
    contentType: 'application/x-www-form-urlencoded',
    then: [415, 'unsupported_media_type'],
  },
  { given: 'plain text', body: '{}', contentType: 'text/plain', then: [415, 'unsupported_media_type'] },
  { given: 'a list', json: [], then: [400, 'invalid_request'] },
  { given: 'no recipient', json: { amount: 1 }, then: [400, 'invalid_request', 'recipient'] },
  { given: 'a recipient that is no tag', json: { recipient: '@a!', amount: 1 }, then: [400, 'invalid_recipient', 'recipient'] },
  { given: 'no amount', json: { recipient: 'awa' }, then: [400, 'invalid_request', 'amount'] },
  { given: 'amount 0', json: { recipient: 'awa', amount: 0 }, then: [400, 'invalid_request', 'amount'] },
  { given: 'half a franc', json: { recipient: 'awa', amount: 0.5 }, then: [400, 'invalid_request', 'amount'] },
  { given: 'an amount in quotes', json: { recipient: 'awa', amount: '100' }, then: [400, 'invalid_request', 'amount'] },
  { given: 'too much', json: { recipient: 'awa', amount: 1e12 + 1 }, then: [400, 'invalid_request', 'amount'] },
  {
    given: 'a long reference',
    json: { recipient: 'awa', amount: 1, reference: 'r'.repeat(256) },
    then: [400, 'invalid_request', 'reference'],
  },
  { given: 'a long note', json: { recipient: 'awa', amount: 1, note: 'n'.repeat(501) }, then: [400, 'invalid_request', 'note'] },
  {
    given: 'a control character',
    json: { recipient: 'awa', amount: 1, reference: 'a\u0007' },
    then: [400, 'invalid_request', 'reference'],
  },
  { given: 'half a surrogate pair', body: '{"recipient":"awa","amount":1,"note":"\\ud800"}', then: [400, 'invalid_request', 'note'] },
  {
    given: 'a field that nobody knows',
    json: { recipient: 'awa', amount: 1, nobody_knows: true },
    then: [400, 'unknown_field', 'nobody_knows'],
  },
  {
    given: 'a key of Object.prototype',
    body: '{"recipient":"awa","amount":1,"__proto__":{}}',
    then: [400, 'invalid_request', '__proto__'],
  },
  { given: '33 levels', body: `{"recipient":"awa","amount":1,"x":${'['.repeat(32)}${']'.repeat(32)}}`, then: [400, 'invalid_json'] },
  {
    given: 'more than a megabyte',
    body: JSON.stringify({ recipient: 'awa', amount: 1, x: 'x'.repeat(1024 * 1024) }),
    then: [413, 'payload_too_large'],
  },
]

test('what is refused moves nothing, and its key stays free', async () => {
  const merchant = await server.fundedMerchant(100)
  const tag = await server.wallet(merchant)
  const key = newKey()
  for (const { given, json, body, contentType, then } of REFUSED) {
    const outgoing = {
      headers: key,
      ...(json === undefined ? {} : { json }),
      ...(body === undefined ? {} : { body }),
      ...(contentType === undefined ? {} : { contentType }),
    }
    const answer = await merchant.test.request('POST', '/v1/biz/payouts', outgoing)
    const [status, code, param] = then
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [status, code, param], given)
  }
  assert.deepEqual((await merchant.test.get('/v1/biz/payouts')).body.data, [])
  const paid = await merchant.test.post<Payout>('/v1/biz/payouts', { recipient: tag, amount: 100 }, key)
  assert.equal(paid.body.state, 'paid')
  assert.equal(paid.headers['idempotent-replayed'], undefined)
})

test('the query of a payout knows no parameters', async () => {
  const merchant = await server.fundedMerchant(100)
  const answer = await merchant.test.post('/v1/biz/payouts?dry_run=true', { recipient: 'awa', amount: 1 }, newKey())
  assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_parameter', 'dry_run'])
})

test('a recipient is looked up before paying', async () => {
  const merchant = await server.merchant()
  const tag = await server.wallet(merchant)
  const known = await merchant.test.post('/v1/biz/payouts/check-recipient', { recipient: `@${tag}` })
  assert.equal(known.status, 200)
  assert.equal(known.body.exists, true)
  assert.match(known.body.display_name as string, /^\p{Lu}\p{L}+ \p{Lu}\.$/u)
  const unknown = await merchant.test.post('/v1/biz/payouts/check-recipient', { recipient: newTag() })
  assert.deepEqual(unknown.body, { exists: false, display_name: null })
  const malformed = await merchant.test.post('/v1/biz/payouts/check-recipient', { recipient: 'a b' })
  assert.deepEqual([malformed.status, malformed.body.code, malformed.body.param], [400, 'invalid_recipient', 'recipient'])
})

test('an unknown id gets 404, in any shape', async () => {
  const merchant = await server.merchant()
  for (const id of ['01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', '1', 'null', '%00', '%zz', '%2e%2e', 'x'.repeat(600), '<script>']) {
    const { status, body } = await merchant.test.get(`/v1/biz/payouts/${id}`)
    assert.equal(status, 404, id)
    assert.equal(body.code, 'not_found')
  }
})

test('the sum over all accounts is zero, and the trial balance says so', async () => {
  const merchant = await server.fundedMerchant(9000)
  const tag = await server.wallet(merchant)
  await Promise.all([1000, 2000, 3000].map((amount) => merchant.test.post('/v1/biz/payouts', { recipient: tag, amount }, newKey())))
  const { status, body } = await server.operator.get<{ balanced: boolean; accounts: { debit: number; credit: number }[] }>(
    '/v1/operator/ledger/trial-balance?environment=test',
  )
  assert.equal(status, 200)
  assert.equal(body.balanced, true)
  const sum = body.accounts.reduce((total, { debit, credit }) => total + credit - debit, 0)
  assert.equal(sum, 0)
})
