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
}

type Address = Pick<Delivery, 'endpoint_id' | 'url'>

const NO_DELIVERIES: readonly PlannedDelivery[] = []

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
 * The webhook events of a record's first events: `types` has the type for each by its index, null for one that has none. They stand behind
 * those events. Where they have too many deliveries for one turn, a fan-out opens them (fan-out.ts).
 */
export function manyOutboxEvents(
  state: State,
  context: Context,
  account: AccountNumber,
  types: readonly (MerchantEventType | null)[],
): StoredEvent[] {
  if (!state.webhooks.hasEndpoints(account)) return []
  const addresses = addressesByType(state.webhooks.endpointsOf(account), types)
  const count = types.reduce((sum, type) => sum + (addresses.get(type)?.length ?? 0), 0)
  const isLate = count > FAN_OUT_DELIVERIES
  const environment = state.accounts.environment(account)
  const created_at = rfc3339(context.timeMs)
  const events: StoredEvent[] = []
  for (let index = 0; index < types.length; index++) {
    const type = types[index] ?? null
    const to = addresses.get(type)
    if (type === null || to === undefined) continue
    const id = context.newId()
    const document_position = positionOf(context.sequence, index)
    const payload: RecordedMerchantEvent = isLate
      ? { id, type, environment, created_at, document_position, deliveries: NO_DELIVERIES, later: true }
      : { id, type, environment, created_at, document_position, deliveries: plannedDeliveries(state, context, account, to) }
    events.push(recorded(account, payload))
  }
  if (!isLate) return events
  const room = roomForFanOut(state, account)
  if (room === null) return events
  const first = positionOf(context.sequence, types.length)
  return [...events, ...room, event('fan_out.planned', 1, account, { first, end: first + events.length } satisfies PlannedFanOut)]
}

/** Addresses of each type that has an event. Asked once a type: to ask 16 endpoints for each of 500 lines took 1.4 ms. */
function addressesByType(
  endpoints: readonly WebhookEndpointRow[],
  types: readonly (MerchantEventType | null)[],
): Map<MerchantEventType | null, readonly Address[]> {
  const addresses = new Map<MerchantEventType | null, readonly Address[]>()
  for (const type of new Set(types)) {
    const to = type === null ? [] : addressesOf(endpoints, type)
    if (type !== null && (to.length > 0 || !isReadFromRecords(type))) addresses.set(type, to)
  }
  return addresses
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

/**
 * Returns the event for these addresses, without regard to subscriptions. Each form is written out: objects of spreads and further fields
 * have hidden classes of their own in V8, 1 KB an event.
 */
export function merchantEvent(
  state: State,
  context: Context,
  { account, type, about }: OutboxEntry,
  addresses: readonly Address[],
): StoredEvent {
  const id = context.newId()
  const environment = state.accounts.environment(account)
  const created_at = rfc3339(context.timeMs)
  const deliveries = plannedDeliveries(state, context, account, addresses)
  if ('data' in about) return recorded(account, { id, type, environment, created_at, data: about.data, deliveries })
  const { document_position, merchant_id } = about
  if (merchant_id === undefined) return recorded(account, { id, type, environment, created_at, document_position, deliveries })
  return recorded(account, { id, type, environment, created_at, document_position, merchant_id, deliveries })
}

function recorded(account: AccountNumber, payload: RecordedMerchantEvent): StoredEvent {
  return event('merchant_event.recorded', 1, account, payload)
}

function plannedDeliveries(state: State, context: Context, account: AccountNumber, addresses: readonly Address[]): PlannedDelivery[] {
  const room = new DeliveryRoom(state, account)
  return addresses.map((address) => ({ id: context.newId(), ...address, ...room.take() }))
}

export function wants(endpoint: WebhookEndpointRow, type: MerchantEventType): boolean {
  return endpoint.status === 'enabled' && endpoint.events.includes(type)
}
