// Webhook deliveries of large batches: how they are spread over turns, and that each event reaches each endpoint once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { payloadOf } from '../../../../engine/domain/record.ts'
import type { DeliveryAttempt, MerchantEventHead, ReopenedDelivery } from '../../../../engine/domain/webhook/webhook-events.ts'
import {
  FAN_OUT_AHEAD,
  FAN_OUT_DELIVERIES,
  FAN_OUT_PAUSE_MS,
  FAN_OUT_WAIT_MS,
  FAN_OUTS,
  RESULTS_PER_COMMAND_MAX,
} from '../../../../engine/domain/webhook/webhook-limits.ts'
import type { Delivery } from '../../../../engine/domain/webhook/webhook-state.ts'
import { type Position, positionOf } from '../../../../engine/kernel/position.ts'
import { readBatchLines } from '../../../support/batch-lines.ts'
import { openMerchant } from '../../../support/commands.ts'
import { fillQuota } from '../../../support/filled-quota.ts'
import {
  openDeliveries,
  openEndpoint,
  openWebhookSetup,
  record,
  resultOf,
  stateOf,
  type WebhookEngineFixture,
} from '../../../support/webhook-engine.ts'

describe('the deliveries of a large batch', () => {
  test('are opened by turns of a bounded size: each event goes once to each endpoint that asks for it', async () => {
    const setup = await openWebhookSetup()
    const { fixture } = setup
    for (let count = 0; count < 5; count++) openEndpoint(setup)
    openEndpoint(setup, ['batch.completed'])
    sendBatch(setup, 100)
    untilOpened(setup)
    const opened = fixture.records.map(({ events }) => events.filter(({ type }) => type === 'delivery.reopened').length)
    assert.ok(
      opened.every((count) => count <= FAN_OUT_DELIVERIES),
      opened.join(' '),
    )
    const events = recorded(setup)
    assert.equal(events.length, 101)
    assert.ok(events.every(({ deliveries }) => deliveries.length === 0))
    const open = fixture.records.flatMap(({ events: all }) => all.filter(({ type }) => type === 'delivery.reopened'))
    const targets = open.map((event) => payloadOf<ReopenedDelivery>(event)).map((one) => `${one.event_id} ${one.delivery.endpoint_id}`)
    assert.equal(new Set(targets).size, 100 * 5 + 1)
    assert.equal(targets.length, 100 * 5 + 1)
    assert.equal(openDeliveries(setup).length, 100 * 5 + 1)
    assert.equal(fixture.state.webhooks.fanOuts.size, 0)
  })

  test('of a batch with few of them are opened in its own record', async () => {
    const setup = await openWebhookSetup()
    openEndpoint(setup)
    sendBatch(setup, FAN_OUT_DELIVERIES)
    assert.equal(openDeliveries(setup).length, FAN_OUT_DELIVERIES)
    assert.ok(!setup.fixture.records.some(({ events }) => events.some(({ type }) => type === 'fan_out.planned')))
  })

  test('go on after a crash where they stood, and none is opened twice', async () => {
    const setup = await openWebhookSetup()
    const { fixture } = setup
    for (let count = 0; count < 5; count++) openEndpoint(setup)
    sendBatch(setup, 100, 'without its turns')
    const waiting = [...fixture.state.webhooks.fanOuts.values()]
    assert.equal(waiting.length, 1)
    const before = fixture.rows()
    await fixture.start()
    untilOpened(setup)
    assert.notDeepEqual(fixture.rows(), before)
    assert.equal(openDeliveries(setup).length, 500)
    assert.equal(new Set(openDeliveries(setup).map(({ position, endpoint_id }) => `${position} ${endpoint_id}`)).size, 500)
    const after = fixture.rows()
    await fixture.start()
    assert.deepEqual(fixture.rows(), after)
  })

  test('are pending before their turn, and asking for them by hand opens none of them twice', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    for (let count = 0; count < 5; count++) openEndpoint(setup)
    sendBatch(setup, 100, 'without its turns')
    const position = lastEvent(setup)
    assert.equal(stateOf(setup, { position }), 'pending')
    assert.ok((fixture.engine.query('webhookEvents.undelivered', { account: merchant }) ?? []).includes(position))
    const sent = fixture.send({ type: 'Redeliver', merchant, position })
    untilOpened(setup)
    assert.equal((JSON.parse(sent.outcome?.body ?? '{}') as { delivery_state: string }).delivery_state, 'pending')
    assert.equal(openDeliveries(setup).filter((delivery) => delivery.position === position).length, 5)
    assert.equal(openDeliveries(setup).length, 500)
  })

  test('of many batches of one merchant wait behind each other, and those of another take every second turn', async () => {
    const setup = await openWebhookSetup()
    const { fixture } = setup
    const other = { ...setup, merchant: openMerchant(fixture, 'autre', 1_000_000).test }
    for (let count = 0; count < 5; count++) for (const one of [setup, other]) openEndpoint(one)
    for (let count = 0; count < 4; count++) sendBatch(setup, 50, 'without its turns')
    sendBatch(other, 50, 'without its turns')
    const due = [...fixture.state.webhooks.fanOuts.values()].filter(({ dueMs }) => dueMs !== null)
    assert.deepEqual(
      due.map(({ account }) => account),
      [setup.merchant, other.merchant],
    )
    const before = fixture.records.length
    untilOpened(setup)
    const turns = fixture.records.slice(before).flatMap(({ events, timeMs }) => {
      const opened = events.find(({ type }) => type === 'fan_out.advanced')
      return opened === undefined ? [] : [{ account: opened.account, timeMs }]
    })
    const ofOther = turns.flatMap(({ account }, index) => (account === other.merchant ? [index] : []))
    assert.ok(ofOther.length > 3 && (ofOther.at(-1) as number) <= 2 * ofOther.length, ofOther.join(' '))
    const alone = turns.slice((ofOther.at(-1) as number) + 1)
    const pauses = alone.slice(1).map(({ timeMs }, index) => timeMs - (alone[index] as { timeMs: number }).timeMs)
    assert.ok(
      pauses.every((pauseMs) => pauseMs >= FAN_OUT_PAUSE_MS),
      pauses.join(' '),
    )
    assert.equal(openDeliveries(setup).length, 1250)
  })

  test('wait while every endpoint has enough that were not tried, and go on when half of them were', async () => {
    const setup = await openWebhookSetup()
    const { fixture } = setup
    const endpoint = openEndpoint(setup)
    for (let count = 0; count < 2; count++) sendBatch(setup, 400, 'without its turns')
    runTurns(setup, 50)
    const waiting = openDeliveries(setup)
    assert.ok(waiting.length >= FAN_OUT_AHEAD && waiting.length < FAN_OUT_AHEAD + FAN_OUT_DELIVERIES, String(waiting.length))
    const later = [...fixture.state.webhooks.fanOuts.values()].flatMap(({ dueMs }) => dueMs ?? [])
    assert.equal(later.length, 1)
    tryAll(setup, waiting.slice(0, waiting.length - FAN_OUT_AHEAD / 2 - 1))
    runTurns(setup, 2)
    assert.equal(fixture.state.webhooks.untriedOf(endpoint), FAN_OUT_AHEAD / 2 + 1)
    // Retries that wait are no reason to wait: an endpoint that is down for hours still gets a first attempt of each.
    tryAll(
      setup,
      openDeliveries(setup)
        .filter(({ attempts }) => attempts === 0)
        .slice(0, 1),
      500,
    )
    runTurns(setup, 50)
    assert.ok(fixture.state.webhooks.untriedOf(endpoint) >= FAN_OUT_AHEAD)
    for (let round = 0; round < 20; round++) {
      tryAll(
        setup,
        openDeliveries(setup).filter(({ attempts }) => attempts === 0),
      )
      runTurns(setup, 10)
    }
    assert.equal(fixture.state.webhooks.fanOuts.size, 0)
    assert.equal(attempted(setup).size, 800)
  })

  test('go on for an endpoint that answers beside one that does not, and slowly where none does', async () => {
    const setup = await openWebhookSetup()
    const { fixture } = setup
    const silent = openEndpoint(setup)
    const answering = openEndpoint(setup)
    for (let count = 0; count < 2; count++) sendBatch(setup, 400, 'without its turns')
    for (let round = 0; round < 40; round++) {
      runTurns(setup, 5)
      tryAll(
        setup,
        openDeliveries(setup).filter(({ endpoint_id }) => endpoint_id === answering),
      )
    }
    assert.equal(attempted(setup).size, 800)
    assert.equal(fixture.state.webhooks.untriedOf(silent), 800)
    sendBatch(setup, 400, 'without its turns')
    runTurns(setup, 50)
    const before = openDeliveries(setup).length
    fixture.loop.advance(FAN_OUT_WAIT_MS)
    fixture.settle()
    assert.equal(openDeliveries(setup).length, before + FAN_OUT_DELIVERIES)
  })

  test('of the oldest batch are left out where a merchant has too many that wait: the newest are opened', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    for (let count = 0; count < 5; count++) openEndpoint(setup)
    const positions = ['oldest', 'second', 'newest'].map((_, index) => {
      if (index === 2) fillQuota(fixture.state, FAN_OUTS, { part: 'test', holder: merchant, rows: FAN_OUTS.share - 2 })
      sendBatch(setup, 50, 'without its turns')
      return lastEvent(setup)
    })
    assert.equal(fixture.state.webhooks.fanOuts.size, 2)
    assert.deepEqual(
      positions.map((position) => stateOf(setup, { position })),
      ['none', 'pending', 'pending'],
    )
    const ofTheOldest = openDeliveries(setup).length
    assert.ok(ofTheOldest < 50 * 5)
    const before = fixture.rows()
    await fixture.start()
    assert.deepEqual(fixture.rows(), before)
    untilOpened(setup)
    assert.equal(openDeliveries(setup).length, ofTheOldest + 2 * 50 * 5)
  })

  test('are not begun where the merchant has too many batches that wait, and a redelivery begins them', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    for (let count = 0; count < 5; count++) openEndpoint(setup)
    fillQuota(fixture.state, FAN_OUTS, { part: 'test', holder: merchant, rows: FAN_OUTS.share })
    sendBatch(setup, 100)
    const position = lastEvent(setup)
    assert.equal(openDeliveries(setup).length, 0)
    assert.equal(stateOf(setup, { position }), 'none')
    assert.equal(fixture.do({ type: 'Redeliver', merchant, position }).kind, 'ok')
    assert.equal(stateOf(setup, { position }), 'pending')
    assert.equal(openDeliveries(setup).length, 5)
  })
})

/** Pays so many lines. `without its turns`: no turn of the fan-out has run. */
function sendBatch({ fixture, merchant }: WebhookEngineFixture, count: number, turns?: 'without its turns'): void {
  const items = Array.from({ length: count }, (_, index) => ({ recipient: 'awa', amount: 1 + index, reference: '', note: '' }))
  const command = { type: 'CreateBatch', merchant, lines: readBatchLines(items), reference: 'paie', scheduleId: null } as const
  if (turns === undefined) assert.equal(fixture.do(command).kind, 'created')
  else {
    const sent = fixture.send(command)
    while (sent.outcome === null) {
      fixture.loop.turn()
      fixture.disk.runAll()
    }
  }
}

function untilOpened({ fixture }: WebhookEngineFixture): void {
  for (let turn = 0; turn < 100 && fixture.state.webhooks.fanOuts.size > 0; turn++) {
    fixture.settle()
    fixture.loop.advance(FAN_OUT_PAUSE_MS)
  }
  fixture.settle()
}

function runTurns({ fixture }: WebhookEngineFixture, count: number): void {
  for (let turn = 0; turn < count; turn++) {
    fixture.settle()
    fixture.loop.advance(FAN_OUT_PAUSE_MS)
  }
  fixture.settle()
}

function tryAll(setup: WebhookEngineFixture, deliveries: readonly Delivery[], httpStatus = 200): void {
  for (let from = 0; from < deliveries.length; from += RESULTS_PER_COMMAND_MAX) {
    const part = deliveries.slice(from, from + RESULTS_PER_COMMAND_MAX)
    assert.equal(
      record(
        setup,
        part.map((delivery) => resultOf(setup, delivery, { httpStatus })),
      ).kind,
      'ok',
    )
  }
}

/** Ids of the deliveries that had an attempt. */
function attempted({ fixture }: WebhookEngineFixture): Set<string> {
  const attempts = fixture.records.flatMap(({ events }) => events.filter(({ type }) => type === 'delivery.attempted'))
  return new Set(attempts.map((event) => payloadOf<DeliveryAttempt>(event).delivery_id))
}

function recorded({ fixture }: WebhookEngineFixture): MerchantEventHead[] {
  return fixture.records.flatMap(({ events }) =>
    events.filter(({ type }) => type === 'merchant_event.recorded').map((event) => payloadOf<MerchantEventHead>(event)),
  )
}

/** The place of the newest `payout.paid` of a merchant in the log. */
function lastEvent({ fixture }: WebhookEngineFixture): Position {
  const record = fixture.records.findLast(({ events }) =>
    events.some(({ type }) => type === 'fan_out.planned' || type === 'batch.completed'),
  )
  assert.ok(record !== undefined)
  const index = record.events.findLastIndex(({ type }) => type === 'merchant_event.recorded')
  return positionOf(record.sequence, index)
}
