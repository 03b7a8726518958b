// Merchant events as their merchant knows them: those that have a record of their own, and those of payouts and batches,
// which are read from the payout or batch itself, so that a payout costs no second record.
import { batchHeadOf } from './payout/batch-events.ts'
import type { Payout } from './payout/payout-state.ts'
import { type LogRecord, payloadOf, type StoredEvent, textOf } from './record.ts'
import type { MerchantEvent } from './webhook/webhook-events.ts'
import { READ_FROM_RECORDS } from './webhook/webhook-state.ts'

const DERIVED: ReadonlySet<string> = new Set(READ_FROM_RECORDS)
const NONE: ReadonlySet<string> = new Set()

/** Whether the merchant's list may show this event of the log. */
export function isMerchantEvent({ type }: StoredEvent): boolean {
  return type === 'merchant_event.recorded' || DERIVED.has(type)
}

/** The event that the merchant sees; null for events of the log that it does not. */
export function merchantEventOf(event: StoredEvent): MerchantEvent | null {
  if (event.type === 'merchant_event.recorded') return payloadOf<MerchantEvent>(event)
  return DERIVED.has(event.type) ? new DerivedEvent(event) : null
}

/**
 * Ids of the payouts and batches of a record that have an event of their own in it: an endpoint asked for their type when
 * they were decided. That event takes the place of the derived one.
 */
export function recordedBeside({ events }: Pick<LogRecord, 'events'>): ReadonlySet<string> {
  if (events.length === 1) return NONE
  const ids = new Set<string>()
  for (const event of events) {
    if (event.type !== 'merchant_event.recorded') continue
    const id = derivedIdOf(payloadOf<MerchantEvent>(event))
    if (id !== null) ids.add(id)
  }
  return ids
}

/** The payout or batch that a recorded event takes the place of; null for other types. */
export function derivedIdOf({ type, data }: MerchantEvent): string | null {
  return DERIVED.has(type) ? (data as { readonly id: string }).id : null
}

/** Reads as a recorded one without deliveries of its own; its id is that of the payout or batch. */
export class DerivedEvent implements MerchantEvent {
  readonly id: string
  readonly type: MerchantEvent['type']
  readonly environment: MerchantEvent['environment']
  readonly created_at: string
  readonly deliveries = []
  readonly #event: StoredEvent

  constructor(event: StoredEvent) {
    const { id, environment, created_at } = event.type === 'batch.completed' ? batchHeadOf(event) : payloadOf<Payout>(event)
    this.id = id
    this.type = event.type as MerchantEvent['type']
    this.environment = environment
    this.created_at = created_at
    this.#event = event
  }

  get data(): object {
    return payloadOf(this.#event)
  }

  /** JSON text of the data, without making the data. */
  get dataText(): string {
    return textOf(this.#event)
  }
}
