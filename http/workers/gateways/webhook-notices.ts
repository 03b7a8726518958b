// Webhooks for the development inbox: every attempt with what came of it, and events that nobody asked to be told of.
// Made from durable records; it sends nothing itself.
import type { Engine } from '../../../engine/actor/engine.ts'
import type { History, Hit } from '../../../engine/actor/history.ts'
import { merchantEventOf, recordedBeside } from '../../../engine/domain/merchant-events.ts'
import { type LogRecord, payloadOf, type StoredEvent } from '../../../engine/domain/record.ts'
import { batchTerm, merchantEventTerm, payoutTerm } from '../../../engine/domain/terms.ts'
import type { DeliveryAttempt, MerchantEvent, MerchantEventHead } from '../../../engine/domain/webhook/webhook-events.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { webhookBody } from '../webhooks/deliverer.ts'
import type { Inbox } from './inbox.ts'
import type { WebhookNotice } from './message.ts'

type NoticeEngine = Pick<Engine, 'state' | 'history'>

export class WebhookNotices {
  readonly #engine: NoticeEngine
  readonly #inbox: Inbox

  constructor(engine: NoticeEngine, inbox: Inbox) {
    this.#engine = engine
    this.#inbox = inbox
  }

  /** Called for each durable record, in order. Rendered when somebody looks, like everything in the inbox. */
  record(record: LogRecord): void {
    for (const event of record.events) {
      if (event.type === 'delivery.attempted') this.#inbox.add(() => attemptNotice(this.#engine, event))
      else if (event.type === 'merchant_event.recorded' && payloadOf<MerchantEventHead>(event).deliveries.length === 0) {
        this.#inbox.add(() => untoldNotice(this.#engine, event))
      }
    }
  }
}

function attemptNotice(engine: NoticeEngine, event: StoredEvent): WebhookNotice {
  const attempt = payloadOf<DeliveryAttempt>(event)
  const { id, http_status, error, duration_ms, state, next_attempt_at, created_at } = attempt
  const found = findEvent(engine.history, event.account, attempt.event_id)
  const told = found === null ? null : merchantEventOf(found.event, engine.history)
  return {
    id,
    ...ofMerchant(engine, event),
    type: told?.type ?? '',
    url: addressOf(engine, attempt, told),
    attempt: attempt.attempt,
    http_status,
    error,
    duration_ms,
    state,
    next_attempt_at,
    body: told === null ? '' : webhookBody(told),
    created_at,
  }
}

function untoldNotice(engine: NoticeEngine, event: StoredEvent): WebhookNotice {
  const told = merchantEventOf(event, engine.history)
  assert(told !== null, 'a recorded event is one of the merchant')
  const { id, type, created_at } = told
  const nothing = { url: null, attempt: 0, http_status: null, error: null, duration_ms: 0, state: 'none', next_attempt_at: null } as const
  return { id, ...ofMerchant(engine, event), type, ...nothing, body: webhookBody(told), created_at }
}

/** The event that the merchant knows by this id. */
function findEvent(history: Pick<History, 'first' | 'eventAt'>, account: number, id: string): Hit | null {
  const isIt = ({ event }: Hit): boolean => event.account === account && merchantEventOf(event, history)?.id === id
  const recorded = history.first(merchantEventTerm(id), isIt)
  if (recorded !== null) return recorded
  const derived = history.first(payoutTerm(id), isIt) ?? history.first(batchTerm(id), isIt)
  if (derived === null) return null
  const beside = recordedBeside(derived.record)
  return beside.has(derived.position) || beside.has(id) ? null : derived
}

function ofMerchant({ state }: NoticeEngine, { account }: StoredEvent): Pick<WebhookNotice, 'channel' | 'environment' | 'merchant'> {
  const merchant = state.merchants.byAccount(account)?.name ?? ''
  return { channel: 'webhook', environment: state.accounts.environment(account), merchant }
}

/** Where the endpoint is now: its attempts keep no address of their own. */
function addressOf({ state }: NoticeEngine, { endpoint_id, delivery_id }: DeliveryAttempt, told: MerchantEvent | null): string {
  if (endpoint_id !== null) return state.webhooks.endpoints.get(endpoint_id)?.url ?? ''
  return told?.deliveries.find(({ id }) => id === delivery_id)?.url ?? ''
}
