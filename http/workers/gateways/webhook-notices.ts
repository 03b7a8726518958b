// Webhooks in the development inbox: every attempt with its result, and events without an endpoint. They are made
// from durable records; nothing is sent here.
import {
  type DeliveryAttempt,
  type EngineApi,
  type LogRecord,
  type MerchantEventHead,
  payloadOf,
  type QueryAnswer,
  type StoredEvent,
} from '../../../engine/api.ts'
import type { Inbox } from './inbox.ts'
import type { WebhookNotice } from './message.ts'

type NoticeEngine = Pick<EngineApi, 'query'>

type SentEvent = NonNullable<QueryAnswer<'webhookEvents.sent'>>

export class WebhookNotices {
  readonly #engine: NoticeEngine
  readonly #inbox: Inbox

  constructor(engine: NoticeEngine, inbox: Inbox) {
    this.#engine = engine
    this.#inbox = inbox
  }

  /** Receives each durable record in order. Entries are rendered when the inbox is read. */
  record(record: LogRecord): void {
    for (const event of record.events) {
      if (event.type === 'delivery.attempted') this.#inbox.add(() => attemptNotice(this.#engine, event))
      else if (event.type === 'merchant_event.recorded' && isUnsent(payloadOf<MerchantEventHead>(event))) {
        this.#inbox.add(() => unsentNotice(this.#engine, event))
      }
    }
  }
}

/** A fan-out opens the deliveries of the others. */
function isUnsent({ deliveries, later }: MerchantEventHead): boolean {
  return deliveries.length === 0 && later === undefined
}

function attemptNotice(engine: NoticeEngine, event: StoredEvent): WebhookNotice {
  const attempt = payloadOf<DeliveryAttempt>(event)
  const { id, http_status, error, duration_ms, state, next_attempt_at, created_at } = attempt
  const sent = engine.query('webhookEvents.sent', { account: event.account, id: attempt.event_id })
  return {
    id,
    ...ofMerchant(engine, event),
    type: sent?.type ?? '',
    url: addressOf(engine, attempt, sent),
    attempt: attempt.attempt,
    http_status,
    error,
    duration_ms,
    state,
    next_attempt_at,
    body: sent?.body ?? '',
    created_at,
  }
}

function unsentNotice(engine: NoticeEngine, event: StoredEvent): WebhookNotice {
  const { id, type, created_at } = payloadOf<MerchantEventHead>(event)
  const sent = engine.query('webhookEvents.sent', { account: event.account, id })
  const nothing = { url: null, attempt: 0, http_status: null, error: null, duration_ms: 0, state: 'none', next_attempt_at: null } as const
  return { id, ...ofMerchant(engine, event), type, ...nothing, body: sent?.body ?? '', created_at }
}

function ofMerchant(engine: NoticeEngine, { account }: StoredEvent): Pick<WebhookNotice, 'channel' | 'environment' | 'merchant'> {
  const merchant = engine.query('merchants.byAccount', { account })?.name ?? ''
  return { channel: 'webhook', environment: engine.query('accounts.environment', { account }), merchant }
}

/** Returns the endpoint's current address, because attempts store none. */
function addressOf(engine: NoticeEngine, { endpoint_id, delivery_id }: DeliveryAttempt, sent: SentEvent | null): string {
  if (endpoint_id !== null) return engine.query('endpoints.byId', { id: endpoint_id })?.url ?? ''
  return sent?.deliveries.find(({ id }) => id === delivery_id)?.url ?? ''
}
