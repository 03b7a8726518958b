// What merchants are told by webhook: an event of its own beside the one that it tells of, in the same record, so
// that neither exists without the other.
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { DocumentReference, PlannedDelivery, RecordedMerchantEvent } from './webhook-events.ts'
import { OPEN_MAX, OPEN_PER_OWNER_MAX } from './webhook-limits.ts'
import { type Delivery, type MerchantEventType, READ_FROM_RECORDS, type WebhookEndpointRow } from './webhook-state.ts'

export interface Telling {
  readonly account: AccountNumber
  readonly type: MerchantEventType
  /** The document that is the data, where the log has it; else the data. */
  readonly about: DocumentReference | { readonly data: object }
  /** A charge's own address: takes the place of the endpoints. */
  readonly onlyTo?: string
}

type Address = Pick<Delivery, 'endpoint_id' | 'url'>

/**
 * The merchant events of a change: one, or none where no endpoint asks for a type that is read from its own record otherwise.
 * Deciders append them to their events; evolve opens the deliveries.
 */
export function tellMerchant(state: State, context: Context, telling: Telling): StoredEvent[] {
  const { account, type, onlyTo } = telling
  const always = !(READ_FROM_RECORDS as readonly string[]).includes(type)
  if (!always && !state.webhooks.hasEndpoints(account)) return []
  const endpoints = state.webhooks.endpointsOf(account).filter((endpoint) => wants(endpoint, type))
  if (!always && endpoints.length === 0) return []
  const addresses: Address[] =
    onlyTo === undefined ? endpoints.map(({ id }) => ({ endpoint_id: id, url: null })) : [{ endpoint_id: null, url: onlyTo }]
  return [merchantEvent(state, context, telling, addresses)]
}

/** The event for these addresses, asked for or not. */
export function merchantEvent(state: State, context: Context, telling: Telling, addresses: readonly Address[]): StoredEvent {
  const { account, type, about } = telling
  const payload: RecordedMerchantEvent = {
    id: context.newId(),
    type,
    environment: state.accounts.environment(account),
    created_at: rfc3339(context.timeMs),
    ...about,
    deliveries: addresses.map((address) => plannedDelivery(state, context, account, address)),
  }
  return event('merchant_event.recorded', 2, account, payload)
}

/** Whether the bounds leave no room for one more open delivery beside this one. */
export function isFull({ webhooks }: State, delivery: Pick<Delivery, 'account' | 'endpoint_id'>): boolean {
  return webhooks.openBeside(delivery).size >= OPEN_PER_OWNER_MAX || webhooks.deliveries.size >= OPEN_MAX
}

function plannedDelivery(state: State, context: Context, account: AccountNumber, address: Address): PlannedDelivery {
  const planned = { id: context.newId(), ...address }
  return isFull(state, { account, ...address }) ? { ...planned, dropped: true } : planned
}

function wants(endpoint: WebhookEndpointRow, type: MerchantEventType): boolean {
  return endpoint.status === 'enabled' && endpoint.events.includes(type)
}
