// A paid bill over HTTP, for its merchant: the record, redelivery by API and by the dashboard's form, refund.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Customer, fulfilledRow, openBillerSystem, openBillServer, openPaidFor, type PaidFor } from '../../../support/bill-callers.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import { csvRows } from '../../../support/csv-rows.ts'
import { eventually } from '../../../support/raw-client.ts'
import type { Receiver } from '../../../support/receiver.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'

let server: TestServer
let system: Receiver
let shop: PaidFor
let customer: Customer
/** What the merchant's system answers to its own code. */
let status = 200

interface BillRecord {
  readonly state: string
  readonly refunded_at: string | null
  readonly refund_transaction_id: string | null
  readonly fulfillment: { readonly state: string; readonly error: string | null; readonly attempts: number }
}

before(async () => {
  system = await openBillerSystem()
  system.answering = ({ path }, response) => response.writeHead(path === '/paid' ? status : 200).end()
  server = await openBillServer()
  shop = await openPaidFor(server, system)
  customer = await Customer.open(server, shop)
  const at = `https://localhost:${system.port}`
  const fulfillment_code = `async function onPaid(ctx) {
    const { ok } = await fetch('${at}/paid', { method: 'POST', body: ctx.transaction_id })
    if (!ok) throw new Error('refusé')
  }`
  const product = { ...GOOD_PRODUCTS.user, fulfillment_mode: 'code', fulfillment_code }
  const { test: api } = shop.merchant
  assert.equal((await api.request('PUT', '/v1/biz/biller/products/jeton', { json: product })).status, 200)
  assert.equal((await api.post('/v1/biz/webhook-endpoints', { url: `${at}/hooks`, events: ['bill.paid'] })).status, 201)
})

after(async () => {
  await server.close()
  await system.close()
})

/** Ids of a payment whose code is over. */
async function paid(): Promise<{ readonly id: string; readonly chargeId: string }> {
  const { body, text } = await customer.pay('jeton', { amount: 500 })
  assert.equal(typeof body.transaction_id, 'string', text)
  await fulfilledRow(shop.merchant, body.charge_id)
  return { id: String(body.transaction_id), chargeId: String(body.charge_id) }
}

function bill(id: string) {
  return shop.merchant.test.get<BillRecord>(`/v1/biz/bill-payments/${id}`)
}

function post(id: string, verb: 'redeliver' | 'refund', body: object = {}, headers = newKey()) {
  return shop.merchant.test.post<BillRecord & { readonly code?: string; readonly param?: string }>(
    `/v1/biz/bill-payments/${id}/${verb}`,
    body,
    headers,
  )
}

function callsAt(path: string, text: string): number {
  return system.received.filter((received) => received.path === path && received.body.includes(text)).length
}

test('failed code is redelivered with 202, runs once more, and bill.paid arrives again', async () => {
  status = 500
  const { id, chargeId } = await paid()
  const failed = await bill(id)
  assert.deepEqual(
    [failed.status, failed.body.state, failed.body.fulfillment.state, failed.body.fulfillment.attempts],
    [200, 'paid', 'failed', 1],
  )
  assert.match(String(failed.body.fulfillment.error), /refusé/)
  status = 200
  const key = newKey()
  const redelivered = await post(id, 'redeliver', {}, key)
  assert.deepEqual([redelivered.status, redelivered.body.fulfillment.state], [202, 'pending'], redelivered.text)
  const row = await fulfilledRow(shop.merchant, chargeId)
  assert.deepEqual([row.fulfillment.state, (await bill(id)).body.fulfillment.attempts], ['succeeded', 2])
  await eventually(() => callsAt('/hooks', id) === 2, 'bill.paid arrives again')
  const replayed = await post(id, 'redeliver', {}, key)
  assert.deepEqual([replayed.status, replayed.text], [202, redelivered.text])
  const again = await post(id, 'redeliver')
  assert.deepEqual([again.status, again.body.code], [409, 'already_fulfilled'])
  assert.equal((await post(id, 'redeliver', { force: true })).status, 202)
  await eventually(() => callsAt('/paid', id) === 3, 'the code runs by force')
})

test('a redelivery needs a key, a payment of the merchant, and a boolean for force', async () => {
  const { id } = await paid()
  const path = `/v1/biz/bill-payments/${id}/redeliver`
  assert.equal((await shop.merchant.test.post<{ code: string }>(path, {})).body.code, 'idempotency_key_required')
  const forced = await shop.merchant.test.post<{ code: string; param: string }>(path, { force: 'yes' }, newKey())
  assert.deepEqual([forced.status, forced.body.code, forced.body.param], [400, 'invalid_request', 'force'])
  const other = await server.merchant()
  for (const answer of [
    await other.test.get(`/v1/biz/bill-payments/${id}`),
    await other.test.post(path, {}, newKey()),
    await other.test.post(`/v1/biz/bill-payments/${id}/refund`, {}, newKey()),
    await bill('019aa0fc-10d2-7b41-9c52-6f7a8b9c0d1e'),
  ]) {
    assert.equal(answer.status, 404, answer.text)
  }
})

test('a refund of a part is refused and refunds nothing; the whole amount may be named', async () => {
  const { id } = await paid()
  for (const amount of [499, 501]) {
    const { status, body } = await post(id, 'refund', { amount })
    assert.deepEqual([status, body.code, body.param], [400, 'partial_refund_unsupported', 'amount'])
  }
  assert.equal((await bill(id)).body.state, 'paid')
  const refunded = await post(id, 'refund', { amount: 500 })
  assert.deepEqual([refunded.status, refunded.body.state], [200, 'refunded'], refunded.text)
})

test('the list of payments as CSV has the rows and fields of the JSON', async () => {
  await paid()
  const path = '/v1/biz/bill-payments'
  const { data } = (await shop.merchant.test.get<{ data: Record<string, unknown>[] }>(path)).body
  const csv = await shop.merchant.test.get(path, { headers: { accept: 'text/csv' } })
  assert.match(csv.headers['content-disposition'] ?? '', /filename="bill-payments\.csv"/)
  const rows = csvRows(csv.text)
  const shown = (row: Readonly<Record<string, unknown>>): string[] =>
    ['transaction_id', 'amount', 'state', 'paid_at'].map((name) => String(row[name]))
  assert.deepEqual(rows.map(shown), data.map(shown))
  assert.deepEqual(
    rows.map((row) => row['fulfillment.state']),
    data.map(({ fulfillment }) => (fulfillment as { state: string }).state),
  )
})

test('a refund returns the money once, and both statements name the charge of the bill', async () => {
  const { id, chargeId } = await paid()
  const before = await customer.balance()
  const refunded = await post(id, 'refund')
  assert.deepEqual([refunded.status, refunded.body.state], [200, 'refunded'], refunded.text)
  assert.equal(await customer.balance(), before + 500)
  assert.deepEqual((await bill(id)).body, refunded.body)
  const again = await post(id, 'refund')
  assert.deepEqual([again.status, again.body.code], [409, 'bill_already_refunded'])
  for (const [client, path, amount] of [
    [shop.merchant.test, '/v1/biz/transactions', -500],
    [customer.app, '/v1/me/transactions', 500],
  ] as const) {
    const { body } = await client.get<{ data: { id: string }[] }>(`${path}?type=refund`)
    const { id: transactionId, charge_id, amount: moved } = body.data[0] as { id: string; charge_id?: string; amount?: number }
    assert.deepEqual([transactionId, charge_id, moved], [refunded.body.refund_transaction_id, chargeId, amount])
  }
})
