// Redelivery of a paid bill: the code runs once more by request, `bill.paid` is sent again, money does not move. Across kills.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DUE, FUNDS } from '../../../support/bill-engine.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import { bad, FulfillmentFixture, GOOD } from '../../../support/fulfillment-fixture.ts'

const TODAY = 'async function onPaid(ctx) { /* mended */ }'

/** A payment whose code has failed. */
async function failed(): Promise<{ readonly fixture: FulfillmentFixture; readonly id: string }> {
  const fixture = await FulfillmentFixture.open()
  fixture.answering = () => bad('Error: réseau')
  const id = await fixture.paid()
  assert.equal(fixture.setup.fulfillment(id).state, 'failed')
  fixture.answering = () => GOOD
  return { fixture, id }
}

function mendCode({ setup }: FulfillmentFixture, more: object): void {
  const { billers } = setup
  billers.must(billers.product('jeton', { ...GOOD_PRODUCTS.lookup, ...more }, { mode: 'replace' }), 200)
}

test('failed code runs once more with the code of today, and bill.paid is sent again', async () => {
  const { fixture, id } = await failed()
  const { setup } = fixture
  mendCode(fixture, { fulfillment_mode: 'code', fulfillment_code: TODAY })
  fixture.answering = null
  const { status, body } = await fixture.redeliver(id)
  assert.equal(status, 202)
  assert.deepEqual(body.fulfillment, { state: 'pending', error: null, duration_ms: null, attempts: 1 })
  assert.deepEqual([body.state, body.refunded_at], ['paid', null])
  assert.equal(setup.told().length, 1, 'bill.paid waits for the code')
  await fixture.end(GOOD)
  assert.deepEqual(setup.fulfillment(id), { state: 'succeeded', error: null, duration_ms: 40, attempts: 2 })
  assert.deepEqual(
    fixture.runs.map(({ source }) => source),
    ['async function onPaid(ctx) {}', TODAY],
  )
  const [first, again] = fixture.runs.map(({ argument }) => argument)
  assert.equal(first, again, 'the code receives the same context')
  const [told, toldAgain] = setup.told()
  assert.deepEqual(told?.data, toldAgain?.data)
  assert.notEqual(told?.id, toldAgain?.id)
  assert.deepEqual(setup.balances(), { awa: FUNDS - DUE.amount, merchant: DUE.amount })
})

test('the same key gives the same answer and no further run', async () => {
  const { fixture, id } = await failed()
  const first = await fixture.redeliver(id)
  const again = await fixture.redeliver(id)
  assert.deepEqual(again, first)
  assert.equal(fixture.runs.length, 2)
})

test('code that succeeded runs again by force alone', async () => {
  const fixture = await FulfillmentFixture.open()
  const id = await fixture.paid()
  const refused = await fixture.redeliver(id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'already_fulfilled'])
  assert.equal(fixture.runs.length, 1)
  assert.equal((await fixture.redeliver(id, { force: true, key: 'forced' })).status, 202)
  assert.equal(fixture.runs.length, 2)
  assert.equal(fixture.setup.fulfillment(id).attempts, 2)
})

test('while the code runs, a redelivery is rejected and adds no run', async () => {
  const fixture = await FulfillmentFixture.open()
  fixture.answering = null
  const id = await fixture.paid()
  const { status, body } = await fixture.redeliver(id, { force: true })
  assert.deepEqual([status, body.code], [409, 'fulfillment_running'])
  await fixture.end(GOOD)
  assert.equal(fixture.runs.length, 1)
  assert.equal(fixture.setup.told().length, 1)
})

test('where the product has no code today, bill.paid alone is sent again', async () => {
  const { fixture, id } = await failed()
  mendCode(fixture, {})
  assert.equal((await fixture.redeliver(id)).status, 202)
  assert.equal(fixture.runs.length, 1)
  assert.equal(fixture.setup.told().length, 2)
  assert.equal(fixture.setup.fulfillment(id).state, 'failed')
})

test('a payment without code runs the code that the product was given since', async () => {
  const fixture = await FulfillmentFixture.open()
  const { setup } = fixture
  assert.deepEqual(setup.ask(setup.pay('don', { amount: 500 })), [200])
  await fixture.settle()
  const id = String(setup.payments()[0]?.charge_id)
  const { billers } = setup
  billers.must(
    billers.product('don', { ...GOOD_PRODUCTS.user, fulfillment_mode: 'code', fulfillment_code: TODAY }, { mode: 'replace' }),
    200,
  )
  assert.equal((await fixture.redeliver(id)).status, 202)
  assert.deepEqual(setup.fulfillment(id), { state: 'succeeded', error: null, duration_ms: 40, attempts: 1 })
})

test('killed between the redelivery and the start: the code runs after the restart, once', async () => {
  const { fixture, id } = await failed()
  const { setup } = fixture
  const { merchant } = setup
  const { status } = setup.do({ type: 'RedeliverBill', merchant, position: fixture.positionOf(id), force: false }, 'redeliver')
  assert.equal(status, 202)
  await fixture.restart()
  await fixture.restart()
  assert.equal(fixture.runs.length, 2)
  assert.deepEqual(setup.fulfillment(id), { state: 'succeeded', error: null, duration_ms: 40, attempts: 2 })
  assert.equal(setup.told().length, 2)
  assert.equal((await fixture.redeliver(id)).status, 202, 'the key has its answer')
  assert.equal(fixture.runs.length, 2)
})

test('killed while redelivered code runs that has called: it has failed and can be redelivered again', async () => {
  const { fixture, id } = await failed()
  fixture.answering = null
  await fixture.redeliver(id)
  assert.equal(fixture.runs.length, 2)
  assert.equal(await fixture.call(), true)
  await fixture.restart()
  const { state, error, attempts } = fixture.setup.fulfillment(id)
  assert.deepEqual([state, attempts], ['failed', 2])
  assert.match(String(error), /stopped/)
  fixture.answering = () => GOOD
  await fixture.redeliver(id, { key: 'once more' })
  assert.equal(fixture.setup.fulfillment(id).attempts, 3)
})

test('killed while redelivered code runs that has not called: it runs again after the start, as the same redelivery', async () => {
  const { fixture, id } = await failed()
  fixture.answering = null
  await fixture.redeliver(id)
  fixture.answering = () => GOOD
  await fixture.restart()
  assert.equal(fixture.runs.length, 3)
  const { state, attempts } = fixture.setup.fulfillment(id)
  assert.deepEqual([state, attempts], ['succeeded', 2])
})

test('a redelivery runs behind the payments that waited before it, also after a restart', async () => {
  const { fixture, id } = await failed()
  const { setup } = fixture
  await fixture.fund(60 * DUE.amount)
  fixture.answering = null
  for (let count = 0; count < 51; count++) setup.paidJeton()
  await fixture.redeliver(id)
  fixture.answering = () => GOOD
  await fixture.restart()
  const last = fixture.runs.at(-1)
  assert.equal((JSON.parse(String(last?.argument)) as { charge_id: string }).charge_id, id)
})

test('a merchant cannot redeliver the payment of another one', async () => {
  const { fixture, id } = await failed()
  const { setup } = fixture
  const position = fixture.positionOf(id)
  assert.equal(setup.do({ type: 'RedeliverBill', merchant: setup.awa, position, force: false }, 'other').status, 404)
})
