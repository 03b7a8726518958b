// Payments of a mandate that its merchant asks for, over HTTP: the answer, its key, and what is refused.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { MandatePayment } from '../../../../engine/contract/mandate.ts'
import { approvedMandate, balances, charge, createMandate, openPair, PATH, payments } from '../../../support/mandate-callers.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

test('a payment under a mandate has its answer, its key and its place in the list', async () => {
  const pair = await openPair(server, 1000)
  const { id } = await approvedMandate(pair, { interval: 'on_demand', amount: undefined, max_amount: 300, start_at: undefined })
  const key = newKey()
  const body = { amount: 250, reference: 'CONSO-1' }
  const first = await pair.merchant.test.post<MandatePayment>(`${PATH}/${id}/charges`, body, key)
  assert.equal(first.status, 201, first.text)
  const { id: paymentId, transaction_id, created_at: _at, ...rest } = first.body
  assert.deepEqual(rest, { mandate_id: id, state: 'paid', amount: 250, currency: 'XOF', reference: 'CONSO-1', environment: 'test' })
  const again = await pair.merchant.test.post(`${PATH}/${id}/charges`, body, key)
  assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [201, first.text, 'true'])
  assert.deepEqual(await balances(pair), [750, 250])
  assert.deepEqual(
    (await payments(pair, id)).map((payment) => [payment.id, payment.transaction_id]),
    [[paymentId, transaction_id]],
  )
})

test('what is refused', async () => {
  const pair = await openPair(server, 120)
  const { test: client } = pair.merchant
  const { id } = await approvedMandate(pair, { interval: 'on_demand', amount: undefined, max_amount: 300, start_at: undefined })
  const keyless = await client.post(`${PATH}/${id}/charges`, { amount: 1 })
  assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_required'])
  assert.deepEqual(await charge(client, id, {}), [400, 'amount_required'])
  assert.deepEqual(await charge(client, id, { amount: 301 }), [400, 'amount_out_of_bounds'])
  assert.deepEqual(await charge(client, id, { amount: '5' }), [400, 'invalid_request'])
  assert.deepEqual(await charge(client, id, { amount: 121 }), [402, 'insufficient_balance'])
  const pending = await createMandate(pair, { interval: 'on_demand' })
  assert.deepEqual(await charge(client, pending.id, {}), [409, 'mandate_not_active'])
  const automatic = await approvedMandate(pair)
  assert.deepEqual(await charge(client, automatic.id, {}), [409, 'mandate_not_on_demand'])
  const weekly = await approvedMandate(pair, { amount: undefined, max_amount: 5, interval: 'weekly', start_at: undefined })
  assert.deepEqual(await charge(client, weekly.id, { amount: 5 }), [201, 'paid'])
  assert.deepEqual(await charge(client, weekly.id, { amount: 5 }), [409, 'mandate_not_due'])
  const collected = await client.post(`/v1/biz/test/mandates/${weekly.id}/collect`, {})
  assert.deepEqual([collected.status, collected.body.code], [409, 'mandate_not_active'])
})

test('a refusal stays under its key when the money has come since', async () => {
  const pair = await openPair(server, 0)
  const { id } = await approvedMandate(pair, { interval: 'on_demand', start_at: undefined })
  const key = newKey()
  assert.deepEqual(await charge(pair.merchant.test, id, {}, key), [402, 'insufficient_balance'])
  await pair.merchant.test.post('/v1/biz/test/deposits', { recipient: pair.payer.tag, amount: 100 })
  assert.deepEqual(await charge(pair.merchant.test, id, {}, key), [402, 'insufficient_balance'])
  assert.deepEqual(await charge(pair.merchant.test, id, {}), [201, 'paid'])
})

test('twenty at once take no more than max_payments and the balance allow', async () => {
  const pair = await openPair(server, 1000)
  const { id } = await approvedMandate(pair, { interval: 'on_demand', start_at: undefined, max_payments: 7 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => charge(pair.merchant.test, id, {})))
  assert.equal(answers.filter(([status]) => status === 201).length, 7)
  assert.ok(answers.every(([status, code]) => status === 201 || code === 'mandate_not_active'))
  assert.deepEqual(await balances(pair), [300, 700])
})
