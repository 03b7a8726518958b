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
  readonly stage: EngineFixture
  readonly merchant: AccountNumber
}

/** A merchant with money on the test account, and a wallet to pay: each payout is an event for the endpoints that ask for it. */
export async function openWebhookScene(): Promise<WebhookEngineFixture> {
  const stage = await EngineFixture.open()
  const { test: merchant } = openMerchant(stage, 'boutique', 1_000_000)
  openWallet(stage, 'awa')
  return { stage, merchant }
}

/** Answers its id. */
export function openEndpoint(
  { stage, merchant }: WebhookEngineFixture,
  events: readonly MerchantEventType[] = ['payout.paid'],
  url = URL_A,
): string {
  const { kind, body } = stage.do({ type: 'CreateEndpoint', merchant, url, events, description: '', sealedSecret: 'sealed:v1:a' })
  assert.equal(kind, 'created', body)
  return (JSON.parse(body) as { id: string }).id
}

/** One event for each endpoint that asks for `payout.paid`. */
export function payOut({ stage, merchant }: WebhookEngineFixture): void {
  assert.equal(stage.do(payout(merchant, 'awa', 1)).kind, 'created')
}

export function openDeliveries({ stage }: WebhookEngineFixture): Delivery[] {
  return [...stage.state.webhooks.deliveries.values()]
}

export function onlyDelivery(scene: WebhookEngineFixture): Delivery {
  const [delivery, ...more] = openDeliveries(scene)
  assert.ok(delivery !== undefined && more.length === 0, 'one delivery is open')
  return delivery
}

export function eventOf({ stage }: WebhookEngineFixture, { position }: { readonly position: Position }): MerchantEvent {
  const { history } = stage.engine
  return merchantEventOf(history.eventAt(position), history) as MerchantEvent
}

/** The result of an attempt at the delivery: 200 in the middle of the jitter unless the row says otherwise. */
export function resultOf(scene: WebhookEngineFixture, delivery: Delivery, more: Partial<DeliveryResult> = {}): DeliveryResult {
  const { id, type } = eventOf(scene, delivery)
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

export function record({ stage }: WebhookEngineFixture, results: readonly DeliveryResult[]): Outcome {
  return stage.do({ type: 'RecordDeliveries', environment: 'test', results })
}

/** The rows that the last record left. */
export function lastAttempts({ stage }: WebhookEngineFixture): DeliveryAttempt[] {
  const events = stage.records.at(-1)?.events ?? []
  return events.filter(({ type }) => type === 'delivery.attempted').map((event) => payloadOf<DeliveryAttempt>(event))
}

export function stateOf(scene: WebhookEngineFixture, at: { readonly position: Position }): string {
  const { stage, merchant } = scene
  return deliveryState(deliveriesOf(stage.state, stage.engine.history, merchant, eventOf(scene, at)))
}
