// Webhook endpoints and open deliveries. Ended deliveries are in the log only.
import type { EVENT_TYPES } from '../../contract/webhook.ts'
import { AccountCounters } from '../../kernel/account-counters.ts'
import type { Environment } from '../../kernel/environment.ts'
import { OldestFirst } from '../../kernel/oldest-first.ts'
import { type Position, sequenceOf } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { FAN_OUT_AHEAD, FAN_OUTS, OPEN_DELIVERIES, WEBHOOK_ENDPOINTS } from './webhook-limits.ts'

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

/** Merchant events of one record whose deliveries turns of their own open: there are too many for the turn that made the events. */
export interface FanOut {
  /** Sequence of the record. */
  readonly id: string
  readonly account: AccountNumber
  /** The first event without deliveries. */
  readonly next: Position
  /** Behind the last event. */
  readonly end: Position
  /** When its next turn is due; null behind an older one of its account. */
  readonly dueMs: TimeMs | null
}

/** Kind of the timers of fan-outs; their key is the id. */
export const FAN_OUT_TIMER = 'fan_out'

declare module '../state.ts' {
  interface State {
    readonly webhooks: Webhooks
  }
}

export class Webhooks extends SnapshotTables {
  readonly #byAccount = new Map<AccountNumber, Map<string, WebhookEndpointRow>>()
  /** Ids of open deliveries. */
  readonly #open = new Map<AccountNumber, OldestFirst>()
  /** Number of open deliveries without an attempt, by endpoint. */
  readonly #untried = new Map<string, number>()
  /** Ids of the fan-outs that go on. */
  readonly #due = new Map<AccountNumber, string>()
  /** Ids of fan-outs. */
  readonly #fanningOut = new Map<AccountNumber, Set<string>>()
  readonly endpoints: Table<WebhookEndpointRow>
  readonly deliveries: Table<Delivery>
  /** Setting a row also sets its timer. */
  readonly fanOuts: Table<FanOut>
  /** Number of events that each account has had: the id of the newest frame of its stream. */
  readonly eventCounts = new AccountCounters('merchant_event_count')

  constructor(shared: SharedState) {
    super()
    this.addSnapshotSource(this.eventCounts)
    this.endpoints = new Table(this, 'webhook_endpoint', countedByAccount(shared, WEBHOOK_ENDPOINTS), (row, before) =>
      this.#placeEndpoint(row, before),
    )
    this.deliveries = new Table(this, 'delivery', countedByAccount(shared, OPEN_DELIVERIES), (row, before) =>
      this.#placeDelivery(row, before),
    )
    this.fanOuts = new Table(this, 'fan_out', countedByAccount(shared, FAN_OUTS), (row, before) => {
      if (row !== undefined && row.dueMs !== null) shared.timers.set(FAN_OUT_TIMER, row.id, row.dueMs)
      else if (before !== undefined && before.dueMs !== null) shared.timers.cancel(FAN_OUT_TIMER, before.id)
      this.#placeFanOut(row, before)
    })
  }

  #placeEndpoint(endpoint: WebhookEndpointRow | undefined, before: WebhookEndpointRow | undefined): void {
    const { account, id } = (endpoint ?? before) as WebhookEndpointRow
    const endpoints = this.#byAccount.get(account) ?? new Map<string, WebhookEndpointRow>()
    if (endpoint !== undefined) endpoints.set(id, endpoint)
    else endpoints.delete(id)
    if (endpoints.size > 0) this.#byAccount.set(account, endpoints)
    else this.#byAccount.delete(account)
  }

  #placeDelivery(delivery: Delivery | undefined, before: Delivery | undefined): void {
    const { account, id } = (delivery ?? before) as Delivery
    this.#countUntried(before, -1)
    this.#countUntried(delivery, 1)
    let open = this.#open.get(account)
    if (delivery === undefined) {
      open?.remove(id)
      if (open?.size === 0) this.#open.delete(account)
      return
    }
    if (open === undefined) {
      open = new OldestFirst()
      this.#open.set(account, open)
    }
    open.add(id)
  }

  #countUntried(delivery: Delivery | undefined, change: 1 | -1): void {
    if (delivery === undefined || delivery.attempts > 0 || delivery.endpoint_id === null) return
    const count = this.untriedOf(delivery.endpoint_id) + change
    if (count > 0) this.#untried.set(delivery.endpoint_id, count)
    else this.#untried.delete(delivery.endpoint_id)
  }

  #placeFanOut(row: FanOut | undefined, before: FanOut | undefined): void {
    const { account, id } = (row ?? before) as FanOut
    if (row !== undefined && row.dueMs !== null) this.#due.set(account, id)
    else if (this.#due.get(account) === id) this.#due.delete(account)
    const own = this.#fanningOut.get(account) ?? new Set<string>()
    if (row === undefined) own.delete(id)
    else own.add(id)
    if (own.size > 0) this.#fanningOut.set(account, own)
    else this.#fanningOut.delete(account)
  }

  /** Number of accounts with fan-outs: each has one that goes on. */
  get accountsFanningOut(): number {
    return this.#fanningOut.size
  }

  /** Returns the oldest fan-out of the account; undefined without one. */
  oldestFanOut(account: AccountNumber): FanOut | undefined {
    let oldest: string | undefined
    for (const id of this.#fanningOut.get(account) ?? []) if (oldest === undefined || Number(id) < Number(oldest)) oldest = id
    return oldest === undefined ? undefined : this.fanOuts.get(oldest)
  }

  /** Returns the fan-out of the account that goes on; undefined without one. */
  dueFanOut(account: AccountNumber): FanOut | undefined {
    const id = this.#due.get(account)
    return id === undefined ? undefined : this.fanOuts.get(id)
  }

  /** Number of the endpoint's open deliveries without an attempt. */
  untriedOf(endpointId: string): number {
    return this.#untried.get(endpointId) ?? 0
  }

  /** Whether an endpoint of the account that payouts are sent to has few of them: a slow one holds up no other. */
  wantsMore(account: AccountNumber): boolean {
    const targets = this.endpointsOf(account).filter(
      ({ status, events }) => status === 'enabled' && (events.includes('payout.paid') || events.includes('payout.failed')),
    )
    return targets.length === 0 || targets.some(({ id }) => this.untriedOf(id) < FAN_OUT_AHEAD)
  }

  /** Sorted oldest first. */
  endpointsOf(account: AccountNumber): WebhookEndpointRow[] {
    const endpoints = this.#byAccount.get(account)
    return endpoints === undefined ? NO_ENDPOINTS : [...endpoints.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** Constant time, because every payout calls it: most merchants have no endpoint. */
  hasEndpoints(account: AccountNumber): boolean {
    return this.#byAccount.has(account)
  }

  /** Whether a turn will open the deliveries of the merchant event at this position. */
  waitsForFanOut(position: Position): boolean {
    const fanOut = this.fanOuts.get(String(sequenceOf(position)))
    return fanOut !== undefined && position >= fanOut.next && position < fanOut.end
  }

  /** Returns the ids of the account's open deliveries, oldest first. */
  openOf(account: AccountNumber): Iterable<string> {
    return this.#open.get(account)?.values() ?? NONE_OPEN
  }

  /** Returns the account's oldest open delivery after `skipped` older ones; null when there are no more. */
  oldestOpen(account: AccountNumber, skipped: number): Delivery | null {
    const id = this.#open.get(account)?.oldest(skipped) ?? null
    return id === null ? null : (this.deliveries.get(id) ?? null)
  }
}

const NO_ENDPOINTS: WebhookEndpointRow[] = []
const NONE_OPEN: readonly string[] = []
