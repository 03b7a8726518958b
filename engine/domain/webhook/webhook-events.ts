// What the log keeps of webhooks, beside the endpoints themselves. A released version never changes: add the next.
import type { Environment } from '../../kernel/environment.ts'
import type { Delivery, MerchantEventType } from './webhook-state.ts'

/** Version 1 of `merchant_event.recorded`. */
export interface MerchantEvent {
  readonly id: string
  readonly type: MerchantEventType
  readonly environment: Environment
  readonly created_at: string
  readonly data: object
  readonly deliveries: readonly PlannedDelivery[]
}

/** `dropped`: so many were open that this one was not begun; a redelivery by hand begins it. */
export interface PlannedDelivery extends Pick<Delivery, 'id' | 'endpoint_id' | 'url'> {
  readonly dropped?: true
}

/** Version 1 of `delivery.attempted`: one row of the delivery log, and what becomes of the delivery. */
export interface DeliveryAttempt {
  readonly id: string
  readonly delivery_id: string
  readonly event_id: string
  readonly endpoint_id: string | null
  readonly attempt: number
  readonly http_status: number | null
  /** Why there is no status. */
  readonly error: string | null
  readonly duration_ms: number
  /** `pending`: it failed and is tried again. */
  readonly state: 'succeeded' | 'failed' | 'pending'
  readonly next_attempt_at: string | null
  readonly created_at: string
}

/** Version 1 of `delivery.reopened`. */
export interface ReopenedDelivery {
  readonly event_id: string
  readonly delivery: Delivery
}
