// What merchants are told by webhook: an event of its own beside the one that it tells of, in the same record, so
// that neither exists without the other.
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { ALWAYS_RECORDED, type MerchantEventType, type WebhookEndpoint } from './state.ts'

/** Version 1 of `merchant_event.recorded`. */
export interface MerchantEvent {
  readonly id: string
  readonly type: MerchantEventType
  readonly environment: 'test' | 'live'
  readonly created_at: string
  readonly data: object
  readonly deliveries: readonly { readonly id: string; readonly endpoint_id: string | null; readonly url: string }[]
}

export interface Telling {
  readonly account: AccountNumber
  readonly type: MerchantEventType
  readonly data: object
  /** A charge's own address: takes the place of the endpoints. */
  readonly onlyTo?: string
}

/**
 * The events that tell the merchant: one, or none where no endpoint asks for a type that is sent on request only.
 * Deciders append them to their events; evolve opens the deliveries.
 */
export function tellMerchant(state: State, context: Context, telling: Telling): StoredEvent[] {
  const { account, type, data, onlyTo } = telling
  const always = (ALWAYS_RECORDED as readonly string[]).includes(type)
  if (!always && !state.webhooks.hasEndpoints(account)) return []
  const endpoints = state.webhooks.endpointsOf(account).filter((endpoint) => wants(endpoint, type))
  if (!always && endpoints.length === 0) return []
  const targets = onlyTo === undefined ? endpoints.map(({ id, url }) => ({ endpoint_id: id, url })) : [{ endpoint_id: null, url: onlyTo }]
  return [merchantEvent(context, state, telling, targets, data)]
}

/** The event for the given targets, asked for or not: pings and hand-made events. */
export function merchantEvent(
  context: Context,
  state: State,
  { account, type }: Pick<Telling, 'account' | 'type'>,
  targets: readonly { readonly endpoint_id: string | null; readonly url: string }[],
  data: object,
): StoredEvent {
  const payload: MerchantEvent = {
    id: context.newId(),
    type,
    environment: state.accounts.environment(account),
    created_at: rfc3339(context.timeMs),
    data,
    deliveries: targets.map((target) => ({ id: context.newId(), ...target })),
  }
  return event('merchant_event.recorded', 1, account, payload)
}

function wants(endpoint: WebhookEndpoint, type: MerchantEventType): boolean {
  return endpoint.status === 'enabled' && endpoint.events.includes(type)
}
