// Bills over HTTP, from the directory to `bill.paid`: a merchant's system on this machine, a customer in the app.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { readMetrics } from '../../../../bench/cauri/metrics-text.ts'
import { verifySignature } from '../../../../http/workers/webhooks/verify-signature.ts'
import {
  billRows,
  CODE,
  Customer,
  fulfilledRow,
  openBillerSystem,
  openBillServer,
  openPaidFor,
  type PaidFor,
  SECRET,
} from '../../../support/bill-callers.ts'
import { DUE, METER } from '../../../support/bill-engine.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import { eventually } from '../../../support/raw-client.ts'
import type { Receiver } from '../../../support/receiver.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'

let server: TestServer
let system: Receiver
let shop: PaidFor
let customer: Customer

before(async () => {
  system = await openBillerSystem()
  server = await openBillServer()
  shop = await openPaidFor(server, system)
  customer = await Customer.open(server, shop)
})

afterEach(() => {
  answering({ ok: true, ...DUE })
})

after(async () => {
  await server.close()
  await system.close()
})

/** What the merchant's system answers to lookups; webhooks get a 200. */
function answering(answer: object | string, status = 200): void {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  system.answering = ({ path }, response) => (path === '/lookup' ? response.writeHead(status).end(text) : response.end())
}

/** The bodies of `bill.paid` that arrived so far, by charge. */
function told(chargeId: unknown) {
  return system.received.filter(({ path, body }) => path === '/hooks' && JSON.parse(body).data.charge_id === chargeId)
}

test('a bill is looked up, paid, sent by webhook, and is in both statements and in the list', async () => {
  const { merchant, biller } = shop
  const url = `https://localhost:${system.port}/hooks`
  const endpoint = await merchant.test.post<{ id: string; secret: string }>('/v1/biz/webhook-endpoints', { url, events: ['bill.paid'] })
  assert.equal(endpoint.status, 201, endpoint.text)
  answering({ ok: true, ...DUE })
  const quote = await customer.quote()
  assert.equal(quote.status, 201, quote.text)
  const asked = system.received.findLast(({ path }) => path === '/lookup')
  assert.ok(asked !== undefined)
  assert.deepEqual(JSON.parse(asked.body).fields, { compteur: METER })
  assert.equal(verifySignature({ signature: String(asked.headers['x-service-signature']), body: asked.bytes, secret: SECRET }), 'valid')
  const paid = await customer.pay('facture', { quote_id: quote.body.id })
  assert.equal(paid.status, 200, paid.text)
  const { charge_id, transaction_id, paid_at, ...rest } = paid.body
  assert.deepEqual(rest, { amount: DUE.amount, currency: 'XOF', fee: 0, balance_after: 100_000 - DUE.amount })

  const data = {
    ...{ biller, product: 'facture', amount: DUE.amount, currency: 'XOF', biller_ref: DUE.biller_ref, form_values: { compteur: METER } },
    ...{ charge_id, transaction_id, merchant_id: merchant.id },
  }
  await eventually(() => told(charge_id).length > 0, 'bill.paid arrives')
  const [hook, ...more] = told(charge_id)
  assert.ok(hook !== undefined && more.length === 0)
  assert.equal(hook.body, JSON.stringify({ type: 'bill.paid', data }))
  const signature = String(hook.headers['x-service-signature'])
  assert.equal(verifySignature({ signature, body: hook.bytes, secret: endpoint.body.secret }), 'valid')

  const [row] = await billRows(merchant, `?biller_ref=${DUE.biller_ref}&product=facture`)
  assert.deepEqual(row, {
    ...{ ...data, environment: 'test', fee: 0, state: 'paid', paid_at, refunded_at: null, refund_transaction_id: null },
    fulfillment: { state: 'none', error: null, duration_ms: null, attempts: 0 },
  })
  for (const [client, path, amount] of [
    [merchant.test, '/v1/biz/transactions', DUE.amount],
    [customer.app, '/v1/me/transactions', -DUE.amount],
  ] as const) {
    const { body } = await client.get<{ data: Record<string, unknown>[] }>(`${path}?type=bill&reference=${DUE.biller_ref}`)
    const [line] = body.data
    assert.deepEqual([line?.id, line?.charge_id, line?.amount], [transaction_id, charge_id, amount])
  }
  const events = await merchant.test.get<{ data: { type: string }[] }>('/v1/biz/events')
  const types = new Set(events.body.data.map(({ type }) => type))
  assert.ok(types.has('bill.paid') && !types.has('charge.succeeded'), [...types].join(', '))
})

test('the directory shows published billers and active products, and nothing of how it is done', async () => {
  const { app } = customer
  const { biller, merchant } = shop
  const list = await app.get<{ data: { slug: string }[] }>('/v1/me/directory?category=electricity&q=energie+SAHEL')
  assert.ok(list.body.data.some(({ slug }) => slug === biller))
  for (const query of ['category=water', 'q=telephone', 'q=energie+telephone']) {
    const { body } = await app.get<{ data: { slug: string }[] }>(`/v1/me/directory?${query}`)
    assert.ok(!body.data.some(({ slug }) => slug === biller), query)
  }
  const detail = await app.get<{ products: { slug: string }[] }>(`/v1/me/directory/${biller}`)
  assert.deepEqual(
    detail.body.products.map(({ slug }) => slug),
    ['facture', 'recharge', 'don', 'jeton'],
  )
  const product = await app.get(customer.path('jeton'))
  assert.deepEqual(Object.keys(product.body).sort(), [
    'amount_mode',
    'biller',
    'currency',
    'max',
    'min',
    'packages',
    'presets',
    'schema',
    'slug',
    'title',
  ])
  for (const { text } of [list, detail, product, await app.get(customer.path('facture'))])
    assert.doesNotMatch(text, /lookup_url|secret|onPaid|localhost/)
  assert.equal((await merchant.test.request('POST', '/v1/biz/biller/products/recharge/deactivate')).status, 200)
  const fewer = await app.get<{ products: { slug: string }[] }>(`/v1/me/directory/${biller}`)
  assert.ok(!fewer.body.products.some(({ slug }) => slug === 'recharge'))
  assert.equal((await app.get(customer.path('recharge'))).body.code, 'product_inactive')
  assert.equal((await customer.pay('recharge', { package_id: 'jour' })).body.code, 'product_inactive')
  assert.equal((await merchant.test.request('POST', '/v1/biz/biller/products/recharge/activate')).status, 200)
})

test('a biller that is suspended is gone, and comes back', async () => {
  const other = await openPaidFor(server, system)
  const someone = await Customer.open(server, other)
  const { app } = someone
  assert.equal((await server.operator.post(`/v1/operator/billers/${other.biller}/suspend`, { reason: 'Plaintes.' })).status, 200)
  const { body } = await app.get<{ data: { slug: string }[] }>('/v1/me/directory?limit=100')
  assert.ok(!body.data.some(({ slug }) => slug === other.biller))
  for (const answer of [
    app.get(`/v1/me/directory/${other.biller}`),
    app.get(someone.path('don')),
    someone.quote(),
    someone.pay('don', { amount: 500 }),
  ]) {
    assert.deepEqual([(await answer).status, (await answer).body.code], [404, 'biller_not_found'])
  }
  assert.equal((await server.operator.request('POST', `/v1/operator/billers/${other.biller}/reinstate`)).status, 200)
  assert.equal((await someone.pay('don', { amount: 500 })).status, 200)
})

const LOOKUPS: readonly (readonly [string, object | string, number, readonly [number, string, string?]])[] = [
  ['says why not', { ok: false, reason: 'Contrat inconnu' }, 200, [422, 'lookup_failed', 'Contrat inconnu']],
  [
    'says no with a blank reason',
    { ok: false, reason: ' ' },
    200,
    [422, 'lookup_failed', 'Le facturier n’a pas trouvé de montant à payer.'],
  ],
  ['says no without a reason', { ok: false }, 200, [502, 'lookup_unavailable']],
  ['spells the amount as a float', '{"ok":true,"amount":5000.0}', 200, [502, 'lookup_unavailable']],
  ['says two amounts', '{"ok":true,"amount":1,"amount":5000}', 200, [502, 'lookup_unavailable']],
  ['answers 500', { ok: true, ...DUE }, 500, [502, 'lookup_unavailable']],
  ['answers HTML', '<html></html>', 200, [502, 'lookup_unavailable']],
  ['lies about the sum', { ok: true, ...DUE, amount: 1 }, 200, [502, 'lookup_unavailable']],
  ['wants a fraction', { ok: true, amount: 0.5 }, 200, [502, 'lookup_unavailable']],
]

for (const [name, answer, status, [expected, code, message]] of LOOKUPS) {
  test(`a system that ${name}: ${expected} ${code}`, async () => {
    answering(answer, status)
    const quote = await customer.quote()
    assert.deepEqual([quote.status, quote.body.code], [expected, code])
    if (message !== undefined) assert.equal(quote.body.message, message)
  })
}

test('a system that never answers gives 504 lookup_timeout within ten seconds', async () => {
  system.answering = () => {}
  const quote = await customer.quote()
  assert.deepEqual([quote.status, quote.body.code], [504, 'lookup_timeout'])
})

test('of twenty payments by one quote at once one wins', async () => {
  const quote = await customer.quote()
  const before = await customer.balance()
  const answers = await Promise.all(Array.from({ length: 20 }, () => customer.pay('facture', { quote_id: quote.body.id })))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 409)])
  assert.equal(await customer.balance(), before - DUE.amount)
})

test('one key many times at once gives one payment and one answer', async () => {
  const quote = await customer.quote()
  const before = await customer.balance()
  const key = newKey()
  const answers = await Promise.all(Array.from({ length: 10 }, () => customer.pay('facture', { quote_id: quote.body.id }, key)))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers[0]?.status, 200)
  assert.equal(await customer.balance(), before - DUE.amount)
})

test('a wrong PIN pays nothing, and is not kept under the key', async () => {
  const key = newKey()
  const wrong = await customer.pay('don', { amount: 500, pin: '1379' }, key)
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.attempts_left], [401, 'pin_incorrect', 4])
  const paid = await customer.pay('don', { amount: 500 }, key)
  assert.equal(paid.status, 200)
  const again = await customer.pay('don', { amount: 500, pin: '1379' }, key)
  assert.equal(again.text, paid.text)
})

test('a payment without a key, above the balance, or with a bad body is rejected', async () => {
  const without = await customer.pay('don', { amount: 500 }, {})
  assert.deepEqual([without.status, without.body.code], [400, 'idempotency_key_required'])
  const poor = await Customer.open(server, shop, 0)
  assert.deepEqual((await poor.pay('don', { amount: 500 })).body.code, 'insufficient_balance')
  for (const body of [{ amount: 0 }, { amount: 500.5 }, { amount: '500' }, { quote_id: 'x' }, { form_values: 'x' }]) {
    const answer = await customer.pay('don', body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(body))
  }
})

test('a payment stands when the code works and when it throws; bill.paid follows and the list shows the result', async () => {
  const { merchant } = shop
  const paid = await customer.pay('jeton', { amount: 500 })
  assert.equal(paid.status, 200, paid.text)
  const row = await fulfilledRow(merchant, paid.body.charge_id)
  assert.equal(row.fulfillment.state, 'succeeded', JSON.stringify(row))
  const thrower = {
    ...GOOD_PRODUCTS.user,
    ...CODE,
    fulfillment_code: "function onPaid(ctx) { throw new Error('raté pour ' + ctx.product) }",
  }
  const changed = await merchant.test.request('PUT', '/v1/biz/biller/products/jeton', { json: thrower })
  assert.equal(changed.status, 200, changed.text)
  const second = await customer.pay('jeton', { amount: 500 })
  const failed = await fulfilledRow(merchant, second.body.charge_id)
  assert.equal(failed.fulfillment.state, 'failed')
  assert.match(String(failed.fulfillment.error), /raté pour jeton/)
  const events = await merchant.test.get<{ data: { data: { charge_id: string } }[] }>('/v1/biz/events?type=bill.paid&limit=100')
  for (const { charge_id } of [row, failed]) assert.equal(events.body.data.filter(({ data }) => data.charge_id === charge_id).length, 1)
})

test('the list filters, pages, and keeps to its merchant and environment', async () => {
  const { merchant } = shop
  const all = await billRows(merchant, '?limit=100')
  assert.ok(all.length >= 4)
  assert.deepEqual(
    await billRows(merchant, '?product=don&limit=100'),
    all.filter(({ product }) => product === 'don'),
  )
  assert.deepEqual(await billRows(merchant, '?biller_ref=rien'), [])
  const { body } = await merchant.test.get<{ next_cursor: string; has_more: boolean }>('/v1/biz/bill-payments?limit=2')
  assert.ok(body.has_more)
  assert.deepEqual(await billRows(merchant, `?limit=100&cursor=${body.next_cursor}`), all.slice(2))
  assert.deepEqual((await merchant.live.get<{ data: unknown[] }>('/v1/biz/bill-payments')).body.data, [])
  const stranger = await server.merchant()
  assert.deepEqual(await billRows(stranger), [])
})

test('what was looked up and fulfilled is counted', async () => {
  const text = await readMetrics(server.process.port)
  const figure = (name: string): number => Number(new RegExp(`^${name.replace('{', '\\{')} (\\d+)$`, 'm').exec(text)?.[1])
  assert.ok(figure('cauri_lookups_total{outcome="due"}') >= 3)
  assert.equal(figure('cauri_lookups_total{outcome="failed"}'), 2)
  assert.equal(figure('cauri_lookups_total{outcome="timeout"}'), 1)
  assert.equal(figure('cauri_fulfillments_total{outcome="succeeded"}'), 1)
  assert.equal(figure('cauri_fulfillments_total{outcome="failed"}'), 1)
  for (const name of ['cauri_lookups_under_way', 'cauri_fulfillments_open', 'cauri_fulfillments_under_way']) assert.equal(figure(name), 0)
})

test('after all requests the ledger adds up to zero', async () => {
  const { body } = await server.operator.get('/v1/operator/ledger/trial-balance?environment=test')
  assert.equal(body.balanced, true)
})
