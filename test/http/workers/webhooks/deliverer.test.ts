// The deliverer: what leaves, when, how often, how many at once, and what becomes of it over restarts.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verifySignature } from '../../../../http/workers/webhooks/verify-signature.ts'
import { DELIVERIES_PER_READ } from '../../../../http/workers/webhooks/webhook-limits.ts'
import { createCharge, pay } from '../../../support/charge-engine.ts'
import { deposit } from '../../../support/commands.ts'
import { answered, DeliveryFixture, failed } from '../../../support/delivery-fixture.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'
import { eventOf, onlyDelivery, openDeliveries, openEndpoint, payOut, stateOf, URL_A } from '../../../support/webhook-engine.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

describe('one delivery', () => {
  test('one delivery carries type and data, signed over the very bytes, with its ids and its attempt', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    payOut(at.setup)
    const { id, position } = onlyDelivery(at.setup)
    const event = eventOf(at.setup, { position })
    await at.settle()
    const [call, ...more] = at.calls
    assert.ok(call !== undefined && more.length === 0)
    assert.deepEqual([call.method, call.url, call.rule.totalMs, call.rule.read], ['POST', URL_A, 15_000, 'status'])
    assert.equal(call.body, JSON.stringify({ type: 'payout.paid', data: event.data }))
    const { 'x-service-signature': signature = '', ...headers } = call.headers
    assert.deepEqual(headers, {
      'content-type': 'application/json',
      'x-service-event-id': event.id,
      'x-service-delivery-id': id,
      'x-service-attempt': '1',
    })
    const nowS = Math.floor(at.setup.fixture.loop.nowMs / 1000)
    assert.equal(verifySignature({ signature, body: String(call.body), secret: 'sealed:v1:a', nowS, toleranceS: 0 }), 'valid')
    assert.deepEqual([openDeliveries(at.setup), stateOf(at.setup, { position })], [[], 'succeeded'])
  })

  test('one delivery leaves when its record is on disk, and not before', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    await at.settle()
    const { fixture, merchant } = at.setup
    fixture.send({ type: 'CreatePayout', merchant, recipient: 'awa', amount: 1, reference: '', note: '' }, { mailbox: merchant })
    fixture.loop.turn()
    assert.equal(fixture.state.webhooks.deliveries.size, 1)
    for (const record of fixture.records) at.deliverer.record(record)
    assert.equal(at.calls.length, 0)
    await at.settle()
    assert.equal(at.calls.length, 1)
  })

  test('one delivery comes again after each wait, under the same delivery id and with the same bytes, until it is taken', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = () => answered(500)
    await at.settle()
    assert.equal(at.calls.length, 1)
    await at.advance(5 * SECOND_MS - 1)
    assert.equal(at.calls.length, 1)
    await at.advance(1)
    assert.equal(at.calls.length, 2)
    at.answering = () => answered(200)
    await at.advance(5 * MINUTE_MS)
    assert.deepEqual(
      at.calls.map(({ headers }) => headers['x-service-attempt']),
      ['1', '2', '3'],
    )
    assert.equal(new Set(at.calls.map(({ headers }) => headers['x-service-delivery-id'])).size, 1)
    assert.equal(new Set(at.calls.map(({ body }) => body)).size, 1)
    assert.equal(new Set(at.calls.map(({ headers }) => headers['x-service-signature'])).size, 3)
    await at.advance(100 * 60 * MINUTE_MS)
    assert.equal(at.calls.length, 3)
  })

  test('one delivery is given up after ten attempts', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = () => failed('connection_failed')
    await at.settle()
    for (let hour = 0; hour < 200; hour++) await at.advance(30 * MINUTE_MS)
    assert.equal(at.calls.length, 10)
    assert.deepEqual(openDeliveries(at.setup), [])
  })

  test('one delivery waits as long as the receiver asks, in seconds or until a date', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = () => answered(429, { 'retry-after': '120' })
    await at.settle()
    await at.advance(2 * MINUTE_MS - 1)
    assert.equal(at.calls.length, 1)
    const until = Math.ceil((at.setup.fixture.loop.nowMs + 60 * MINUTE_MS) / 1000) * 1000
    at.answering = () => answered(503, { 'retry-after': new Date(until).toUTCString() })
    await at.advance(1)
    assert.equal(at.calls.length, 2)
    at.answering = () => answered(200)
    await at.advance(until - at.setup.fixture.loop.nowMs - 1)
    assert.equal(at.calls.length, 2)
    await at.advance(1)
    assert.equal(at.calls.length, 3)
  })

  test('one delivery goes where its endpoint is by then, signed by both secrets while one rotates', async () => {
    const at = await DeliveryFixture.open()
    const { fixture, merchant } = at.setup
    const id = openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = () => answered(500)
    await at.settle()
    const url = 'https://boutique.example/moved'
    fixture.do({ type: 'UpdateEndpoint', merchant, id, url, events: ['payout.paid'], description: '', status: null })
    await at.advance(5 * SECOND_MS)
    assert.deepEqual(
      at.calls.map((call) => call.url),
      [URL_A, url],
    )
  })

  test('one delivery of a charge’s own address goes there alone', async () => {
    const at = await DeliveryFixture.open()
    const { fixture, merchant } = at.setup
    openEndpoint(at.setup, ['charge.succeeded'])
    const webhookUrl = 'https://elsewhere.example/one?order=1'
    const charge = createCharge(merchant, { webhookUrl, amount: 10 })
    const payer = fixture.state.wallets.byTag('test', 'awa')?.account ?? -1
    for (const command of [charge, deposit({ tag: 'awa' }, 100), pay(charge.token, payer)]) {
      const { kind, body } = fixture.do(command)
      assert.ok(outcomeStatus({ kind }) < 300, body)
    }
    await at.settle()
    assert.deepEqual(
      at.calls.map(({ url }) => url),
      [webhookUrl],
    )
  })
})

describe('restarts', () => {
  test('an attempt that was under way is made again, and retries keep their times', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = null
    await at.settle()
    assert.equal(at.held.length, 1)
    await at.restart()
    assert.equal(at.calls.length, 2)
    assert.deepEqual(at.calls[1]?.headers['x-service-attempt'], '1')
    await at.answer(failed('timeout'))
    await at.restart()
    await at.advance(5 * SECOND_MS - 1)
    assert.equal(at.calls.length, 2)
    await at.advance(1)
    assert.deepEqual([at.calls.length, at.calls[2]?.headers['x-service-attempt']], [3, '2'])
    await at.answer(answered(200))
    await at.restart()
    await at.advance(100 * 60 * MINUTE_MS)
    assert.equal(at.calls.length, 3)
  })

  test('a stop waits for what is under way, begins nothing, and leaves the rest for the next start', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = null
    await at.settle()
    let stopped = false
    const stopping = at.deliverer.stop(60 * SECOND_MS).then(() => {
      stopped = true
    })
    payOut(at.setup)
    await at.settle()
    assert.deepEqual([at.held.length, stopped], [1, false])
    await at.answer(answered(200))
    await stopping
    assert.equal(at.calls.length, 1)
    at.answering = () => answered(200)
    await at.restart()
    assert.equal(at.calls.length, 2)
    assert.deepEqual(openDeliveries(at.setup), [])
  })

  test('a stop waits for no attempt that still waits for its turn, and the next start makes it', async () => {
    const waiting: (() => void)[] = []
    const turns = { begin: (_account: number, run: () => void) => void waiting.push(run) }
    const at = await DeliveryFixture.open({ turns })
    openEndpoint(at.setup)
    payOut(at.setup)
    await at.settle()
    const stopping = at.deliverer.stop(60 * SECOND_MS)
    assert.equal(waiting.length, 1)
    for (const run of waiting.splice(0)) run()
    await stopping
    assert.deepEqual([at.calls.length, openDeliveries(at.setup).length], [0, 1])
    await at.restart()
    for (const run of waiting.splice(0)) run()
    await at.settle()
    assert.equal(at.calls.length, 1)
  })

  test('a stop that waited long enough ends without the answer, and the attempt is made again', async () => {
    const at = await DeliveryFixture.open()
    openEndpoint(at.setup)
    payOut(at.setup)
    at.answering = null
    await at.settle()
    const stopping = at.deliverer.stop(SECOND_MS)
    await at.advance(SECOND_MS)
    await stopping
    await at.answer(answered(200))
    assert.equal(openDeliveries(at.setup).length, 1)
    await at.restart()
    assert.equal(at.calls.length, 2)
  })

  test('a start takes all deliveries that are open, page after page, each once', async () => {
    for (const count of [DELIVERIES_PER_READ, 2 * DELIVERIES_PER_READ + 1]) {
      const at = await DeliveryFixture.open()
      openEndpoint(at.setup)
      payOut(at.setup)
      const { deliveries } = at.setup.fixture.state.webhooks
      const first = onlyDelivery(at.setup)
      for (let others = 1; others < count; others++) deliveries.set(`other ${others}`, { ...first, id: `other ${others}` })
      const started = DeliveryFixture.over(at.setup)
      started.deliverer.start()
      await started.settle()
      assert.equal(new Set(started.calls.map(({ headers }) => headers['x-service-delivery-id'])).size, count)
      assert.deepEqual([started.calls.length, deliveries.size], [count, 0])
    }
  })
})
