// Endpoints as commands: made, changed, deleted, their secrets rotated, pinged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS_MAX } from '../../../../engine/domain/webhook/webhook-limits.ts'
import { openMerchant } from '../../../support/commands.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'
import {
  eventOf,
  onlyDelivery,
  openDeliveries,
  openEndpoint,
  openWebhookSetup,
  payOut,
  URL_A,
  type WebhookEngineFixture,
} from '../../../support/webhook-engine.ts'

function update(setup: WebhookEngineFixture, id: string, more: { url?: string; status?: 'enabled' | 'disabled' }): Record<string, unknown> {
  const { fixture, merchant } = setup
  const { url = URL_A, status = null } = more
  const outcome = fixture.do({ type: 'UpdateEndpoint', merchant, id, url, events: ['payout.paid'], description: 'x', status })
  return { http: outcomeStatus(outcome), ...(JSON.parse(outcome.body) as object) }
}

test('an endpoint is answered with its sealed secret, and shown without it', async () => {
  const setup = await openWebhookSetup()
  const { fixture, merchant } = setup
  const outcome = fixture.do({
    type: 'CreateEndpoint',
    merchant,
    url: URL_A,
    events: ['charge.succeeded'],
    description: 'Caisse',
    sealedSecret: 'sealed:v1:a',
  })
  const { id, created_at, ...rest } = JSON.parse(outcome.body) as Record<string, unknown>
  assert.equal(outcome.kind, 'created')
  assert.deepEqual(rest, {
    url: URL_A,
    events: ['charge.succeeded'],
    description: 'Caisse',
    status: 'enabled',
    disabled_reason: null,
    environment: 'test',
    secret: 'sealed:v1:a',
  })
  const changed = update(setup, String(id), { url: 'https://boutique.example/other' })
  assert.deepEqual(
    [changed.http, changed.url, changed.events, changed.description, changed.created_at, 'secret' in changed],
    [200, 'https://boutique.example/other', ['payout.paid'], 'x', created_at, false],
  )
})

test('a merchant has no more than the maximum of endpoints', async () => {
  const setup = await openWebhookSetup()
  const { fixture, merchant } = setup
  const ids = Array.from({ length: ENDPOINTS_MAX }, () => openEndpoint(setup))
  const oneMore = { type: 'CreateEndpoint', merchant, url: URL_A, events: ['payout.paid'], description: '', sealedSecret: '' } as const
  assert.match(fixture.do(oneMore).body, /too_many_webhook_endpoints/)
  fixture.do({ type: 'DeleteEndpoint', merchant, id: String(ids[0]) })
  assert.equal(fixture.do(oneMore).kind, 'created')
})

test('a merchant cannot touch endpoints of another one', async () => {
  const setup = await openWebhookSetup()
  const { fixture } = setup
  const id = openEndpoint(setup)
  const other = openMerchant(fixture, 'autre').test
  const strangers = { ...setup, merchant: other }
  assert.equal(update(strangers, id, {}).code, 'not_found')
  for (const type of ['DeleteEndpoint', 'PingEndpoint'] as const) assert.match(fixture.do({ type, merchant: other, id }).body, /not_found/)
  assert.match(fixture.do({ type: 'RotateSecret', merchant: other, id, sealedSecret: 's', overlapS: 0 }).body, /not_found/)
})

test('a rotation keeps the secret before for as long as was asked, and no longer', async () => {
  const setup = await openWebhookSetup()
  const { fixture, merchant } = setup
  const id = openEndpoint(setup)
  const rotate = (sealedSecret: string, overlapS: number): unknown =>
    (JSON.parse(fixture.do({ type: 'RotateSecret', merchant, id, sealedSecret, overlapS }).body) as { secret: string }).secret
  assert.equal(rotate('sealed:v1:b', 3600), 'sealed:v1:b')
  const untilMs = fixture.loop.nowMs + 3_600_000
  assert.deepEqual(fixture.state.webhooks.endpoints.get(id)?.previous_secret, { sealed: 'sealed:v1:a', untilMs })
  assert.equal(rotate('sealed:v1:c', 0), 'sealed:v1:c')
  assert.equal(fixture.state.webhooks.endpoints.get(id)?.previous_secret, null)
})

test('who disables an endpoint is written down, and forgotten when it is enabled again', async () => {
  const setup = await openWebhookSetup()
  const id = openEndpoint(setup)
  assert.deepEqual(pick(update(setup, id, { status: 'disabled' })), ['disabled', 'by_merchant'])
  assert.deepEqual(pick(update(setup, id, {})), ['disabled', 'by_merchant'])
  payOut(setup)
  assert.deepEqual(openDeliveries(setup), [])
  assert.deepEqual(pick(update(setup, id, { status: 'enabled' })), ['enabled', null])
  payOut(setup)
  assert.equal(onlyDelivery(setup).endpoint_id, id)
})

function pick(endpoint: Record<string, unknown>): unknown[] {
  return [endpoint.status, endpoint.disabled_reason]
}

test('a ping goes to the one endpoint, for any list of event types, enabled or not', async () => {
  const setup = await openWebhookSetup()
  const { fixture, merchant } = setup
  openEndpoint(setup)
  const id = openEndpoint(setup, ['charge.succeeded'])
  update(setup, id, { status: 'disabled' })
  const outcome = fixture.do({ type: 'PingEndpoint', merchant, id })
  const delivery = onlyDelivery(setup)
  assert.equal(delivery.endpoint_id, id)
  const event = eventOf(setup, delivery)
  assert.deepEqual([event.type, event.data], ['ping', { endpoint_id: id }])
  assert.deepEqual(JSON.parse(outcome.body), {
    id: event.id,
    type: 'ping',
    environment: 'test',
    created_at: event.created_at,
    data: { endpoint_id: id },
    delivery_state: 'pending',
  })
})
