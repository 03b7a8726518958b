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

async function openScene(): Promise<BillFixture> {
  const scene = await BillFixture.open()
  openEndpoint(scene, ['bill.paid', 'charge.succeeded'])
  return scene
}

const payBill = (scene: BillFixture): void => assert.equal(scene.do(scene.pay('facture', { quoteId: scene.quoted() })).status, 200)

test('a failed attempt is the last, and the list of events says so', async () => {
  const scene = await openScene()
  payBill(scene)
  const { position } = onlyDelivery(scene)
  const { type, data } = eventOf(scene, { position })
  assert.deepEqual([type, (data as { amount: number }).amount], ['bill.paid', DUE.amount], 'and no charge.succeeded beside it')
  record(scene, [resultOf(scene, onlyDelivery(scene), { httpStatus: 503, retryAfterMs: 60_000 })])
  const [row] = lastAttempts(scene)
  assert.deepEqual([row?.state, row?.next_attempt_at], ['failed', null])
  assert.deepEqual([openDeliveries(scene), stateOf(scene, { position })], [[], 'failed'])
})

test('by hand it is one attempt again, under the same delivery id', async () => {
  const scene = await openScene()
  payBill(scene)
  const first = onlyDelivery(scene)
  record(scene, [resultOf(scene, first, { httpStatus: null, error: 'timeout' })])
  for (const attempt of [2, 3]) {
    assert.equal(scene.stage.do({ type: 'Redeliver', merchant: scene.merchant, position: first.position }).kind, 'ok')
    record(scene, [resultOf(scene, onlyDelivery(scene), { httpStatus: 500 })])
    const [row] = lastAttempts(scene)
    assert.deepEqual([row?.attempt, row?.state, row?.delivery_id], [attempt, 'failed', first.id])
  }
  assert.deepEqual(openDeliveries(scene), [])
})

test('one that was under way when the process died is sent after the start, as its result is unknown', async () => {
  const scene = await openScene()
  const at = DeliveryFixture.over(scene)
  at.answering = null
  payBill(scene)
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
