// Deliveries as state: when the next attempt comes, when there is none, and what a merchant may do about it by hand.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OPEN_PER_OWNER_MAX, RETRY_WAITS_MS } from '../../../../engine/domain/webhook/webhook-limits.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'
import {
  eventOf,
  lastAttempts,
  onlyDelivery,
  openDeliveries,
  openEndpoint,
  openWebhookScene,
  payOut,
  record,
  resultOf,
  stateOf,
  type WebhookEngineFixture,
} from '../../../support/webhook-engine.ts'

const FAILED = { httpStatus: 500 } as const

function fail(scene: WebhookEngineFixture, more: Parameters<typeof resultOf>[2] = FAILED): void {
  record(scene, [resultOf(scene, onlyDelivery(scene), more)])
}

/** From now to the next attempt of the open delivery. */
function waitMs(scene: WebhookEngineFixture): number {
  return onlyDelivery(scene).nextAttemptMs - scene.stage.loop.nowMs
}

describe('attempts', () => {
  test('the first comes at once, the others after the waits of the contract, and after the last there is none', async () => {
    const scene = await openWebhookScene()
    openEndpoint(scene)
    payOut(scene)
    const { id, position } = onlyDelivery(scene)
    assert.equal(waitMs(scene), 0)
    for (const [index, expected] of RETRY_WAITS_MS.entries()) {
      fail(scene)
      assert.equal(waitMs(scene), expected)
      const [row] = lastAttempts(scene)
      assert.deepEqual([row?.delivery_id, row?.attempt, row?.state, row?.http_status], [id, index + 1, 'pending', 500])
      scene.stage.loop.advance(expected)
    }
    assert.equal(stateOf(scene, { position }), 'pending')
    fail(scene)
    assert.deepEqual(openDeliveries(scene), [])
    const [last] = lastAttempts(scene)
    assert.deepEqual([last?.attempt, last?.state, last?.next_attempt_at], [10, 'failed', null])
    assert.equal(stateOf(scene, { position }), 'failed')
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
      const scene = await openWebhookScene()
      openEndpoint(scene)
      payOut(scene)
      fail(scene, { ...FAILED, jitter })
      assert.equal(waitMs(scene), expected)
    }
  })

  test('a receiver that asks for more time gets it, up to a day; one that asks for less does not', async () => {
    for (const [retryAfterMs, expected] of [
      [60_000, 60_000],
      [1, 5000],
      [1_000 * 86_400_000, 86_400_000],
    ] as const) {
      const scene = await openWebhookScene()
      openEndpoint(scene)
      payOut(scene)
      fail(scene, { httpStatus: 503, retryAfterMs })
      assert.equal(waitMs(scene), expected)
    }
  })

  test('success ends it, and an attempt without an answer says why', async () => {
    const scene = await openWebhookScene()
    openEndpoint(scene)
    payOut(scene)
    const { position } = onlyDelivery(scene)
    fail(scene, { httpStatus: null, error: 'timeout', durationMs: 15_000 })
    const [row] = lastAttempts(scene)
    assert.deepEqual([row?.http_status, row?.error, row?.duration_ms, row?.state], [null, 'timeout', 15_000, 'pending'])
    record(scene, [resultOf(scene, onlyDelivery(scene), { httpStatus: 204 })])
    assert.deepEqual(openDeliveries(scene), [])
    assert.equal(stateOf(scene, { position }), 'succeeded')
  })

  test('a redirect and a refusal are failures like any other', async () => {
    const scene = await openWebhookScene()
    openEndpoint(scene)
    for (const httpStatus of [199, 301, 400, 404, 500]) {
      payOut(scene)
      fail(scene, { httpStatus })
      assert.equal(lastAttempts(scene)[0]?.state, 'pending', String(httpStatus))
      record(scene, [resultOf(scene, onlyDelivery(scene))])
    }
  })

  test('a ping is tried once', async () => {
    const scene = await openWebhookScene()
    const { stage, merchant } = scene
    stage.do({ type: 'PingEndpoint', merchant, id: openEndpoint(scene) })
    fail(scene)
    assert.equal(lastAttempts(scene)[0]?.state, 'failed')
    assert.deepEqual(openDeliveries(scene), [])
  })

  test('many results are one record, and those of closed deliveries leave nothing', async () => {
    const scene = await openWebhookScene()
    openEndpoint(scene)
    for (let count = 0; count < 5; count++) payOut(scene)
    const results = openDeliveries(scene).map((delivery) => resultOf(scene, delivery))
    const before = scene.stage.engine.lastSequence
    record(scene, results)
    assert.equal(scene.stage.engine.lastSequence, before + 1)
    assert.equal(lastAttempts(scene).length, 5)
    record(scene, results)
    assert.equal(scene.stage.engine.lastSequence, before + 1)
  })
})

describe('410', () => {
  test('410 disables the endpoint and ends the delivery', async () => {
    const scene = await openWebhookScene()
    const id = openEndpoint(scene)
    payOut(scene)
    payOut(scene)
    const [first, second] = openDeliveries(scene)
    assert.ok(first !== undefined && second !== undefined)
    record(scene, [resultOf(scene, first, { httpStatus: 410 })])
    const endpoint = scene.stage.state.webhooks.endpoints.get(id)
    assert.deepEqual([endpoint?.status, endpoint?.disabled_reason], ['disabled', 'gone'])
    assert.equal(lastAttempts(scene)[0]?.state, 'failed')
    // What was open beside it ends with its own next row.
    record(scene, [resultOf(scene, second, { httpStatus: null, error: 'endpoint_disabled' })])
    assert.equal(lastAttempts(scene)[0]?.state, 'failed')
    assert.deepEqual(openDeliveries(scene), [])
  })

  test('410 of an address that the endpoint has left meanwhile disables nothing', async () => {
    const scene = await openWebhookScene()
    const { stage, merchant } = scene
    const id = openEndpoint(scene)
    payOut(scene)
    const late = resultOf(scene, onlyDelivery(scene), { httpStatus: 410 })
    const url = 'https://boutique.example/moved'
    stage.do({ type: 'UpdateEndpoint', merchant, id, url, events: ['payout.paid'], description: '', status: null })
    record(scene, [late])
    assert.equal(stage.state.webhooks.endpoints.get(id)?.status, 'enabled')
  })
})

describe('an endpoint deleted while its deliveries are open', () => {
  test('an endpoint deleted while its deliveries are open takes one short turn, and each delivery still gets its last row', async () => {
    const scene = await openWebhookScene()
    const { stage, merchant } = scene
    const id = openEndpoint(scene)
    payOut(scene)
    const delivery = onlyDelivery(scene)
    assert.equal(stage.do({ type: 'DeleteEndpoint', merchant, id }).body, `{"id":"${id}","deleted":true}`)
    assert.deepEqual(stage.records.at(-1)?.events.length, 1)
    record(scene, [resultOf(scene, delivery, { httpStatus: null, error: 'endpoint_deleted' })])
    assert.deepEqual([lastAttempts(scene)[0]?.state, openDeliveries(scene).length], ['failed', 0])
  })
})

describe('redelivery by hand', () => {
  function redeliver(scene: WebhookEngineFixture, position: number): { status: number; body: Record<string, unknown> } {
    const { kind, body } = scene.stage.do({ type: 'Redeliver', merchant: scene.merchant, position })
    return { status: outcomeStatus({ kind }), body: JSON.parse(body) as Record<string, unknown> }
  }

  test('redelivery by hand begins a failed delivery again under its id, attempts counting on', async () => {
    const scene = await openWebhookScene()
    const { stage, merchant } = scene
    stage.do({ type: 'PingEndpoint', merchant, id: openEndpoint(scene) })
    const { id, position } = onlyDelivery(scene)
    fail(scene)
    const { status, body } = redeliver(scene, position)
    assert.deepEqual([status, body.delivery_state, body.id], [200, 'pending', eventOf(scene, { position }).id])
    assert.deepEqual([onlyDelivery(scene).id, onlyDelivery(scene).attempts, waitMs(scene)], [id, 1, 0])
    record(scene, [resultOf(scene, onlyDelivery(scene))])
    assert.equal(lastAttempts(scene)[0]?.attempt, 2)
    assert.equal(stateOf(scene, { position }), 'succeeded')
  })

  test('twice in a row is once', async () => {
    const scene = await openWebhookScene()
    openEndpoint(scene)
    payOut(scene)
    const { position } = onlyDelivery(scene)
    record(scene, [resultOf(scene, onlyDelivery(scene))])
    redeliver(scene, position)
    const before = openDeliveries(scene)
    redeliver(scene, position)
    assert.deepEqual(openDeliveries(scene), before)
  })

  test('redelivery by hand calls a waiting delivery forward', async () => {
    const scene = await openWebhookScene()
    openEndpoint(scene)
    payOut(scene)
    fail(scene)
    assert.equal(waitMs(scene), 5000)
    redeliver(scene, onlyDelivery(scene).position)
    assert.deepEqual([waitMs(scene), onlyDelivery(scene).attempts], [0, 1])
  })

  test('redelivery by hand leaves those alone that have succeeded while others have not, and takes all when all have', async () => {
    const scene = await openWebhookScene()
    const [one, other] = [openEndpoint(scene), openEndpoint(scene)]
    payOut(scene)
    const [first, second] = openDeliveries(scene)
    assert.ok(first !== undefined && second !== undefined)
    record(scene, [resultOf(scene, first), resultOf(scene, second, { httpStatus: 410, url: 'elsewhere' })])
    assert.equal(stateOf(scene, first), 'failed')
    redeliver(scene, first.position)
    assert.equal(onlyDelivery(scene).endpoint_id, other)
    record(scene, [resultOf(scene, onlyDelivery(scene))])
    assert.equal(stateOf(scene, first), 'succeeded')
    redeliver(scene, first.position)
    assert.deepEqual(
      openDeliveries(scene)
        .map(({ endpoint_id }) => endpoint_id)
        .sort(),
      [one, other].sort(),
    )
  })

  test('redelivery by hand reaches an endpoint of a later day, and remembers that it did', async () => {
    const scene = await openWebhookScene()
    const { stage, merchant } = scene
    const first = openEndpoint(scene)
    payOut(scene)
    const { position } = onlyDelivery(scene)
    record(scene, [resultOf(scene, onlyDelivery(scene))])
    stage.do({ type: 'DeleteEndpoint', merchant, id: first })
    assert.deepEqual(redeliver(scene, position).body.code, 'no_webhook_endpoint')
    const later = openEndpoint(scene)
    redeliver(scene, position)
    const begun = onlyDelivery(scene)
    assert.deepEqual([begun.endpoint_id, begun.attempts], [later, 0])
    assert.equal(stateOf(scene, { position }), 'pending')
    record(scene, [resultOf(scene, begun)])
    redeliver(scene, position)
    assert.deepEqual([onlyDelivery(scene).id, onlyDelivery(scene).attempts], [begun.id, 1])
  })

  test('redelivery by hand is not found by another merchant', async () => {
    const scene = await openWebhookScene()
    openEndpoint(scene)
    payOut(scene)
    const { position } = onlyDelivery(scene)
    assert.equal(redeliver({ ...scene, merchant: scene.merchant - 1 }, position).body.code, 'not_found')
  })
})

describe('bounds', () => {
  test('an endpoint with too many open deliveries gets no more, and the event says so', async () => {
    const scene = await openWebhookScene()
    const { stage, merchant } = scene
    const id = openEndpoint(scene)
    payOut(scene)
    const { position } = onlyDelivery(scene)
    fillWith(scene, id, OPEN_PER_OWNER_MAX - 1)
    payOut(scene)
    assert.equal(stage.state.webhooks.deliveries.size, OPEN_PER_OWNER_MAX)
    const told = stage.records.at(-1)?.events.find(({ type }) => type === 'merchant_event.recorded')
    assert.match(String(told?.text), /"dropped":true/)
    const dropped = { position: position + (stage.engine.lastSequence - Math.floor(position / 4096)) * 4096 }
    assert.equal(stateOf(scene, dropped), 'failed')
    assert.match(stage.do({ type: 'Redeliver', merchant, position: dropped.position }).body, /rate_limited/)
    record(scene, [resultOf(scene, { ...onlyIn(scene, position) })])
    assert.equal(stage.do({ type: 'Redeliver', merchant, position: dropped.position }).kind, 'ok')
    assert.equal(stateOf(scene, dropped), 'pending')
  })

  /** Rows as a restored snapshot would bring them. */
  function fillWith({ stage, merchant }: WebhookEngineFixture, endpointId: string, count: number): void {
    const { deliveries } = stage.state.webhooks
    for (let index = 0; index < count; index++) {
      const id = `filled-${index}`
      const row = { id, account: merchant, endpoint_id: endpointId, url: null, position: 4096, attempts: 1, nextAttemptMs: 0 }
      deliveries.restore(id, row)
    }
  }

  function onlyIn(scene: WebhookEngineFixture, position: number): ReturnType<typeof onlyDelivery> {
    const delivery = openDeliveries(scene).find((candidate) => candidate.position === position)
    assert.ok(delivery !== undefined)
    return delivery
  }
})

test('a restart finds the same endpoints and deliveries', async () => {
  const scene = await openWebhookScene()
  const { stage, merchant } = scene
  const id = openEndpoint(scene)
  openEndpoint(scene, ['payout.paid', 'charge.succeeded'])
  for (let count = 0; count < 3; count++) payOut(scene)
  record(
    scene,
    openDeliveries(scene).map((delivery, index) => resultOf(scene, delivery, { httpStatus: index % 2 === 0 ? 200 : 500 })),
  )
  stage.do({ type: 'RotateSecret', merchant, id, sealedSecret: 'sealed:v1:b', overlapS: 60 })
  stage.do({ type: 'DeleteEndpoint', merchant, id })
  const before = stage.rows()
  await stage.start()
  assert.deepEqual(stage.rows(), before)
  await stage.close()
  await stage.start()
  assert.deepEqual(stage.rows(), before)
})
