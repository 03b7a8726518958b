// Refund of a paid bill: the whole amount, once, while the merchant has it; code that waits is not run any more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DUE, FUNDS } from '../../../support/bill-engine.ts'
import { requestWithdrawal } from '../../../support/cash-request-commands.ts'
import { payout } from '../../../support/commands.ts'
import { bad, FulfillmentFixture, GOOD } from '../../../support/fulfillment-fixture.ts'

test('a refund moves the whole amount back, once, and says so in record, ledger and stream', async () => {
  const fixture = await FulfillmentFixture.open()
  const { setup } = fixture
  const id = await fixture.paid()
  const { status, body } = await fixture.refund(id)
  assert.equal(status, 200)
  assert.equal(body.state, 'refunded')
  assert.deepEqual(body.fulfillment, { state: 'succeeded', error: null, duration_ms: 40, attempts: 1 })
  assert.deepEqual(setup.balances(), { awa: FUNDS, merchant: 0 })
  const record = setup.fixture.records.at(-1)
  assert.deepEqual(
    record?.transactions.map((transaction) => [transaction.type, transaction.id, transaction.reference]),
    [['refund', body.refund_transaction_id, DUE.biller_ref]],
  )
  assert.deepEqual(
    record?.frames.map(({ account, type }) => [account, type]),
    [
      [setup.awa, 'payment.received'],
      [setup.awa, 'balance.updated'],
      [setup.awa, 'bill.refunded'],
    ],
  )
  assert.deepEqual(await fixture.refund(id), { status, body }, 'the key has its answer')
  const again = await fixture.refund(id, 'another key')
  assert.deepEqual([again.status, again.body.code], [409, 'bill_already_refunded'])
  const redelivered = await fixture.redeliver(id, { force: true })
  assert.deepEqual([redelivered.status, redelivered.body.code], [409, 'bill_already_refunded'])
  assert.deepEqual(setup.balances(), { awa: FUNDS, merchant: 0 })
})

test('money that was paid out is not refunded', async () => {
  const fixture = await FulfillmentFixture.open()
  const { setup } = fixture
  const id = await fixture.paid()
  assert.equal(setup.do(payout(setup.merchant, 'moussa', 1)).status, 201)
  const refused = await fixture.refund(id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'funds_paid_out'])
})

test('money that is held for a withdrawal is not refunded', async () => {
  const fixture = await FulfillmentFixture.open()
  const { setup } = fixture
  const id = await fixture.paid()
  assert.equal(setup.do(requestWithdrawal(setup.merchant, 1)).status, 201)
  const refused = await fixture.refund(id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'funds_paid_out'])
})

test('code that waits when the bill is refunded never runs, and bill.paid is sent once', async () => {
  const fixture = await FulfillmentFixture.open()
  const { setup } = fixture
  fixture.canWrite = false
  const id = await fixture.paid()
  fixture.canWrite = true
  await fixture.refund(id)
  await fixture.advance(4_000)
  await fixture.restart()
  assert.equal(fixture.runs.length, 0)
  const { state, error, attempts } = setup.fulfillment(id)
  assert.deepEqual([state, attempts], ['failed', 0])
  assert.match(String(error), /refunded/)
  assert.equal(setup.told().length, 1)
})

test('code that runs when the bill is refunded runs to its end, and the bill stays refunded', async () => {
  const fixture = await FulfillmentFixture.open()
  const { setup } = fixture
  fixture.answering = null
  const id = await fixture.paid()
  const { body } = await fixture.refund(id)
  assert.equal((body.fulfillment as { state: string }).state, 'pending')
  await fixture.end(bad('Error: trop tard'))
  assert.equal(setup.fulfillment(id).error, 'Error: trop tard')
  const again = await fixture.refund(id, 'another key')
  assert.equal(again.body.code, 'bill_already_refunded')
  assert.equal(setup.told().length, 1)
})

test('code that was not begun after a refund is over and never runs', async () => {
  const fixture = await FulfillmentFixture.open()
  const { setup } = fixture
  fixture.answering = null
  const id = await fixture.paid()
  await fixture.refund(id)
  await fixture.end({ durationMs: 1, fetches: [], logs: [], ok: false, fault: 'unavailable', started: false, error: 'lost' })
  fixture.answering = () => GOOD
  await fixture.restart()
  assert.equal(fixture.runs.length, 1)
  assert.match(String(setup.fulfillment(id).error), /refunded/)
})

test('a refund survives a kill right after its answer', async () => {
  const fixture = await FulfillmentFixture.open()
  const { setup } = fixture
  const id = await fixture.paid()
  const { merchant } = setup
  setup.do({ type: 'RefundBill', merchant, position: fixture.positionOf(id) }, 'refund')
  await fixture.restart()
  assert.deepEqual(setup.balances(), { awa: FUNDS, merchant: 0 })
  assert.equal((await fixture.refund(id)).body.state, 'refunded')
})
