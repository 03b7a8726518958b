// Index keys of webhook events and their deliveries.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { DeliveryAttempt, MerchantEventHead, ReopenedDelivery } from './webhook-events.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const WEBHOOK_INDEX_KEYS = {
  merchantEvent: 60,
  merchantEvents: 61,
  merchantEventsByType: 62,
  delivery: 63,
  deliveryAttempts: 64,
  undelivered: 65,
} as const

const KEYS = WEBHOOK_INDEX_KEYS

export const WEBHOOK_INDEXED = {
  'merchant_event.recorded': indexMerchantEvent,
  'delivery.attempted': indexAttempt,
  'delivery.reopened': indexReopened,
} as const

function indexMerchantEvent(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { id, type, deliveries, later } = payloadOf<MerchantEventHead>(event)
  entries.addEntry(KEYS.merchantEvent, 0, id, index)
  entries.addEntry(KEYS.merchantEvents, event.account, '', index)
  entries.addEntry(KEYS.merchantEventsByType, event.account, type, index)
  const isIncomplete = later === true || deliveries.some(({ dropped, displaces }) => dropped === true || displaces !== undefined)
  if (isIncomplete) entries.addEntry(KEYS.undelivered, event.account, '', index)
}

function indexAttempt(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { event_id, endpoint_id, state } = payloadOf<DeliveryAttempt>(event)
  entries.addEntry(KEYS.delivery, 0, `${event_id}:${endpoint_id ?? ''}`, index)
  if (endpoint_id !== null) entries.addEntry(KEYS.deliveryAttempts, event.account, endpoint_id, index)
  if (state !== 'succeeded') entries.addEntry(KEYS.undelivered, event.account, '', index)
}

function indexReopened(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { event_id, delivery, displaces } = payloadOf<ReopenedDelivery>(event)
  if (displaces !== undefined) entries.addEntry(KEYS.undelivered, event.account, '', index)
  entries.addEntry(KEYS.delivery, 0, `${event_id}:${delivery.endpoint_id ?? ''}`, index)
}

/** The merchant's event with this id. */
export function merchantEventIndexKey(id: string): IndexKey {
  return { kind: KEYS.merchantEvent, owner: 0, value: id }
}

/** All webhook events of the merchant, or those of one type. */
export function merchantEventsIndexKey(merchant: AccountNumber, type?: string): IndexKey {
  return {
    kind: type === undefined ? KEYS.merchantEvents : KEYS.merchantEventsByType,
    owner: merchant,
    value: type ?? '',
  }
}

/** What became of the delivery of an event to an endpoint; null stands for a charge's own address. */
export function deliveryIndexKey(eventId: string, endpointId: string | null): IndexKey {
  return { kind: KEYS.delivery, owner: 0, value: `${eventId}:${endpointId ?? ''}` }
}

/** The delivery log of an endpoint. */
export function deliveryAttemptsIndexKey(merchant: AccountNumber, endpointId: string): IndexKey {
  return { kind: KEYS.deliveryAttempts, owner: merchant, value: endpointId }
}

/** Attempts that failed, and events whose delivery was never begun or displaced another: some of them were delivered since. */
export function undeliveredIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: KEYS.undelivered, owner: merchant, value: '' }
}
