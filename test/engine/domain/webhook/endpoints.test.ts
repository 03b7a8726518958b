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
  openWebhookScene,
  payOut,
  URL_A,
  type WebhookEngineFixture,
} from '../../../support/webhook-engine.ts'

function update(scene: WebhookEngineFixture, id: string, more: { url?: string; status?: 'enabled' | 'disabled' }): Record<string, unknown> {
  const { stage, merchant } = scene
  const { url = URL_A, status = null } = more
  const outcome = stage.do({ type: 'UpdateEndpoint', merchant, id, url, events: ['payout.paid'], description: 'x', status })
  return { http: outcomeStatus(outcome), ...(JSON.parse(outcome.body) as object) }
}

test('an endpoint is answered with its sealed secret, and shown without it', async () => {
  const scene = await openWebhookScene()
  const { stage, merchant } = scene
  const outcome = stage.do({
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
  const changed = update(scene, String(id), { url: 'https://boutique.example/other' })
  assert.deepEqual(
    [changed.http, changed.url, changed.events, changed.description, changed.created_at, 'secret' in changed],
    [200, 'https://boutique.example/other', ['payout.paid'], 'x', created_at, false],
  )
})

test('a merchant has no more than the maximum of endpoints', async () => {
  const scene = await openWebhookScene()
  const { stage, merchant } = scene
  const ids = Array.from({ length: ENDPOINTS_MAX }, () => openEndpoint(scene))
  const oneMore = { type: 'CreateEndpoint', merchant, url: URL_A, events: ['payout.paid'], description: '', sealedSecret: '' } as const
  assert.match(stage.do(oneMore).body, /too_many_webhook_endpoints/)
  stage.do({ type: 'DeleteEndpoint', merchant, id: String(ids[0]) })
  assert.equal(stage.do(oneMore).kind, 'created')
})

test('a merchant cannot touch endpoints of another one', async () => {
  const scene = await openWebhookScene()
  const { stage } = scene
  const id = openEndpoint(scene)
  const other = openMerchant(stage, 'autre').test
  const strangers = { ...scene, merchant: other }
  assert.equal(update(strangers, id, {}).code, 'not_found')
  for (const type of ['DeleteEndpoint', 'PingEndpoint'] as const) assert.match(stage.do({ type, merchant: other, id }).body, /not_found/)
  assert.match(stage.do({ type: 'RotateSecret', merchant: other, id, sealedSecret: 's', overlapS: 0 }).body, /not_found/)
})

test('a rotation keeps the secret before for as long as was asked, and no longer', async () => {
  const scene = await openWebhookScene()
  const { stage, merchant } = scene
  const id = openEndpoint(scene)
  const rotate = (sealedSecret: string, overlapS: number): unknown =>
    (JSON.parse(stage.do({ type: 'RotateSecret', merchant, id, sealedSecret, overlapS }).body) as { secret: string }).secret
  assert.equal(rotate('sealed:v1:b', 3600), 'sealed:v1:b')
  const untilMs = stage.loop.nowMs + 3_600_000
  assert.deepEqual(stage.state.webhooks.endpoints.get(id)?.previous_secret, { sealed: 'sealed:v1:a', untilMs })
  assert.equal(rotate('sealed:v1:c', 0), 'sealed:v1:c')
  assert.equal(stage.state.webhooks.endpoints.get(id)?.previous_secret, null)
})

test('who disables an endpoint is written down, and forgotten when it is enabled again', async () => {
  const scene = await openWebhookScene()
  const id = openEndpoint(scene)
  assert.deepEqual(pick(update(scene, id, { status: 'disabled' })), ['disabled', 'by_merchant'])
  assert.deepEqual(pick(update(scene, id, {})), ['disabled', 'by_merchant'])
  payOut(scene)
  assert.deepEqual(openDeliveries(scene), [])
  assert.deepEqual(pick(update(scene, id, { status: 'enabled' })), ['enabled', null])
  payOut(scene)
  assert.equal(onlyDelivery(scene).endpoint_id, id)
})

function pick(endpoint: Record<string, unknown>): unknown[] {
  return [endpoint.status, endpoint.disabled_reason]
}

test('a ping goes to the one endpoint, for any list of event types, enabled or not', async () => {
  const scene = await openWebhookScene()
  const { stage, merchant } = scene
  openEndpoint(scene)
  const id = openEndpoint(scene, ['charge.succeeded'])
  update(scene, id, { status: 'disabled' })
  const outcome = stage.do({ type: 'PingEndpoint', merchant, id })
  const delivery = onlyDelivery(scene)
  assert.equal(delivery.endpoint_id, id)
  const event = eventOf(scene, delivery)
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
