// Webhook endpoints and open deliveries. Ended deliveries are in the log only.
import type { EVENT_TYPES } from '../../contract/webhook.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

export type MerchantEventType = (typeof EVENT_TYPES)[number]

/**
 * Types recorded only when an endpoint subscribes; otherwise they are derived from the payout or batch. All other
 * types are always recorded.
 */
export const READ_FROM_RECORDS = ['payout.paid', 'payout.failed', 'batch.completed'] as const satisfies readonly MerchantEventType[]

/** Sent only by `POST …/ping`. */
export const PING = 'ping' satisfies MerchantEventType

/** Types with a single attempt. All others are retried. */
export const ONE_ATTEMPT: ReadonlySet<MerchantEventType> = new Set(['bill.paid', PING])

/** `gone`: the receiver returned 410. */
export type DisabledReason = 'by_merchant' | 'gone'

export interface WebhookEndpointRow {
  readonly id: string
  /** Account number of the merchant in the endpoint's environment. */
  readonly account: AccountNumber
  readonly url: string
  readonly events: readonly MerchantEventType[]
  readonly description: string
  readonly status: 'enabled' | 'disabled'
  readonly disabled_reason: DisabledReason | null
  /** Secret encrypted under the master key. */
  readonly sealed_secret: string
  /** The previous secret during a rotation. Deliveries are signed with both. */
  readonly previous_secret: { readonly sealed: string; readonly untilMs: TimeMs } | null
  readonly environment: Environment
  readonly created_at: string
}

/** Delivery of one event to one address. The id stays the same over its attempts. */
export interface Delivery {
  readonly id: string
  readonly account: AccountNumber
  /** Null for the charge's own `webhook_url`. */
  readonly endpoint_id: string | null
  /** Null for an endpoint, whose current address is used. */
  readonly url: string | null
  /** Position of the `merchant_event.recorded` event, or of the payout or batch that has none. */
  readonly position: Position
  /** Number of attempts so far. */
  readonly attempts: number
  readonly nextAttemptMs: TimeMs
}

declare module '../state.ts' {
  interface State {
    readonly webhooks: Webhooks
  }
}

export class Webhooks extends SnapshotTables {
  readonly #byAccount = new Map<AccountNumber, Map<string, WebhookEndpointRow>>()
  /** Ids of open deliveries by the owner of their maximum. */
  readonly #open = new Map<string, Set<string>>()

  readonly endpoints = new Table<WebhookEndpointRow>(this, 'webhook_endpoint', (endpoint, before) => {
    const { account, id } = (endpoint ?? before) as WebhookEndpointRow
    const endpoints = this.#byAccount.get(account) ?? new Map<string, WebhookEndpointRow>()
    if (endpoint !== undefined) endpoints.set(id, endpoint)
    else endpoints.delete(id)
    if (endpoints.size > 0) this.#byAccount.set(account, endpoints)
    else this.#byAccount.delete(account)
  })

  readonly deliveries = new Table<Delivery>(this, 'delivery', (delivery, before) => {
    const row = (delivery ?? before) as Delivery
    const owner = ownerOf(row)
    const open = this.#open.get(owner) ?? new Set<string>()
    if (delivery !== undefined) open.add(row.id)
    else open.delete(row.id)
    if (open.size > 0) this.#open.set(owner, open)
    else this.#open.delete(owner)
  })

  /** Sorted oldest first. */
  endpointsOf(account: AccountNumber): WebhookEndpointRow[] {
    const endpoints = this.#byAccount.get(account)
    return endpoints === undefined ? NO_ENDPOINTS : [...endpoints.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** Constant time, because every payout calls it: most merchants have no endpoint. */
  hasEndpoints(account: AccountNumber): boolean {
    return this.#byAccount.has(account)
  }

  /** Returns the ids of the open deliveries that share this one's maximum. */
  openBeside(delivery: Pick<Delivery, 'account' | 'endpoint_id'>): ReadonlySet<string> {
    return this.#open.get(ownerOf(delivery)) ?? NONE_OPEN
  }
}

/** Owner of the maximum: the endpoint for its deliveries, the account for deliveries to its charges' own addresses. */
function ownerOf({ account, endpoint_id }: Pick<Delivery, 'account' | 'endpoint_id'>): string {
  return endpoint_id ?? `own:${account}`
}

const NO_ENDPOINTS: WebhookEndpointRow[] = []
const NONE_OPEN: ReadonlySet<string> = new Set()
