// `bill.paid` is sent once: no retry after any answer of the receiver. Sending it again is the merchant's own doing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BillFixture, DUE } from '../../../support/bill-engine.ts'
import { answered, DeliveryFixture } from '../../../support/delivery-fixture.ts'
import {
  eventOf,
  lastAttempts,
  onlyDelivery,
  openDeliveries,
  openEndpoint,
  record,
  resultOf,
  stateOf,
  URL_A,
} from '../../../support/webhook-engine.ts'

async function openSetup(): Promise<BillFixture> {
  const setup = await BillFixture.open()
  openEndpoint(setup, ['bill.paid', 'charge.succeeded'])
  return setup
}

const payBill = (setup: BillFixture): void => assert.equal(setup.do(setup.pay('facture', { quoteId: setup.quoted() })).status, 200)

test('a failed attempt is the last, and the list of events says so', async () => {
  const setup = await openSetup()
  payBill(setup)
  const { position } = onlyDelivery(setup)
  const { type, data } = eventOf(setup, { position })
  assert.deepEqual([type, (data as { amount: number }).amount], ['bill.paid', DUE.amount], 'and no charge.succeeded beside it')
  record(setup, [resultOf(setup, onlyDelivery(setup), { httpStatus: 503, retryAfterMs: 60_000 })])
  const [row] = lastAttempts(setup)
  assert.deepEqual([row?.state, row?.next_attempt_at], ['failed', null])
  assert.deepEqual([openDeliveries(setup), stateOf(setup, { position })], [[], 'failed'])
})

test('by hand it is one attempt again, under the same delivery id', async () => {
  const setup = await openSetup()
  payBill(setup)
  const first = onlyDelivery(setup)
  record(setup, [resultOf(setup, first, { httpStatus: null, error: 'timeout' })])
  for (const attempt of [2, 3]) {
    assert.equal(setup.fixture.do({ type: 'Redeliver', merchant: setup.merchant, position: first.position }).kind, 'ok')
    record(setup, [resultOf(setup, onlyDelivery(setup), { httpStatus: 500 })])
    const [row] = lastAttempts(setup)
    assert.deepEqual([row?.attempt, row?.state, row?.delivery_id], [attempt, 'failed', first.id])
  }
  assert.deepEqual(openDeliveries(setup), [])
})

test('one that was under way when the process died is sent after the start, as its result is unknown', async () => {
  const setup = await openSetup()
  const at = DeliveryFixture.over(setup)
  at.answering = null
  payBill(setup)
  await at.settle()
  assert.equal(at.held.length, 1)
  await at.restart()
  assert.deepEqual(
    at.calls.map(({ url, headers }) => [url, headers['x-service-attempt']]),
    [
      [URL_A, '1'],
      [URL_A, '1'],
    ],
  )
  await at.answer(answered(500))
  await at.restart()
  await at.advance(48 * 3_600_000)
  assert.equal(at.calls.length, 2)
})
