// Webhook dispatcher: takes open deliveries, sends them, and submits each result as a command. The engine decides on
// retries. Nothing is sent before its event's record is durable.
import {
  type Clock,
  type Delivery,
  type DeliveryResult,
  type EngineApi,
  type LogRecord,
  type MerchantEventHead,
  PING,
  payloadOf,
  type QueryAnswer,
  type ReopenedDelivery,
  type Scheduler,
  type WebhookEndpointRow,
} from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { OutboundCalls } from '../../outbound/outbound-calls.ts'
import { OUTBOUND_RULES, type OutboundRule } from '../../outbound/rules.ts'
import { CallQueue } from '../call-queue.ts'
import type { AttemptTurns } from './attempt-turns.ts'
import { ConcurrencyLimiter, type ConcurrencyLimits, type Turn } from './concurrency-limiter.ts'
import { ResultRecorder } from './result-recorder.ts'
import { retryAfterMs } from './retry-after.ts'
import type { WebhookSecrets } from './secrets.ts'
import { signatureHeader } from './verify-signature.ts'
import { DELIVERIES_PER_READ, DISK_PAUSE_MS, SLOW_ANSWER_MS } from './webhook-limits.ts'

export interface DelivererParts {
  readonly engine: Pick<EngineApi, 'query' | 'submit'>
  readonly outbound: Pick<OutboundCalls, 'call'>
  readonly secrets: Pick<WebhookSecrets, 'signing'>
  /** False when the disk is nearly full. Nothing is then sent, because an unrecorded attempt would repeat for ever. */
  readonly canWrite: () => boolean
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Called when a delivery fails because of a bug. */
  readonly onBug: (error: unknown) => void
  /** Shorter in tests. */
  readonly rule?: OutboundRule
  readonly concurrency?: ConcurrencyLimits
  /**
   * Attempts without turns kept the event loop busy where a receiver answered or refused at once: payouts of others took ten times as long.
   */
  readonly turns: Pick<AttemptTurns, 'begin'>
}

export interface DelivererFigures {
  succeeded: number
  failed: number
}

/** Current target of a delivery. */
interface Address {
  readonly url: string
  /** Null for a charge's own address. */
  readonly endpoint: WebhookEndpointRow | null
}

type EventType = NonNullable<QueryAnswer<'deliveries.message'>>['eventType']

export class WebhookDeliverer {
  readonly figures: DelivererFigures = { succeeded: 0, failed: 0 }
  readonly #parts: DelivererParts
  readonly #rule: OutboundRule
  readonly #queue: CallQueue
  readonly #recorder: ResultRecorder
  /** Attempts that wait for their turn then begin after the next start. */
  #isStopping = false

  constructor(parts: DelivererParts) {
    this.#parts = parts
    this.#rule = parts.rule ?? OUTBOUND_RULES.webhook
    const { clock, scheduler, canWrite } = parts
    const plan = (id: string): void => this.#planById(id)
    this.#queue = new CallQueue({
      ...{ clock, scheduler, canWrite, limiter: new ConcurrencyLimiter(parts.concurrency), diskPauseMs: DISK_PAUSE_MS },
      nowMs: () => this.#nowMs(),
      begin: (turn) => this.#begin(turn),
      onDue: plan,
      onEnded: plan,
    })
    this.#recorder = new ResultRecorder(parts.engine, parts.clock, parts.scheduler)
  }

  /** Number of active attempts, including their recording. */
  get underWay(): number {
    return this.#queue.running
  }

  /** Takes deliveries that were open when the process ended. Called once, before the first record. */
  start(): void {
    for (let offset = 0; ; offset += DELIVERIES_PER_READ) {
      const rows = this.#parts.engine.query('deliveries.open', { offset, limit: DELIVERIES_PER_READ })
      for (const delivery of rows) this.#plan(delivery)
      if (rows.length < DELIVERIES_PER_READ) break
    }
    this.#queue.pumpSoon()
  }

  /** Receives each durable record in order: 30 000 a second under load, and few of them are about webhooks. */
  record(record: LogRecord): void {
    let hasNews = false
    for (const event of record.events) {
      if (event.type === 'merchant_event.recorded') {
        for (const { id, displaces } of payloadOf<MerchantEventHead>(event).deliveries) this.#planDisplacing(id, displaces?.id)
      } else if (event.type === 'delivery.reopened') {
        const { delivery, displaces } = payloadOf<ReopenedDelivery>(event)
        this.#planDisplacing(delivery.id, displaces?.id)
      } else if (event.type === 'webhook_endpoint.saved' || event.type === 'webhook_endpoint.deleted') {
        this.#endpointChanged(payloadOf<Pick<WebhookEndpointRow, 'id' | 'account'>>(event))
      } else continue
      hasNews = true
    }
    if (hasNews) this.#queue.pumpSoon()
  }

  /** Starts no further attempts. Resolves when active ones are recorded, after at most `maxMs`. */
  async stop(maxMs: number): Promise<void> {
    this.#isStopping = true
    await this.#queue.stop(maxMs)
    this.#recorder.stop()
  }

  #planDisplacing(id: string, displaced: string | undefined): void {
    if (displaced !== undefined) this.#queue.drop(displaced)
    this.#planById(id)
  }

  #planById(id: string): void {
    const delivery = this.#delivery(id)
    if (delivery !== null) this.#plan(delivery)
  }

  /** Queues a delivery that is due or only has to end; sets a timer for the others. */
  #plan(delivery: Delivery): void {
    const { id, nextAttemptMs } = delivery
    if (this.#queue.isBusy(id)) return
    if (nextAttemptMs > this.#nowMs() && this.#faultOf(delivery) === null) {
      this.#queue.waitUntil(id, nextAttemptMs)
      return
    }
    this.#queue.put(limitKey(delivery), id, String(delivery.account))
  }

  /** Ends all waiting deliveries of a deleted or disabled endpoint, each with its own row. */
  #endpointChanged({ id, account }: Pick<WebhookEndpointRow, 'id' | 'account'>): void {
    const { engine } = this.#parts
    if (engine.query('endpoints.byId', { id })?.status === 'enabled') return
    for (const deliveryId of engine.query('deliveries.ofEndpoint', { account, endpointId: id })) this.#planById(deliveryId)
  }

  #begin(turn: Turn): void {
    this.#parts.turns.begin(Number(turn.queue.owner), () => this.#beginNow(turn))
  }

  #beginNow(turn: Turn): void {
    const delivery = this.#isStopping ? null : this.#delivery(turn.id)
    if (delivery === null) return this.#queue.end(turn, true)
    this.#attempt(delivery).then(
      ({ result, good }) => {
        if (result.httpStatus !== null && result.httpStatus >= 200 && result.httpStatus < 300) this.figures.succeeded++
        else this.figures.failed++
        const environment = this.#parts.engine.query('accounts.environment', { account: delivery.account })
        this.#recorder.add(environment, result, () => this.#queue.end(turn, good))
      },
      (error: unknown) => {
        this.#parts.onBug(error)
        this.#queue.fail(turn)
      },
    )
  }

  async #attempt(delivery: Delivery): Promise<{ readonly result: DeliveryResult; readonly good: boolean }> {
    const { engine, outbound, secrets, random } = this.#parts
    const message = engine.query('deliveries.message', { id: delivery.id })
    assert(message !== null, 'an open delivery has an event')
    const { eventId, eventType, body } = message
    const address = this.#addressOf(delivery, eventType)
    const about = { deliveryId: delivery.id, eventId, eventType, jitter: random() }
    const nothing = { url: '', httpStatus: null, durationMs: 0, retryAfterMs: null }
    if (typeof address === 'string') return { result: { ...about, ...nothing, error: address }, good: true }
    const { url, endpoint } = address
    const nowMs = this.#nowMs()
    const outcome = await outbound.call({
      rule: this.#rule,
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'x-service-signature': signatureHeader(secrets.signing(delivery.account, endpoint, nowMs), Math.floor(nowMs / 1000), body),
        'x-service-event-id': eventId,
        'x-service-delivery-id': delivery.id,
        'x-service-attempt': String(delivery.attempts + 1),
      },
      body,
    })
    const { durationMs } = outcome
    if (outcome.kind === 'failed') return { result: { ...about, ...nothing, url, error: outcome.failure, durationMs }, good: false }
    const { status, headers } = outcome
    const wait = retryAfterMs(headers.get('retry-after'), this.#nowMs())
    const good = status < 500 && status !== 429 && durationMs < SLOW_ANSWER_MS
    return { result: { ...about, url, httpStatus: status, error: null, durationMs, retryAfterMs: wait }, good }
  }

  /** Returns the target, or why there is none. */
  #addressOf(delivery: Delivery, eventType: EventType): Address | 'endpoint_deleted' | 'endpoint_disabled' {
    const fault = eventType === PING && this.#faultOf(delivery) === 'endpoint_disabled' ? null : this.#faultOf(delivery)
    if (fault !== null) return fault
    const endpoint = this.#endpointOf(delivery)
    return { url: endpoint?.url ?? delivery.url ?? '', endpoint }
  }

  #faultOf(delivery: Delivery): 'endpoint_deleted' | 'endpoint_disabled' | null {
    if (delivery.endpoint_id === null) return null
    const endpoint = this.#endpointOf(delivery)
    if (endpoint === null) return 'endpoint_deleted'
    return endpoint.status === 'disabled' ? 'endpoint_disabled' : null
  }

  /** Returns the endpoint; null for a charge's own address and for a deleted endpoint. */
  #endpointOf({ endpoint_id }: Delivery): WebhookEndpointRow | null {
    return endpoint_id === null ? null : this.#parts.engine.query('endpoints.byId', { id: endpoint_id })
  }

  #delivery(id: string): Delivery | null {
    return this.#parts.engine.query('deliveries.byId', { id })
  }

  #nowMs(): TimeMs {
    return this.#parts.engine.query('engine.time', null)
  }
}

/** Returns the key of a delivery's concurrency limit: its endpoint, or merchant and host of a charge's own address. */
function limitKey({ endpoint_id, account, url }: Delivery): string {
  return endpoint_id ?? `${account} ${originOf(url ?? '')}`
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
