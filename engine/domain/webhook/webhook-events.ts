// What the log keeps of webhooks, beside the endpoints themselves. A released version never changes: add the next.
import type { Immutable } from '../../contract/schema.ts'
import type { DeliveryAttempt as ShapeDeliveryAttempt } from '../../contract/webhook.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import type { Delivery, MerchantEventType } from './webhook-state.ts'

/** What every version of `merchant_event.recorded` holds. */
export interface MerchantEventHead {
  readonly id: string
  readonly type: MerchantEventType
  readonly environment: Environment
  readonly created_at: string
  readonly deliveries: readonly PlannedDelivery[]
}

/** An event as it is read. Version 1 of `merchant_event.recorded`: with its data. */
export interface MerchantEvent extends MerchantEventHead {
  readonly data: object
}

/** Where the data of an event is: the event of the log that wrote the document, in the state that it reports. */
export interface DocumentReference {
  readonly document_position: Position
  /** Of a charge, whose own document does not name its merchant. */
  readonly merchant_id?: string
}

/** Version 2 of `merchant_event.recorded`: with its own data, or with the place of the document that is its data. */
export type RecordedMerchantEvent = MerchantEvent | (MerchantEventHead & DocumentReference)

/** JSON text that endpoints receive and that is signed: exactly this text in UTF-8. */
export function webhookBody({ type, data }: Pick<MerchantEvent, 'type' | 'data'>): string {
  return JSON.stringify({ type, data })
}

/** `dropped`: so many were open that this one was not begun; a redelivery by hand begins it. */
export interface PlannedDelivery extends Pick<Delivery, 'id' | 'endpoint_id' | 'url'> {
  readonly dropped?: true
}

/** Version 1 of `delivery.attempted`: one row of the delivery log, and what becomes of the delivery. */
export type DeliveryAttempt = Immutable<ShapeDeliveryAttempt>

/** Version 1 of `delivery.reopened`. */
export interface ReopenedDelivery {
  readonly event_id: string
  readonly delivery: Delivery
}
