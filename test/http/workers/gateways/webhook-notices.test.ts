// What the development inbox shows of webhooks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineApi } from '../../../../engine/api.ts'
import { event } from '../../../../engine/domain/decision.ts'
import type { MerchantEventHead } from '../../../../engine/domain/webhook/webhook-events.ts'
import { Inbox } from '../../../../http/workers/gateways/inbox.ts'
import { WebhookNotices } from '../../../../http/workers/gateways/webhook-notices.ts'

const EVENT: MerchantEventHead = { id: 'a', type: 'payout.paid', environment: 'test', created_at: '', deliveries: [] }
const NO_ENGINE = { query: () => null } as unknown as Pick<EngineApi, 'query'>

test('the inbox shows an event without an endpoint as unsent, and not one whose deliveries a fan-out opens', () => {
  const inbox = new Inbox()
  const notices = new WebhookNotices(NO_ENGINE, inbox)
  const recorded = [EVENT, { ...EVENT, later: true } as const].map((payload) => event('merchant_event.recorded', 1, 1, payload))
  const parts = { transactions: [], frames: [], idempotency: null }
  notices.record({ sequence: 1, timeMs: 0, command: 'CreateBatch', environment: 'test', events: recorded, ...parts })
  assert.equal(inbox.lastNumber, 1)
})
