// How deliveries end before their time, and how many go on at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS_MAX } from '../../../../engine/domain/webhook/webhook-limits.ts'
import { CONCURRENCY_MAX, CONCURRENCY_MIN, CONCURRENCY_START } from '../../../../http/workers/webhooks/webhook-limits.ts'
import { openMerchant } from '../../../support/commands.ts'
import { answered, DeliveryFixture, failed } from '../../../support/delivery-fixture.ts'
import { onlyDelivery, openDeliveries, openEndpoint, payOut, stateOf, URL_A } from '../../../support/webhook-engine.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

describe('ends', () => {
  test('a deleted endpoint is called no more: each of its deliveries gets a last row, retries included', async () => {
    const at = await DeliveryFixture.open()
    const { fixture, merchant } = at.setup
    const id = openEndpoint(at.setup)
    at.answering = () => answered(500)
    for (let count = 0; count < 300; count++) payOut(at.setup)
    await at.settle()
    assert.equal(at.calls.length, 300)
    fixture.do({ type: 'DeleteEndpoint', merchant, id })
    assert.equal(openDeliveries(at.setup).length, 300)
    await at.settle()
    assert.deepEqual(openDeliveries(at.setup), [])
    assert.equal(at.calls.length, 300)
    await at.advance(100 * 60 * MINUTE_MS)
    assert.equal(at.calls.length, 300)
  })

  test('one that is deleted while an attempt is under way', async () => {
    const at = await DeliveryFixture.open()
    const { fixture, merchant } = at.setup
    const id = openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = null
    await at.settle()
    const { position } = onlyDelivery(at.setup)
    fixture.do({ type: 'DeleteEndpoint', merchant, id })
    await at.answer(answered(500))
    assert.deepEqual([openDeliveries(at.setup), stateOf(at.setup, { position })], [[], 'failed'])
    assert.equal(at.calls.length, 1)
  })

  test('410 disables the endpoint, and what waits for it is called no more', async () => {
    const at = await DeliveryFixture.open()
    const id = openEndpoint(at.setup)
    at.answering = () => answered(500)
    payOut(at.setup)
    payOut(at.setup)
    await at.settle()
    at.answering = () => answered(410)
    payOut(at.setup)
    await at.settle()
    assert.equal(at.setup.fixture.state.webhooks.endpoints.get(id)?.disabled_reason, 'gone')
    assert.deepEqual([openDeliveries(at.setup), at.calls.length], [[], 3])
  })

  test('a ping is sent to a disabled endpoint too', async () => {
    const at = await DeliveryFixture.open()
    const { fixture, merchant } = at.setup
    const id = openEndpoint(at.setup)
    fixture.do({ type: 'UpdateEndpoint', merchant, id, url: URL_A, events: ['payout.paid'], description: '', status: 'disabled' })
    fixture.do({ type: 'PingEndpoint', merchant, id })
    await at.settle()
    assert.equal(at.calls.length, 1)
    assert.deepEqual(JSON.parse(String(at.calls[0]?.body)), { type: 'ping', data: { endpoint_id: id } })
    assert.deepEqual(openDeliveries(at.setup), [])
  })

  test('a redelivery by hand while the attempt is under way does not make two of it', async () => {
    const at = await DeliveryFixture.open()
    const { fixture, merchant } = at.setup
    openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = null
    await at.settle()
    const { position } = onlyDelivery(at.setup)
    fixture.do({ type: 'Redeliver', merchant, position })
    fixture.do({ type: 'Redeliver', merchant, position })
    await at.settle()
    assert.equal(at.calls.length, 1)
    await at.answer(answered(200))
    fixture.do({ type: 'Redeliver', merchant, position })
    fixture.do({ type: 'Redeliver', merchant, position })
    await at.settle()
    assert.equal(at.calls.length, 2)
    await at.answer(answered(200))
    assert.equal(at.calls.length, 2)
  })

  test('a redelivery calls a waiting retry forward', async () => {
    const at = await DeliveryFixture.open()
    const { fixture, merchant } = at.setup
    openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = () => answered(500)
    await at.settle()
    at.answering = () => answered(200)
    fixture.do({ type: 'Redeliver', merchant, position: onlyDelivery(at.setup).position })
    await at.settle()
    assert.deepEqual([at.calls.length, openDeliveries(at.setup)], [2, []])
    await at.advance(60 * MINUTE_MS)
    assert.equal(at.calls.length, 2)
  })
})

describe('many', () => {
  test('an endpoint that hangs holds up no other', async () => {
    const at = await DeliveryFixture.open({ concurrency: { slotsMax: 8, failingSlotsMax: 4 } })
    const hanging = Array.from({ length: 3 }, (_, index) => openEndpoint(at.setup, ['payout.paid'], `https://hangs-${index}.example/`))
    openEndpoint(at.setup, ['payout.paid'], 'https://works.example/')
    at.answering = null
    const works = (): number => at.calls.filter(({ url }) => url === 'https://works.example/').length
    for (let count = 0; count < 40; count++) payOut(at.setup)
    await at.settle()
    // At first no endpoint is known to hang: all slots are taken, in turn.
    assert.equal(at.held.length, 8)
    for (let round = 0; round < 200 && works() < 40; round++) {
      const next = at.held.findIndex(({ request }) => request.url === 'https://works.example/')
      const [call] = at.held.splice(Math.max(next, 0), 1)
      call?.answer(next < 0 ? failed('timeout') : answered(200))
      await at.settle()
    }
    assert.equal(works(), 40)
    const busy = at.held.filter(({ request }) => request.url.startsWith('https://hangs'))
    assert.ok(busy.length <= 4 + 8 - 1, `${busy.length} slots are taken by those that hang`)
    assert.equal(hanging.length, 3)
  })

  test('a merchant whose sixteen endpoints hang holds up no other merchant', async () => {
    const at = await DeliveryFixture.open({ concurrency: { slotsMax: 16, failingSlotsMax: 8, ownerShare: 0.25 } })
    const other = { ...at.setup, merchant: openMerchant(at.setup.fixture, 'autre', 1000).test }
    for (let index = 0; index < ENDPOINTS_MAX; index++) openEndpoint(at.setup, ['payout.paid'], `https://hangs-${index}.example/`)
    openEndpoint(other, ['payout.paid'], 'https://works.example/')
    at.answering = null
    for (let count = 0; count < 3; count++) payOut(at.setup)
    await at.settle()
    assert.equal(at.held.length, 4)
    payOut(other)
    await at.settle()
    assert.deepEqual(
      at.held.map(({ request }) => new URL(request.url).hostname.split('-')[0]),
      ['hangs', 'hangs', 'hangs', 'hangs', 'works.example'],
    )
  })

  test('a place that answers well gets more at once, one that does not gets less', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    at.answering = null
    for (let count = 0; count < 400; count++) payOut(at.setup)
    await at.settle()
    assert.equal(at.held.length, CONCURRENCY_START)
    for (let count = 0; count < 100; count++) await at.answer(answered(200))
    assert.equal(at.held.length, CONCURRENCY_MAX)
    for (let count = 0; count < CONCURRENCY_MAX; count++) await at.answer(answered(503))
    assert.equal(at.held.length, CONCURRENCY_MIN)
    assert.equal(at.deliverer.underWay, CONCURRENCY_MIN)
  })

  test('results that come in together are one record', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    at.answering = null
    for (let count = 0; count < CONCURRENCY_START; count++) payOut(at.setup)
    await at.settle()
    const before = at.setup.fixture.engine.lastSequence
    for (const { answer } of at.held.splice(0)) answer(answered(200))
    await at.settle()
    assert.equal(at.setup.fixture.engine.lastSequence, before + 1)
    assert.deepEqual(openDeliveries(at.setup), [])
  })

  test('nothing leaves while results cannot be written down', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    payOut(at.setup)
    at.canWrite = false
    await at.settle()
    await at.advance(10 * SECOND_MS)
    assert.equal(at.calls.length, 0)
    at.canWrite = true
    await at.advance(SECOND_MS)
    assert.equal(at.calls.length, 1)
  })
})
