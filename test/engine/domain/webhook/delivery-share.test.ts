// The share of open webhook deliveries: which ones end at a full share, and what strangers cannot do to others.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OPEN_DELIVERIES } from '../../../../engine/domain/webhook/webhook-limits.ts'
import type { Delivery } from '../../../../engine/domain/webhook/webhook-state.ts'
import type { Position } from '../../../../engine/kernel/position.ts'
import { fillByStrangers, fillQuota } from '../../../support/filled-quota.ts'
import {
  openDeliveries,
  openEndpoint,
  openWebhookSetup,
  payOut,
  record,
  resultOf,
  stateOf,
  type WebhookEngineFixture,
} from '../../../support/webhook-engine.ts'

describe('the share of open deliveries', () => {
  test('at its share the oldest open delivery of a merchant gives way, its event says none, and it can be redelivered', async () => {
    const setup = await openWebhookSetup()
    const { fixture } = setup
    openEndpoint(setup)
    for (let count = 0; count < 3; count++) payOut(setup)
    const [first, second, third] = openDeliveries(setup) as [Delivery, Delivery, Delivery]
    record(setup, [resultOf(setup, second, { httpStatus: 500 })])
    fillShare(setup, 3)
    payOut(setup)
    assert.deepEqual([stateOf(setup, first), stateOf(setup, second), stateOf(setup, third)], ['none', 'pending', 'pending'])
    payOut(setup)
    assert.deepEqual([stateOf(setup, second), stateOf(setup, third)], ['none', 'pending'], 'one that was tried before gives way too')
    assert.equal(openDeliveries(setup).length, 3)
    assert.deepEqual(undelivered(setup).includes(first.position), true, 'the list of undelivered events has it')
    assert.equal(record(setup, [resultOf(setup, first)]).kind, 'ok', 'a late result changes nothing')
    assert.equal(stateOf(setup, first), 'none')
    assert.equal(redeliver(setup, first.position), 'pending')
    assert.deepEqual([stateOf(setup, first), stateOf(setup, third)], ['pending', 'none'])
    const before = fixture.rows()
    await fixture.start()
    assert.deepEqual(fixture.rows(), before)
  })

  test('an event to several endpoints displaces as many of the oldest deliveries', async () => {
    const setup = await openWebhookSetup()
    for (let count = 0; count < 3; count++) openEndpoint(setup)
    payOut(setup)
    const oldest = openDeliveries(setup).map(({ id }) => id)
    fillShare(setup, 3)
    payOut(setup)
    const open = openDeliveries(setup).map(({ id }) => id)
    assert.deepEqual([open.length, open.some((id) => oldest.includes(id))], [3, false])
  })

  test('the deliveries of 100 strangers take no room from another merchant', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    fillByStrangers(setup.fixture.state, OPEN_DELIVERIES, 'test', 100)
    for (let count = 0; count < 50; count++) payOut(setup)
    assert.equal(openDeliveries(setup).length, 50)
  })

  test('without room and without an open delivery of its own a delivery does not begin, and a redelivery is refused', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    openEndpoint(setup)
    fillQuota(fixture.state, OPEN_DELIVERIES, { part: 'test', holder: 'all', rows: OPEN_DELIVERIES.max.test ?? 0 })
    payOut(setup)
    const position = (fixture.engine.lastSequence * 4096 + 1) as Position
    assert.equal(stateOf(setup, { position }), 'none')
    const { kind, body, retryAfterS } = fixture.do({ type: 'Redeliver', merchant, position })
    const { code, param } = JSON.parse(body) as { code: string; param: string }
    assert.deepEqual([kind, code, param, retryAfterS], ['rate_limited', 'quota_exceeded', 'open_deliveries', 60])
  })

  function redeliver({ fixture, merchant }: WebhookEngineFixture, position: Position): string {
    return (JSON.parse(fixture.do({ type: 'Redeliver', merchant, position }).body) as { delivery_state: string }).delivery_state
  }

  /** So many rows of the merchant that `open` more fill its share. */
  function fillShare({ fixture, merchant }: WebhookEngineFixture, open: number): void {
    fillQuota(fixture.state, OPEN_DELIVERIES, { part: 'test', holder: merchant, rows: OPEN_DELIVERIES.share - open })
  }

  function undelivered({ fixture, merchant }: WebhookEngineFixture): readonly Position[] {
    return fixture.engine.query('webhookEvents.undelivered', { account: merchant }) ?? []
  }
})
