// Deliveries as state: when the next attempt comes, when there is none, and what a merchant may do about it by hand.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RETRY_WAITS_MS } from '../../../../engine/domain/webhook/webhook-limits.ts'
import { payout } from '../../../support/commands.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'
import {
  eventOf,
  lastAttempts,
  onlyDelivery,
  openDeliveries,
  openEndpoint,
  openWebhookSetup,
  payOut,
  record,
  resultOf,
  stateOf,
  type WebhookEngineFixture,
} from '../../../support/webhook-engine.ts'

const FAILED = { httpStatus: 500 } as const

function fail(setup: WebhookEngineFixture, more: Parameters<typeof resultOf>[2] = FAILED): void {
  record(setup, [resultOf(setup, onlyDelivery(setup), more)])
}

/** From now to the next attempt of the open delivery. */
function waitMs(setup: WebhookEngineFixture): number {
  return onlyDelivery(setup).nextAttemptMs - setup.fixture.loop.nowMs
}

test('the webhook event of a payout has the type of its outcome', async () => {
  const setup = await openWebhookSetup()
  openEndpoint(setup, ['payout.failed'])
  payOut(setup)
  assert.deepEqual(openDeliveries(setup), [], 'a paid payout is none of what the endpoint asks for')
  setup.fixture.do(payout(setup.merchant, 'unknown_tag', 1))
  assert.equal(eventOf(setup, onlyDelivery(setup)).type, 'payout.failed')
})

describe('attempts', () => {
  test('the first comes at once, the others after the waits of the contract, and after the last there is none', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    payOut(setup)
    const { id, position } = onlyDelivery(setup)
    assert.equal(waitMs(setup), 0)
    for (const [index, expected] of RETRY_WAITS_MS.entries()) {
      fail(setup)
      assert.equal(waitMs(setup), expected)
      const [row] = lastAttempts(setup)
      assert.deepEqual([row?.delivery_id, row?.attempt, row?.state, row?.http_status], [id, index + 1, 'pending', 500])
      setup.fixture.loop.advance(expected)
    }
    assert.equal(stateOf(setup, { position }), 'pending')
    fail(setup)
    assert.deepEqual(openDeliveries(setup), [])
    const [last] = lastAttempts(setup)
    assert.deepEqual([last?.attempt, last?.state, last?.next_attempt_at], [10, 'failed', null])
    assert.equal(stateOf(setup, { position }), 'failed')
  })

  test('the waits are those of the contract', () => {
    const [second, minute, hour] = [1000, 60_000, 3_600_000]
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * hour)
    assert.deepEqual(RETRY_WAITS_MS, [5 * second, 5 * minute, 30 * minute, ...hours])
  })

  test('jitter moves a wait by a fifth at most, either way', async () => {
    for (const [jitter, expected] of [
      [0, 4000],
      [0.25, 4500],
      [1, 6000],
    ] as const) {
      const setup = await openWebhookSetup()
      openEndpoint(setup)
      payOut(setup)
      fail(setup, { ...FAILED, jitter })
      assert.equal(waitMs(setup), expected)
    }
  })

  test('a receiver that asks for more time gets it, up to a day; one that asks for less does not', async () => {
    for (const [retryAfterMs, expected] of [
      [60_000, 60_000],
      [1, 5000],
      [1_000 * 86_400_000, 86_400_000],
    ] as const) {
      const setup = await openWebhookSetup()
      openEndpoint(setup)
      payOut(setup)
      fail(setup, { httpStatus: 503, retryAfterMs })
      assert.equal(waitMs(setup), expected)
    }
  })

  test('success ends it, and an attempt without an answer says why', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    payOut(setup)
    const { position } = onlyDelivery(setup)
    fail(setup, { httpStatus: null, error: 'timeout', durationMs: 15_000 })
    const [row] = lastAttempts(setup)
    assert.deepEqual([row?.http_status, row?.error, row?.duration_ms, row?.state], [null, 'timeout', 15_000, 'pending'])
    record(setup, [resultOf(setup, onlyDelivery(setup), { httpStatus: 204 })])
    assert.deepEqual(openDeliveries(setup), [])
    assert.equal(stateOf(setup, { position }), 'succeeded')
  })

  test('a redirect and a refusal are failures like any other', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    for (const httpStatus of [199, 301, 400, 404, 500]) {
      payOut(setup)
      fail(setup, { httpStatus })
      assert.equal(lastAttempts(setup)[0]?.state, 'pending', String(httpStatus))
      record(setup, [resultOf(setup, onlyDelivery(setup))])
    }
  })

  test('a ping is tried once', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    fixture.do({ type: 'PingEndpoint', merchant, id: openEndpoint(setup) })
    fail(setup)
    assert.equal(lastAttempts(setup)[0]?.state, 'failed')
    assert.deepEqual(openDeliveries(setup), [])
  })

  test('many results are one record, and those of closed deliveries leave nothing', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    for (let count = 0; count < 5; count++) payOut(setup)
    const results = openDeliveries(setup).map((delivery) => resultOf(setup, delivery))
    const before = setup.fixture.engine.lastSequence
    record(setup, results)
    assert.equal(setup.fixture.engine.lastSequence, before + 1)
    assert.equal(lastAttempts(setup).length, 5)
    record(setup, results)
    assert.equal(setup.fixture.engine.lastSequence, before + 1)
  })
})

describe('410', () => {
  test('410 disables the endpoint and ends the delivery', async () => {
    const setup = await openWebhookSetup()
    const id = openEndpoint(setup)
    payOut(setup)
    payOut(setup)
    const [first, second] = openDeliveries(setup)
    assert.ok(first !== undefined && second !== undefined)
    record(setup, [resultOf(setup, first, { httpStatus: 410 })])
    const endpoint = setup.fixture.state.webhooks.endpoints.get(id)
    assert.deepEqual([endpoint?.status, endpoint?.disabled_reason], ['disabled', 'gone'])
    assert.equal(lastAttempts(setup)[0]?.state, 'failed')
    // What was open beside it ends with its own next row.
    record(setup, [resultOf(setup, second, { httpStatus: null, error: 'endpoint_disabled' })])
    assert.equal(lastAttempts(setup)[0]?.state, 'failed')
    assert.deepEqual(openDeliveries(setup), [])
  })

  test('410 of an address that the endpoint has left meanwhile disables nothing', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    const id = openEndpoint(setup)
    payOut(setup)
    const late = resultOf(setup, onlyDelivery(setup), { httpStatus: 410 })
    const url = 'https://boutique.example/moved'
    fixture.do({ type: 'UpdateEndpoint', merchant, id, url, events: ['payout.paid'], description: '', status: null })
    record(setup, [late])
    assert.equal(fixture.state.webhooks.endpoints.get(id)?.status, 'enabled')
  })
})

describe('an endpoint deleted while its deliveries are open', () => {
  test('an endpoint deleted while its deliveries are open takes one short turn, and each delivery still gets its last row', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    const id = openEndpoint(setup)
    payOut(setup)
    const delivery = onlyDelivery(setup)
    assert.equal(fixture.do({ type: 'DeleteEndpoint', merchant, id }).body, `{"id":"${id}","deleted":true}`)
    assert.deepEqual(fixture.records.at(-1)?.events.length, 1)
    record(setup, [resultOf(setup, delivery, { httpStatus: null, error: 'endpoint_deleted' })])
    assert.deepEqual([lastAttempts(setup)[0]?.state, openDeliveries(setup).length], ['failed', 0])
  })
})

describe('redelivery by hand', () => {
  function redeliver(setup: WebhookEngineFixture, position: number): { status: number; body: Record<string, unknown> } {
    const { kind, body } = setup.fixture.do({ type: 'Redeliver', merchant: setup.merchant, position })
    return { status: outcomeStatus({ kind }), body: JSON.parse(body) as Record<string, unknown> }
  }

  test('redelivery by hand begins a failed delivery again under its id, attempts counting on', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    fixture.do({ type: 'PingEndpoint', merchant, id: openEndpoint(setup) })
    const { id, position } = onlyDelivery(setup)
    fail(setup)
    const { status, body } = redeliver(setup, position)
    assert.deepEqual([status, body.delivery_state, body.id], [200, 'pending', eventOf(setup, { position }).id])
    assert.deepEqual([onlyDelivery(setup).id, onlyDelivery(setup).attempts, waitMs(setup)], [id, 1, 0])
    record(setup, [resultOf(setup, onlyDelivery(setup))])
    assert.equal(lastAttempts(setup)[0]?.attempt, 2)
    assert.equal(stateOf(setup, { position }), 'succeeded')
  })

  test('twice in a row is once', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    payOut(setup)
    const { position } = onlyDelivery(setup)
    record(setup, [resultOf(setup, onlyDelivery(setup))])
    redeliver(setup, position)
    const before = openDeliveries(setup)
    redeliver(setup, position)
    assert.deepEqual(openDeliveries(setup), before)
  })

  test('redelivery by hand calls a waiting delivery forward', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    payOut(setup)
    fail(setup)
    assert.equal(waitMs(setup), 5000)
    redeliver(setup, onlyDelivery(setup).position)
    assert.deepEqual([waitMs(setup), onlyDelivery(setup).attempts], [0, 1])
  })

  test('redelivery by hand leaves those alone that have succeeded while others have not, and takes all when all have', async () => {
    const setup = await openWebhookSetup()
    const [one, other] = [openEndpoint(setup), openEndpoint(setup)]
    payOut(setup)
    const [first, second] = openDeliveries(setup)
    assert.ok(first !== undefined && second !== undefined)
    record(setup, [resultOf(setup, first), resultOf(setup, second, { httpStatus: 410, url: 'elsewhere' })])
    assert.equal(stateOf(setup, first), 'failed')
    redeliver(setup, first.position)
    assert.equal(onlyDelivery(setup).endpoint_id, other)
    record(setup, [resultOf(setup, onlyDelivery(setup))])
    assert.equal(stateOf(setup, first), 'succeeded')
    redeliver(setup, first.position)
    assert.deepEqual(
      openDeliveries(setup)
        .map(({ endpoint_id }) => endpoint_id)
        .sort(),
      [one, other].sort(),
    )
  })

  test('redelivery by hand reaches an endpoint of a later day, and remembers that it did', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    const first = openEndpoint(setup)
    payOut(setup)
    const { position } = onlyDelivery(setup)
    record(setup, [resultOf(setup, onlyDelivery(setup))])
    fixture.do({ type: 'DeleteEndpoint', merchant, id: first })
    assert.deepEqual(redeliver(setup, position).body.code, 'no_webhook_endpoint')
    const later = openEndpoint(setup)
    redeliver(setup, position)
    const begun = onlyDelivery(setup)
    assert.deepEqual([begun.endpoint_id, begun.attempts], [later, 0])
    assert.equal(stateOf(setup, { position }), 'pending')
    record(setup, [resultOf(setup, begun)])
    redeliver(setup, position)
    assert.deepEqual([onlyDelivery(setup).id, onlyDelivery(setup).attempts], [begun.id, 1])
  })

  test('redelivery by hand is not found by another merchant', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    payOut(setup)
    const { position } = onlyDelivery(setup)
    assert.equal(redeliver({ ...setup, merchant: setup.merchant - 1 }, position).body.code, 'not_found')
  })
})

test('a restart finds the same endpoints and deliveries', async () => {
  const setup = await openWebhookSetup()
  const { fixture, merchant } = setup
  const id = openEndpoint(setup)
  openEndpoint(setup, ['payout.paid', 'charge.succeeded'])
  for (let count = 0; count < 3; count++) payOut(setup)
  record(
    setup,
    openDeliveries(setup).map((delivery, index) => resultOf(setup, delivery, { httpStatus: index % 2 === 0 ? 200 : 500 })),
  )
  fixture.do({ type: 'RotateSecret', merchant, id, sealedSecret: 'sealed:v1:b', overlapS: 60 })
  fixture.do({ type: 'DeleteEndpoint', merchant, id })
  const before = fixture.rows()
  await fixture.start()
  assert.deepEqual(fixture.rows(), before)
  await fixture.close()
  await fixture.start()
  assert.deepEqual(fixture.rows(), before)
})
