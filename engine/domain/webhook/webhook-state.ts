// Webhook endpoints, and the deliveries that are still open. What was delivered or given up is history.
import type { EVENT_TYPES } from '../../contract/webhook.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

export type MerchantEventType = (typeof EVENT_TYPES)[number]

/** Recorded only where an endpoint asks: without one they are read from the payout or batch itself. All other types are recorded always. */
export const READ_FROM_RECORDS = ['payout.paid', 'payout.failed', 'batch.completed'] as const satisfies readonly MerchantEventType[]

/** Sent by `POST …/ping` alone. */
export const PING = 'ping' satisfies MerchantEventType

/** One attempt and no more; everything else is tried again. */
export const ONE_ATTEMPT: ReadonlySet<MerchantEventType> = new Set(['bill.paid', PING])

/** `gone`: it answered 410. */
export type DisabledReason = 'by_merchant' | 'gone'

export interface WebhookEndpointRow {
  readonly id: string
  /** The merchant's account in the endpoint's environment. */
  readonly account: AccountNumber
  readonly url: string
  readonly events: readonly MerchantEventType[]
  readonly description: string
  readonly status: 'enabled' | 'disabled'
  readonly disabled_reason: DisabledReason | null
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
  readonly account: AccountNumber
  /** Null for a charge's own `webhook_url`. */
  readonly endpoint_id: string | null
  /** Null for an endpoint: it gets its deliveries wherever it is now. */
  readonly url: string | null
  /** Of its `merchant_event.recorded`, or of the payout or batch that has none. */
  readonly position: Position
  /** Attempts so far. */
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
  /** Ids of open deliveries by whom they count against. */
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

  /** Oldest first. */
  endpointsOf(account: AccountNumber): WebhookEndpointRow[] {
    const endpoints = this.#byAccount.get(account)
    return endpoints === undefined ? NO_ENDPOINTS : [...endpoints.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** Cheap enough for every payout: most merchants have no endpoint at all. */
  hasEndpoints(account: AccountNumber): boolean {
    return this.#byAccount.has(account)
  }

  /** Ids of the open deliveries that count against the same bound as this one. */
  openBeside(delivery: Pick<Delivery, 'account' | 'endpoint_id'>): ReadonlySet<string> {
    return this.#open.get(ownerOf(delivery)) ?? NONE_OPEN
  }
}

/** An endpoint answers for its own deliveries, an account for those to the own addresses of its charges. */
function ownerOf({ account, endpoint_id }: Pick<Delivery, 'account' | 'endpoint_id'>): string {
  return endpoint_id ?? `own:${account}`
}

const NO_ENDPOINTS: WebhookEndpointRow[] = []
const NONE_OPEN: ReadonlySet<string> = new Set()
