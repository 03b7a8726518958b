// Webhooks in the engine: a merchant, endpoints, events and results, without any network.
import assert from 'node:assert/strict'
import type { Outcome } from '../../engine/actor/envelope.ts'
import { merchantEventOf } from '../../engine/domain/merchant-events.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { deliveriesOf, deliveryState } from '../../engine/domain/webhook/deliveries.ts'
import type { DeliveryResult } from '../../engine/domain/webhook/delivery-decide.ts'
import type { DeliveryAttempt, MerchantEvent } from '../../engine/domain/webhook/webhook-events.ts'
import type { Delivery, MerchantEventType } from '../../engine/domain/webhook/webhook-state.ts'
import type { Position } from '../../engine/kernel/position.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { openMerchant, openWallet, payout } from './commands.ts'
import { EngineFixture } from './engine-fixture.ts'

export const URL_A = 'https://boutique.example/hook'

export interface WebhookEngineFixture {
  readonly fixture: EngineFixture
  readonly merchant: AccountNumber
}

/** A merchant with money on the test account, and a wallet to pay: each payout is an event for the endpoints that ask for it. */
export async function openWebhookSetup(): Promise<WebhookEngineFixture> {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'boutique', 1_000_000)
  openWallet(fixture, 'awa')
  return { fixture, merchant }
}

/** Answers its id. */
export function openEndpoint(
  { fixture, merchant }: WebhookEngineFixture,
  events: readonly MerchantEventType[] = ['payout.paid'],
  url = URL_A,
): string {
  const { kind, body } = fixture.do({ type: 'CreateEndpoint', merchant, url, events, description: '', sealedSecret: 'sealed:v1:a' })
  assert.equal(kind, 'created', body)
  return (JSON.parse(body) as { id: string }).id
}

/** One event for each endpoint that asks for `payout.paid`. */
export function payOut({ fixture, merchant }: WebhookEngineFixture): void {
  assert.equal(fixture.do(payout(merchant, 'awa', 1)).kind, 'created')
}

export function openDeliveries({ fixture }: WebhookEngineFixture): Delivery[] {
  return [...fixture.state.webhooks.deliveries.values()]
}

export function onlyDelivery(setup: WebhookEngineFixture): Delivery {
  const [delivery, ...more] = openDeliveries(setup)
  assert.ok(delivery !== undefined && more.length === 0, 'one delivery is open')
  return delivery
}

export function eventOf({ fixture }: WebhookEngineFixture, { position }: { readonly position: Position }): MerchantEvent {
  const { history } = fixture.engine
  return merchantEventOf(history.eventAt(position), history) as MerchantEvent
}

/** The result of an attempt at the delivery: 200 in the middle of the jitter unless the row says otherwise. */
export function resultOf(setup: WebhookEngineFixture, delivery: Delivery, more: Partial<DeliveryResult> = {}): DeliveryResult {
  const { id, type } = eventOf(setup, delivery)
  return {
    deliveryId: delivery.id,
    eventId: id,
    eventType: type,
    url: URL_A,
    httpStatus: 200,
    error: null,
    durationMs: 12,
    retryAfterMs: null,
    jitter: 0.5,
    ...more,
  }
}

export function record({ fixture }: WebhookEngineFixture, results: readonly DeliveryResult[]): Outcome {
  return fixture.do({ type: 'RecordDeliveries', environment: 'test', results })
}

/** The rows that the last record left. */
export function lastAttempts({ fixture }: WebhookEngineFixture): DeliveryAttempt[] {
  const events = fixture.records.at(-1)?.events ?? []
  return events.filter(({ type }) => type === 'delivery.attempted').map((event) => payloadOf<DeliveryAttempt>(event))
}

export function stateOf(setup: WebhookEngineFixture, at: { readonly position: Position }): string {
  const { fixture, merchant } = setup
  const deliveries = deliveriesOf(fixture.state, fixture.engine.history, merchant, eventOf(setup, at))
  return deliveryState(deliveries, fixture.state.webhooks.waitsForFanOut(at.position))
}
