// Webhook events as the log stores them, without the endpoints.
import type { Immutable } from '../../contract/schema.ts'
import type { DeliveryAttempt as ShapeDeliveryAttempt } from '../../contract/webhook.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import type { Delivery, MerchantEventType } from './webhook-state.ts'

/** Fields of `merchant_event.recorded` beside its data. */
export interface MerchantEventHead {
  readonly id: string
  readonly type: MerchantEventType
  readonly environment: Environment
  readonly created_at: string
  readonly deliveries: readonly PlannedDelivery[]
  /** Present: turns of a fan-out open its deliveries. Where the quota had no room, a redelivery by hand does. */
  readonly later?: true
}

/** A webhook event with its data. */
export interface MerchantEvent extends MerchantEventHead {
  readonly data: object
}

/** Reference to the data of an event: the event of the log that wrote the document, in the state that it reports. */
export interface DocumentReference {
  readonly document_position: Position
  /** Merchant of a charge, whose own document has no merchant id. */
  readonly merchant_id?: string
}

/** The payload of `merchant_event.recorded`: with its own data, or with the position of the document that is its data. */
export type RecordedMerchantEvent = MerchantEvent | (MerchantEventHead & DocumentReference)

/** Returns the JSON text that endpoints receive. The signature covers exactly this text in UTF-8. */
export function webhookBody({ type, data }: Pick<MerchantEvent, 'type' | 'data'>): string {
  return JSON.stringify({ type, data })
}

/**
 * `dropped`: the quota had no room, so this one was not started; a redelivery starts it. `displaces`: the account's oldest open
 * delivery, which ended for this one.
 */
export interface PlannedDelivery extends Pick<Delivery, 'id' | 'endpoint_id' | 'url'> {
  readonly dropped?: true
  readonly displaces?: DisplacedDelivery
}

/** A delivery that ended without a result, and the position of its event. */
export type DisplacedDelivery = Pick<Delivery, 'id' | 'position'>

/** The payload of `delivery.attempted`: one row of the delivery log, and the next state of the delivery. */
export type DeliveryAttempt = Immutable<ShapeDeliveryAttempt>

/** The payload of `delivery.reopened`. */
export interface ReopenedDelivery {
  readonly event_id: string
  readonly delivery: Delivery
  readonly displaces?: DisplacedDelivery
}

/** The payload of `fan_out.planned`: the merchant events from `first` up to `end`, without it, in this record. */
export interface PlannedFanOut {
  readonly first: Position
  readonly end: Position
}

/** The payload of `fan_out.advanced`: the deliveries of the events before `next` are opened. */
export interface AdvancedFanOut {
  readonly id: string
  readonly next: Position
}
