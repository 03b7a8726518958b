// Charges over HTTP as their merchant uses them: every field, every refusal, lists as they stand now.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Charge } from '../../../../engine/contract/charge.ts'
import { balanceOf, openCharge, stateOf } from '../../../support/charge-callers.ts'
import type { Answer } from '../../../support/client.ts'
import { type Merchant, newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await ownServer({ CHECKOUT_BASE: 'https://payer.example/caisse/', OUTBOUND_ALLOW_PRIVATE: 'true' })
})

after(async () => {
  await server.close()
})

const payFrom = (merchant: Merchant, token: string, tag: string) =>
  merchant.test.post<Charge>(`/v1/biz/test/charges/${token}/pay`, { payer_tag: tag })
const move = (merchant: Merchant, token: string, name: 'cancel' | 'refund', key = newKey()) =>
  merchant.test.post<Charge>(`/v1/biz/charges/${token}/${name}`, undefined, key)

async function fundedWallet(merchant: Merchant, amount: number): Promise<string> {
  const tag = await server.wallet(merchant)
  assert.equal((await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount })).status, 201)
  return tag
}

test('a charge is created with nothing but an amount', async () => {
  const merchant = await server.merchant()
  const beforeMs = Date.now()
  const { status, body } = await merchant.test.post<Charge>('/v1/biz/charges', { amount: 5000 })
  assert.equal(status, 201)
  const { id, token, created_at, expires_at, created_by, ...rest } = body
  assert.deepEqual(Object.keys(created_by), ['kind', 'id', 'name'])
  assert.equal(created_by.kind, 'key')
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * 60 * 1000)
  assert.ok(Date.parse(created_at) >= beforeMs - 1000)
  assert.deepEqual(rest, {
    amount: 5000,
    currency: 'XOF',
    fee: 0,
    state: 'pending',
    reference: '',
    checkout_url: `https://payer.example/caisse/pay/${token}`,
    redirect_url: '',
    webhook_url: '',
    customer_tag: '',
    description: '',
    environment: 'test',
    paid_at: null,
    cancelled_at: null,
    refunded_at: null,
    transaction_id: null,
    refund_transaction_id: null,
    payer_tag: null,
    metadata: {},
  })
})

test('every field comes back as sent, tags normalized', async () => {
  const merchant = await server.merchant()
  const sent = {
    amount: 1,
    currency: 'XOF',
    reference: 'CMD «118»',
    description: 'Deux pagnes\net un foulard',
    customer_tag: '@Awa_Diallo',
    redirect_url: 'https://boutique.example/merci?panier=1#fin',
    webhook_url: 'https://boutique.example/hooks',
    environment: 'test',
    metadata: { panier: 'A-118', Clé: 'valeur\nlongue', empty: '' },
  }
  const { status, body } = await merchant.test.post<Charge>('/v1/biz/charges', sent)
  assert.equal(status, 201)
  for (const [name, value] of Object.entries({ ...sent, customer_tag: 'awa_diallo' })) assert.deepEqual(body[name as keyof Charge], value)
  const read = await merchant.test.get<Charge>(`/v1/biz/charges/${body.token}`)
  assert.deepEqual(read.body, body)
  assert.deepEqual((await merchant.test.get(`/v1/biz/charges/${body.id}`)).body, body)
  assert.deepEqual((await merchant.test.get(`/v1/biz/charges/${body.id.toUpperCase()}`)).body, body)
})

const REFUSED: readonly (readonly [given: string, body: object, code: string, param: string])[] = [
  ['no amount', {}, 'invalid_request', 'amount'],
  ['amount 0', { amount: 0 }, 'invalid_request', 'amount'],
  ['amount as text', { amount: '1000' }, 'invalid_request', 'amount'],
  ['half a franc', { amount: 0.5 }, 'invalid_request', 'amount'],
  ['more than the largest amount', { amount: 1e12 + 1 }, 'invalid_request', 'amount'],
  ['another currency', { amount: 1, currency: 'EUR' }, 'unsupported_currency', 'currency'],
  ['no currency at all', { amount: 1, currency: 'francs' }, 'unsupported_currency', 'currency'],
  ['the other environment', { amount: 1, environment: 'live' }, 'environment_mismatch', 'environment'],
  ['no environment', { amount: 1, environment: 'demo' }, 'invalid_request', 'environment'],
  ['no tag', { amount: 1, customer_tag: 'a b' }, 'invalid_tag', 'customer_tag'],
  ['a tag that is all blanks', { amount: 1, customer_tag: ' ' }, 'invalid_tag', 'customer_tag'],
  ['an @ alone', { amount: 1, customer_tag: '@' }, 'invalid_tag', 'customer_tag'],
  ['a redirect over http', { amount: 1, redirect_url: 'http://boutique.example' }, 'redirect_url_must_be_https', 'redirect_url'],
  ['a redirect to a script', { amount: 1, redirect_url: 'javascript:alert(1)' }, 'redirect_url_must_be_https', 'redirect_url'],
  ['a redirect without a host', { amount: 1, redirect_url: 'https://' }, 'invalid_request', 'redirect_url'],
  ['a redirect with a password', { amount: 1, redirect_url: 'https://a:b@c.example' }, 'invalid_request', 'redirect_url'],
  ['a redirect to another loopback name', { amount: 1, redirect_url: 'http://127.0.0.1/' }, 'redirect_url_must_be_https', 'redirect_url'],
  ['a webhook that is no address', { amount: 1, webhook_url: 'boutique' }, 'webhook_url_must_be_https', 'webhook_url'],
  ['a webhook by another protocol', { amount: 1, webhook_url: 'ftp://boutique.example' }, 'webhook_url_must_be_https', 'webhook_url'],
  ['metadata with a number', { amount: 1, metadata: { a: 1 } }, 'invalid_request', 'metadata.a'],
  ['metadata with 51 keys', { amount: 1, metadata: keys(51) }, 'invalid_request', 'metadata'],
  [
    'metadata with a key of 65 characters',
    { amount: 1, metadata: { ['k'.repeat(65)]: '' } },
    'invalid_request',
    `metadata.${'k'.repeat(65)}`,
  ],
  ['metadata with a long value', { amount: 1, metadata: { k: 'v'.repeat(501) } }, 'invalid_request', 'metadata.k'],
]

function keys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))
}

describe('what is refused', () => {
  for (const [given, body, code, param] of REFUSED) {
    test(given, async () => {
      const merchant = await server.merchant()
      const answer = await merchant.test.post('/v1/biz/charges', body)
      assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, code, param])
    })
  }
})

const TAKEN: readonly (readonly [given: string, body: object])[] = [
  ['50 keys of metadata', { metadata: keys(50) }],
  ['a redirect to the developer’s own machine', { redirect_url: 'http://localhost:3000/retour' }],
  ['a webhook over http, where the setting lets it', { webhook_url: 'http://127.0.0.1:3000/hook' }],
  ['empty addresses', { redirect_url: '', webhook_url: '' }],
  ['an empty tag, as the answer has it where anybody may pay', { customer_tag: '' }],
  ['a customer who does not exist', { customer_tag: 'nobody_yet' }],
]

describe('what is taken in the test environment', () => {
  for (const [given, body] of TAKEN) {
    test(given, async () => {
      const merchant = await server.merchant()
      assert.equal((await merchant.test.post('/v1/biz/charges', { amount: 1, ...body })).status, 201)
    })
  }
})

test('in the live environment addresses are HTTPS with any settings', async () => {
  const merchant = await server.merchant()
  for (const [field, value] of [
    ['redirect_url', 'http://localhost/'],
    ['webhook_url', 'http://127.0.0.1/'],
  ] as const) {
    const { status, body } = await merchant.live.post('/v1/biz/charges', { amount: 1, [field]: value })
    assert.deepEqual([status, body.code], [400, `${field}_must_be_https`])
  }
  const { status, body } = await merchant.live.post('/v1/biz/charges', { amount: 1, environment: 'live' })
  assert.deepEqual([status, body.environment], [201, 'live'])
})

test('a key holds for creation, and fifty at once make one charge', async () => {
  const merchant = await server.merchant()
  const key = newKey()
  const answers = await Promise.all(Array.from({ length: 50 }, () => merchant.test.post('/v1/biz/charges', { amount: 7 }, key)))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
  assert.equal((await merchant.test.get<{ data: unknown[] }>('/v1/biz/charges')).body.data.length, 1)
  assert.equal((await merchant.test.post('/v1/biz/charges', { amount: 8 }, key)).status, 422)
})

test('a charge is paid by the test helper and refunded, never twice', async () => {
  const merchant = await server.merchant()
  const tag = await fundedWallet(merchant, 5000)
  const { token, id } = await openCharge(merchant, { amount: 2000 })
  const paid = await payFrom(merchant, token, `@${tag.toUpperCase()}`)
  assert.deepEqual([paid.status, paid.body.state, paid.body.payer_tag], [200, 'paid', tag])
  assert.equal(await balanceOf(merchant), 2000)
  const second = await payFrom(merchant, id, tag)
  assert.deepEqual(
    [second.status, second.body],
    [409, { code: 'charge_already_paid', message: 'Cette demande de paiement a déjà été payée.' }],
  )
  const key = newKey()
  const refunded = await move(merchant, token, 'refund', key)
  assert.deepEqual([refunded.status, refunded.body.state], [200, 'refunded'])
  const replayed = await move(merchant, token, 'refund', key)
  assert.deepEqual([replayed.text, replayed.headers['idempotent-replayed']], [refunded.text, 'true'])
  const another = await move(merchant, token, 'refund')
  assert.deepEqual([another.status, codeOf(another)], [409, 'charge_already_refunded'])
  assert.equal(await balanceOf(merchant), 0)
  const lines = await merchant.test.get<{ data: { type: string; amount: number; charge_id: string }[] }>('/v1/biz/transactions')
  assert.deepEqual(
    lines.body.data.map(({ type, amount, charge_id }) => [type, amount, charge_id]),
    [
      ['refund', -2000, id],
      ['charge', 2000, id],
    ],
  )
})

function codeOf(answer: Answer<unknown>): string {
  return (answer.body as { code: string }).code
}

describe('refusals of moves', () => {
  test('cancel works on a pending charge, once and again, and not on a paid or expired one', async () => {
    const merchant = await server.merchant()
    const tag = await fundedWallet(merchant, 5000)
    const charge = await openCharge(merchant)
    const cancelled = await move(merchant, charge.id, 'cancel')
    assert.deepEqual([cancelled.status, cancelled.body.state], [200, 'cancelled'])
    assert.ok(cancelled.body.cancelled_at !== null)
    const again = await move(merchant, charge.token, 'cancel')
    assert.deepEqual([again.status, again.text], [200, cancelled.text])
    const paid = await openCharge(merchant)
    await payFrom(merchant, paid.token, tag)
    assert.equal(codeOf(await move(merchant, paid.token, 'cancel')), 'charge_not_pending')
    const expired = await openCharge(merchant)
    const ended = await merchant.test.post<Charge>(`/v1/biz/test/charges/${expired.token}/expire`, undefined)
    assert.deepEqual([ended.status, ended.body.state], [200, 'expired'])
    assert.equal(codeOf(await move(merchant, expired.token, 'cancel')), 'charge_not_pending')
    for (const [token, code] of [
      [charge.token, 'charge_cancelled'],
      [expired.token, 'charge_expired'],
    ] as const) {
      const refused = await payFrom(merchant, token, tag)
      assert.deepEqual([refused.status, codeOf(refused)], [409, code])
    }
  })

  test('a refund is rejected without a key, for an unpaid charge, and once the money is gone', async () => {
    const merchant = await server.merchant()
    const tag = await fundedWallet(merchant, 5000)
    const charge = await openCharge(merchant)
    const keyless = await merchant.test.post(`/v1/biz/charges/${charge.token}/refund`, undefined)
    assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_required'])
    const unpaid = await move(merchant, charge.token, 'refund')
    assert.deepEqual([unpaid.status, codeOf(unpaid)], [409, 'charge_not_paid'])
    await payFrom(merchant, charge.token, tag)
    await merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 1 }, newKey())
    const gone = await move(merchant, charge.token, 'refund')
    assert.deepEqual([gone.status, codeOf(gone)], [409, 'funds_paid_out'])
    assert.equal(await stateOf(server, charge), 'paid')
  })

  test('the test helper checks wallet, tag, customer and amount', async () => {
    const merchant = await server.merchant()
    const tag = await fundedWallet(merchant, 999)
    const restricted = await openCharge(merchant, { customer_tag: newTag() })
    const open = await openCharge(merchant)
    for (const [token, payer, status, code] of [
      [open.token, 'a b', 400, 'invalid_tag'],
      [open.token, newTag(), 404, 'wallet_not_found'],
      [restricted.token, tag, 403, 'wrong_customer'],
      [open.token, tag, 402, 'insufficient_balance'],
    ] as const) {
      const refused = await payFrom(merchant, token, payer)
      assert.deepEqual([refused.status, codeOf(refused)], [status, code])
    }
  })

  test('unknown handles and those of other merchants or the other environment get 404', async () => {
    const merchant = await server.merchant()
    const other = await server.merchant()
    const charge = await openCharge(merchant)
    const tag = await fundedWallet(other, 5000)
    const strangers = [other.test, merchant.live]
    for (const [handle, clients] of [
      [charge.token, strangers],
      [charge.id, strangers],
      ['x'.repeat(32), [merchant.test]],
      ['01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', [merchant.test]],
      ['x'.repeat(500), [merchant.test]],
    ] as const) {
      for (const client of clients) {
        const path = `/v1/biz/charges/${handle}`
        assert.equal((await client.get(path)).status, 404)
        assert.equal((await client.post(`${path}/cancel`, undefined)).status, 404)
        assert.equal((await client.post(`${path}/refund`, undefined, newKey())).status, 404)
      }
      assert.equal((await payFrom(other, handle, tag)).status, 404)
    }
    assert.equal(await stateOf(server, charge), 'pending')
  })

  test('test helpers are for test keys', async () => {
    const merchant = await server.merchant()
    const { token } = await openCharge(merchant)
    for (const [path, body] of [
      ['pay', { payer_tag: 'awa' }],
      ['expire', undefined],
    ] as const) {
      const { status, body: refused } = await merchant.live.post(`/v1/biz/test/charges/${token}/${path}`, body)
      assert.deepEqual([status, refused.code], [403, 'test_only'])
    }
  })
})
