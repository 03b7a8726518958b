// Transactional outbox: the webhook event is written in the same log record as the domain event, so neither exists
// without the other.
import { positionOf } from '../../kernel/position.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event } from '../decision.ts'
import { isProven } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { DeliveryRoom } from './delivery-room.ts'
import type { AdvancedFanOut, DocumentReference, PlannedDelivery, PlannedFanOut, RecordedMerchantEvent } from './webhook-events.ts'
import { FAN_OUT_DELIVERIES, FAN_OUTS } from './webhook-limits.ts'
import { type Delivery, type MerchantEventType, READ_FROM_RECORDS, type WebhookEndpointRow } from './webhook-state.ts'

export interface OutboxEntry {
  readonly account: AccountNumber
  readonly type: MerchantEventType
  /** Position of the document that is the data, where the log has it; else the data. */
  readonly about: DocumentReference | { readonly data: object }
  /** The charge's own address, which replaces the endpoints. */
  readonly onlyTo?: string
  /** Present: its deliveries are opened later (fan-out.ts). */
  readonly later?: true
}

type Address = Pick<Delivery, 'endpoint_id' | 'url'>

/**
 * Returns the webhook events of a change: one, or none when no endpoint subscribes to a type that is otherwise
 * derived. Deciders append them to their events; evolve opens the deliveries.
 */
export function outboxEvents(state: State, context: Context, entry: OutboxEntry): StoredEvent[] {
  const { account, type, onlyTo } = entry
  const isDerived = isReadFromRecords(type)
  if (isDerived && !state.webhooks.hasEndpoints(account)) return []
  const addresses = addressesOf(state.webhooks.endpointsOf(account), type)
  if (isDerived && addresses.length === 0) return []
  return [merchantEvent(state, context, entry, onlyTo === undefined ? addresses : [{ endpoint_id: null, url: onlyTo }])]
}

/**
 * The webhook events of many changes of one account; the first has the index `firstIndex` in the record. Where they have too many
 * deliveries for one turn, a fan-out opens them (fan-out.ts).
 */
export function manyOutboxEvents(state: State, context: Context, entries: readonly OutboxEntry[], firstIndex: number): StoredEvent[] {
  const account = entries[0]?.account
  if (account === undefined || !state.webhooks.hasEndpoints(account)) return []
  // Once a type: asking 16 endpoints for each of 500 lines took 1.4 ms.
  const endpoints = state.webhooks.endpointsOf(account)
  const types = [...new Set(entries.map(({ type }) => type))]
  const addresses = new Map(types.map((type) => [type, addressesOf(endpoints, type)]))
  const addressesFor = ({ type }: OutboxEntry): readonly Address[] => addresses.get(type) ?? []
  const wanted = entries.filter((entry) => !isReadFromRecords(entry.type) || addressesFor(entry).length > 0)
  const count = wanted.reduce((sum, entry) => sum + addressesFor(entry).length, 0)
  const isLate = count > FAN_OUT_DELIVERIES
  const events = wanted.map((entry) => merchantEvent(state, context, isLate ? { ...entry, later: true } : entry, addressesFor(entry)))
  if (!isLate) return events
  const room = roomForFanOut(state, account)
  if (room === null) return events
  const first = positionOf(context.sequence, firstIndex)
  return [...events, ...room, event('fan_out.planned', 1, account, { first, end: first + events.length } satisfies PlannedFanOut)]
}

/** Returns the events that make room for one more. The newest are kept: at its share an account's oldest ends, whose other events stay without. */
function roomForFanOut(state: State, account: AccountNumber): StoredEvent[] | null {
  if (state.quotas.use(FAN_OUTS).hasRoom(state.accounts.environment(account), account, isProven(state, account))) return []
  const oldest = state.webhooks.oldestFanOut(account)
  if (oldest === undefined) return null
  return [event('fan_out.advanced', 1, account, { id: oldest.id, next: oldest.end } satisfies AdvancedFanOut)]
}

function isReadFromRecords(type: MerchantEventType): boolean {
  return (READ_FROM_RECORDS as readonly string[]).includes(type)
}

function addressesOf(endpoints: readonly WebhookEndpointRow[], type: MerchantEventType): Address[] {
  return endpoints.filter((endpoint) => wants(endpoint, type)).map(({ id }) => ({ endpoint_id: id, url: null }))
}

/** Returns the event for these addresses, without regard to subscriptions. */
export function merchantEvent(state: State, context: Context, entry: OutboxEntry, addresses: readonly Address[]): StoredEvent {
  const { account, type, about, later } = entry
  const payload: RecordedMerchantEvent = {
    id: context.newId(),
    type,
    environment: state.accounts.environment(account),
    created_at: rfc3339(context.timeMs),
    ...about,
    ...(later === undefined ? { deliveries: plannedDeliveries(state, context, account, addresses) } : { deliveries: [], later }),
  }
  return event('merchant_event.recorded', 1, account, payload)
}

function plannedDeliveries(state: State, context: Context, account: AccountNumber, addresses: readonly Address[]): PlannedDelivery[] {
  const room = new DeliveryRoom(state, account)
  return addresses.map((address) => ({ id: context.newId(), ...address, ...room.take() }))
}

export function wants(endpoint: WebhookEndpointRow, type: MerchantEventType): boolean {
  return endpoint.status === 'enabled' && endpoint.events.includes(type)
}
