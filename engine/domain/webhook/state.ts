// Webhook endpoints, and the deliveries that are still open. What was delivered or given up is history.
import type { Environment } from '../../kernel/environment.ts'
import { Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

/** Always recorded; endpoints get the ones that they list. */
export const ALWAYS_RECORDED = ['charge.succeeded', 'bill.paid'] as const

/** Recorded and sent only where an endpoint asks. */
export const ON_REQUEST = [
  'charge.expired',
  'charge.cancelled',
  'charge.refunded',
  'payout.paid',
  'payout.failed',
  'batch.completed',
  'biller.approved',
  'biller.rejected',
  'mandate.approved',
  'mandate.rejected',
  'mandate.paused',
  'mandate.cancelled',
  'mandate.charged',
] as const

/** Sent by `POST …/ping` alone. */
export const PING = 'ping'

export type MerchantEventType = (typeof ALWAYS_RECORDED)[number] | (typeof ON_REQUEST)[number] | typeof PING

export interface WebhookEndpoint {
  readonly id: string
  /** The merchant's account in the endpoint's environment. */
  readonly account: AccountNumber
  readonly url: string
  readonly events: readonly MerchantEventType[]
  readonly description: string
  readonly status: 'enabled' | 'disabled'
  readonly disabled_reason: string | null
  /** Encrypted under the master key. */
  readonly sealed_secret: string
  /** While a secret rotates, deliveries are signed with the one before too. */
  readonly previous_secret: { readonly sealed: string; readonly untilMs: TimeMs } | null
  readonly environment: Environment
  readonly created_at: string
}

/** One event on its way to one address; the id stays the same over its attempts. */
export interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly type: MerchantEventType
  readonly account: AccountNumber
  /** Null for a charge's own `webhook_url`. */
  readonly endpoint_id: string | null
  readonly url: string
  /** Where the event's text stands in the log. */
  readonly sequence: number
  readonly eventIndex: number
  /** Attempts so far. */
  readonly attempts: number
  readonly nextAttemptMs: TimeMs
}

export class Webhooks {
  readonly #byAccount = new Map<AccountNumber, Map<string, WebhookEndpoint>>()

  readonly endpoints = new Table<WebhookEndpoint>('webhook_endpoint', (endpoint, before) => {
    const account = (endpoint ?? before)?.account as AccountNumber
    const endpoints = this.#byAccount.get(account) ?? new Map<string, WebhookEndpoint>()
    if (endpoint !== undefined) endpoints.set(endpoint.id, endpoint)
    else if (before !== undefined) endpoints.delete(before.id)
    this.#byAccount.set(account, endpoints)
  })

  readonly deliveries = new Table<Delivery>('delivery')

  /** Oldest first. */
  endpointsOf(account: AccountNumber): WebhookEndpoint[] {
    const endpoints = this.#byAccount.get(account)
    return endpoints === undefined ? NO_ENDPOINTS : [...endpoints.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** Cheap enough for every payout: most merchants have no endpoint at all. */
  hasEndpoints(account: AccountNumber): boolean {
    return (this.#byAccount.get(account)?.size ?? 0) > 0
  }
}

const NO_ENDPOINTS: WebhookEndpoint[] = []
