// Webhook deliveries in the independent model: which are planned with a record, and which moves an attempt makes.
import assert from 'node:assert/strict'
import { type LogRecord, payloadOf } from '../../../engine/domain/record.ts'
import type { DeliveryAttempt, MerchantEventHead } from '../../../engine/domain/webhook/webhook-events.ts'

export interface BookedDelivery {
  readonly eventId: string
  attempts: number
  state: 'pending' | 'succeeded' | 'failed'
}

/** What the engine's limit is meant to be, written down a second time. */
const ATTEMPTS_MAX = 9

export class WebhookBooks {
  readonly deliveries = new Map<string, BookedDelivery>()

  /** Ids of deliveries that are not over, sorted. */
  get open(): string[] {
    return [...this.deliveries].flatMap(([id, { state }]) => (state === 'pending' ? [id] : [])).sort()
  }

  /** `addresses`: of the deliveries that the record must plan. */
  audit({ events }: LogRecord, addresses: readonly string[]): void {
    const planned: (string | null)[] = []
    for (const event of events) {
      if (event.type === 'delivery.attempted') this.#attempt(payloadOf<DeliveryAttempt>(event))
      if (event.type !== 'merchant_event.recorded') continue
      const { id: eventId, deliveries } = payloadOf<MerchantEventHead>(event)
      for (const { id, url } of deliveries) {
        assert.equal(this.deliveries.has(id), false, 'a delivery is planned once')
        this.deliveries.set(id, { eventId, attempts: 0, state: 'pending' })
        planned.push(url)
      }
    }
    assert.deepEqual(planned, addresses, 'webhooks are planned as the model says')
  }

  #attempt({ delivery_id, event_id, attempt, state, http_status }: DeliveryAttempt): void {
    const delivery = this.deliveries.get(delivery_id)
    assert.ok(delivery !== undefined && delivery.state === 'pending', 'what is attempted is open')
    delivery.attempts++
    assert.deepEqual([attempt, event_id], [delivery.attempts, delivery.eventId], 'attempts are counted')
    const isGood = http_status !== null && http_status >= 200 && http_status < 300
    delivery.state = isGood ? 'succeeded' : attempt === ATTEMPTS_MAX ? 'failed' : 'pending'
    assert.equal(state, delivery.state, `attempt ${attempt} with status ${http_status}`)
  }
}
