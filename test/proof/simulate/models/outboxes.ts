// Webhooks in the model: which deliveries each record plans, and that each is delivered, failed or planned again.
import assert from 'node:assert/strict'
import { type LogRecord, payloadOf } from '../../../../engine/domain/record.ts'
import type { State } from '../../../../engine/domain/state.ts'
import type { DeliveryResult } from '../../../../engine/domain/webhook/delivery-decide.ts'
import { positionOf } from '../../../../engine/kernel/position.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'
import type { ChargesModel } from './charges.ts'
import { FanOutsModel } from './fan-outs.ts'
import { assertWait } from './waits.ts'

type DeliveryState = 'pending' | 'succeeded' | 'failed'

export interface ModelEndpoint {
  readonly id: string
  readonly account: number
  readonly url: string
  readonly events: readonly string[]
  readonly status: 'enabled' | 'disabled'
}

export interface ModelDelivery {
  readonly id: string
  readonly account: number
  readonly endpointId: string | null
  readonly url: string | null
  readonly eventId: string
  readonly eventType: string
  attempts: number
  nextMs: number | null
  state: DeliveryState
}

export interface ModelEvent {
  readonly account: number
  readonly position: number
  readonly id: string
  readonly type: string
}

interface Planned {
  readonly id: string
  readonly type: string
  readonly deliveries: readonly { readonly id: string; readonly endpoint_id: string | null; readonly url: string | null }[]
}

interface Attempt {
  readonly id: string
  readonly delivery_id: string
  readonly attempt: number
  readonly http_status: number | null
  readonly state: DeliveryState
  readonly next_attempt_at: string | null
}

interface Reopened {
  readonly event_id: string
  readonly delivery: {
    readonly id: string
    readonly endpoint_id: string | null
    readonly url: string | null
    readonly attempts: number
    readonly nextAttemptMs: number
  }
}

const ON_REQUEST: ReadonlySet<string> = new Set(['payout.paid', 'payout.failed', 'batch.completed'])
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
/** What the engine's waits are meant to be, written down a second time. */
const WAITS_MS = [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)]
/** Maximum of a receiver's `Retry-After`. */
const RETRY_AFTER_MS = 24 * HOUR_MS

export class OutboxesModel implements NounModel {
  readonly endpoints = new Map<string, ModelEndpoint>()
  readonly deliveries = new Map<string, ModelDelivery>()
  /** Each merchant event in the log. */
  readonly events: ModelEvent[] = []
  readonly fanOuts = new FanOutsModel(this)
  readonly #byPosition = new Map<number, ModelEvent>()
  readonly #byId = new Map<string, ModelEvent>()
  readonly #ofEvent = new Map<string, ModelDelivery[]>()
  readonly #charges: ChargesModel
  readonly #delivery: Machine<DeliveryState>

  constructor(charges: ChargesModel, seen: Moves) {
    this.#charges = charges
    const attempts = { succeeded: ['pending'], failed: ['pending'], postponed: ['pending'] } as const
    this.#delivery = new Machine('delivery', { ...attempts, reopened: ['succeeded', 'failed', 'pending'] }, seen)
  }

  /** The merchant event at this position of the log. */
  at(position: number): ModelEvent | undefined {
    return this.#byPosition.get(position)
  }

  /** Where the event may be delivered today: its deliveries, and endpoints (by id) that ask for it and never got it. */
  targets({ account, id, type }: ModelEvent): (ModelDelivery | string)[] {
    const known = this.#ofEvent.get(id) ?? []
    const reachable = known.filter(({ endpointId }) => {
      const endpoint = this.endpoints.get(endpointId ?? '')
      return endpointId === null || endpoint?.status === 'enabled' || (endpoint !== undefined && type === 'ping')
    })
    if (known.some(({ endpointId }) => endpointId === null)) return reachable
    const fresh = this.#asking(account, type).filter((endpoint) => known.every(({ endpointId }) => endpointId !== endpoint))
    return [...reachable, ...fresh]
  }

  audit(entry: Entry): void {
    this.#auditRedelivery(entry)
    this.#auditPlanned(entry)
    for (const { payload } of eventsOf<Reopened>(entry, 'delivery.reopened')) this.#reopen(payload, entry.record)
    this.fanOuts.auditAdvanced(entry, (position) => {
      const event = this.at(position)
      assert.ok(event !== undefined, 'a fan-out has merchant events alone')
      const opened = (this.#ofEvent.get(event.id) ?? []).map(({ endpointId }) => endpointId)
      assert.deepEqual(opened.sort(), this.#asking(event.account, event.type).sort(), `deliveries that a turn opens of ${event.id}`)
    })
    const gone = this.#gone(entry)
    for (const { payload } of eventsOf<Attempt>(entry, 'delivery.attempted')) this.#attempt(payload, entry)
    for (const { payload } of eventsOf<ModelEndpoint>(entry, 'webhook_endpoint.saved')) this.endpoints.set(payload.id, payload)
    for (const id of gone) assert.equal(this.endpoints.get(id)?.status, 'disabled', 'an endpoint that answered 410 is disabled')
    for (const { payload } of eventsOf<{ readonly id: string }>(entry, 'webhook_endpoint.deleted')) {
      assert.ok(this.endpoints.delete(payload.id), 'an endpoint is deleted once')
    }
  }

  compare({ webhooks }: State): void {
    sameRows(
      [...webhooks.deliveries.values()].map(({ id, attempts, nextAttemptMs }) => `${id} ${attempts} ${nextAttemptMs}`),
      [...this.deliveries.values()]
        .filter(({ state }) => state === 'pending')
        .map(({ id, attempts, nextMs }) => `${id} ${attempts} ${nextMs}`),
      'webhooks that are not delivered are planned',
    )
    sameRows(
      [...webhooks.endpoints.values()].map(({ id, status }) => `${id} ${status}`),
      [...this.endpoints.values()].map(({ id, status }) => `${id} ${status}`),
      'webhook endpoints',
    )
    this.fanOuts.compare(webhooks)
  }

  open(): ModelDelivery[] {
    return [...this.deliveries.values()].filter(({ state }) => state === 'pending')
  }

  /** Each event of a merchant's is recorded once, for the endpoints that ask for it. */
  #auditPlanned(entry: Entry): void {
    const { record, outbox } = entry
    const expected = outbox.filter((name) => {
      const [account, type = ''] = name.split(':')
      return !ON_REQUEST.has(type) || this.#asking(Number(account), type).length > 0
    })
    const found: string[] = []
    const isLater = this.fanOuts.isPlanned(record, (account, type) => (ON_REQUEST.has(type) ? this.#asking(account, type).length : 0))
    for (const [index, event] of record.events.entries()) {
      if (ON_REQUEST.has(event.type)) {
        const { id } = payloadOf<{ readonly id: string }>(event)
        this.#addEvent({ account: event.account, position: positionOf(record.sequence, index), id, type: event.type })
      }
      if (event.type !== 'merchant_event.recorded') continue
      const { id, type, deliveries } = payloadOf<Planned>(event)
      this.#addEvent({ account: event.account, position: positionOf(record.sequence, index), id, type })
      if (isLater && ON_REQUEST.has(type)) assert.deepEqual(deliveries, [], 'the deliveries of a large batch are opened later')
      else if (type === 'ping') assert.equal(deliveries.length, 1, 'a ping goes to its endpoint')
      else if (!this.#isOwn(record, type, deliveries)) {
        assert.deepEqual(
          deliveries.map(({ endpoint_id }) => endpoint_id).sort(),
          this.#asking(event.account, type).sort(),
          `${type} at ${record.sequence}`,
        )
      }
      if (type !== 'ping') found.push(`${event.account}:${type}`)
      for (const { id: delivery, endpoint_id, url } of deliveries) {
        assert.equal(this.deliveries.has(delivery), false, 'a delivery is planned once')
        const about = { account: event.account, endpointId: endpoint_id, url, eventId: id, eventType: type }
        this.#addDelivery({ id: delivery, ...about, attempts: 0, nextMs: record.timeMs, state: 'pending' })
      }
    }
    // The product may have lost its code since: then the merchant gets the event of the payment again.
    if (record.command === 'RedeliverBill') return
    assert.deepEqual(found.sort(), expected.sort(), `merchant events of ${record.command} at ${record.sequence}`)
  }

  /** A payment of a charge with an address of its own goes there and nowhere else. */
  #isOwn({ events }: LogRecord, type: string, deliveries: Planned['deliveries']): boolean {
    if (type !== 'charge.succeeded') return false
    const paid = events.find((event) => event.type === 'charge.paid')
    const url = paid === undefined ? '' : (this.#charges.charges.get(payloadOf<{ readonly token: string }>(paid).token)?.webhookUrl ?? '')
    if (url === '') return false
    assert.deepEqual(
      deliveries.map((one) => [one.endpoint_id, one.url]),
      [[null, url]],
      'a charge has an address of its own',
    )
    return true
  }

  #asking(account: number, type: string): string[] {
    const own = [...this.endpoints.values()].filter((endpoint) => endpoint.account === account && endpoint.status === 'enabled')
    return own.filter(({ events }) => events.includes(type)).map(({ id }) => id)
  }

  /** What was not delivered is sent again, or everything where all was; what is on its way is left alone. */
  #auditRedelivery(entry: Entry): void {
    const { decided, record } = entry
    if (decided === null || decided.code !== null || decided.command.type !== 'Redeliver' || record.command !== 'Redeliver') return
    const event = this.at(decided.command.position)
    const targets = event === undefined || this.fanOuts.waits(event) ? [] : this.targets(event)
    const missing = targets.filter((target) => typeof target === 'string' || target.state !== 'succeeded')
    const expected = (missing.length > 0 ? missing : targets).flatMap((target) => {
      if (typeof target === 'string') return [target]
      const isOnItsWay = target.state === 'pending' && target.nextMs !== null && target.nextMs <= decided.timeMs
      return isOnItsWay ? [] : [target.id]
    })
    const found = eventsOf<Reopened>(entry, 'delivery.reopened').map(({ payload: { delivery } }) =>
      this.deliveries.has(delivery.id) ? delivery.id : (delivery.endpoint_id ?? ''),
    )
    assert.deepEqual(found.sort(), expected.sort(), `deliveries that Redeliver opens at ${record.sequence}`)
  }

  #addEvent(event: ModelEvent): void {
    assert.equal(this.#byId.has(event.id), false, 'the id of an event is given once')
    this.#byId.set(event.id, event)
    this.events.push(event)
    this.#byPosition.set(event.position, event)
  }

  #addDelivery(delivery: ModelDelivery): void {
    this.deliveries.set(delivery.id, delivery)
    const ofEvent = this.#ofEvent.get(delivery.eventId)
    if (ofEvent === undefined) this.#ofEvent.set(delivery.eventId, [delivery])
    else ofEvent.push(delivery)
  }

  #reopen({ event_id, delivery }: Reopened, { timeMs }: LogRecord): void {
    const { id, attempts, endpoint_id, url, nextAttemptMs } = delivery
    const before = this.deliveries.get(id)
    assert.equal(nextAttemptMs, timeMs, 'a delivery that is opened again is due at once')
    assert.equal(attempts, before?.attempts ?? 0, 'attempts are counted on')
    if (before !== undefined) {
      this.#delivery.move(before.state, 'reopened')
      assert.equal(before.eventId, event_id)
      Object.assign(before, { state: 'pending', nextMs: timeMs })
      return
    }
    const event = this.#byId.get(event_id)
    assert.ok(event !== undefined, 'what is delivered again was recorded')
    const about = { account: event.account, endpointId: endpoint_id, url, eventId: event_id, eventType: event.type }
    this.#addDelivery({ id, ...about, attempts, nextMs: timeMs, state: 'pending' })
  }

  /** Ids of the endpoints that answered 410 at the address that they still have. */
  #gone(entry: Entry): string[] {
    return eventsOf<Attempt>(entry, 'delivery.attempted').flatMap(({ payload: { delivery_id, http_status } }) => {
      const endpoint = this.endpoints.get(this.deliveries.get(delivery_id)?.endpointId ?? '')
      const isGone = http_status === 410 && endpoint !== undefined && resultOf(entry, delivery_id).url === endpoint.url
      return isGone ? [endpoint.id] : []
    })
  }

  #attempt({ delivery_id, attempt, http_status, state, next_attempt_at }: Attempt, entry: Entry): void {
    const delivery = this.deliveries.get(delivery_id)
    this.#delivery.move(delivery?.state, state === 'pending' ? 'postponed' : state)
    if (delivery === undefined) return
    delivery.attempts++
    assert.equal(attempt, delivery.attempts, 'attempts are counted')
    const { httpStatus, retryAfterMs } = resultOf(entry, delivery_id)
    assert.equal(http_status, httpStatus, 'the status that the receiver answered')
    const isGood = http_status !== null && http_status >= 200 && http_status < 300
    const endpoint = delivery.endpointId === null ? null : (this.endpoints.get(delivery.endpointId) ?? 'deleted')
    const isOff = endpoint === 'deleted' || (endpoint?.status === 'disabled' && delivery.eventType !== 'ping')
    const isOnce = delivery.eventType === 'bill.paid' || delivery.eventType === 'ping'
    const usualMs = http_status === 410 || isOff || isOnce ? undefined : WAITS_MS[attempt - 1]
    assert.equal(state, isGood ? 'succeeded' : usualMs === undefined ? 'failed' : 'pending', `attempt ${attempt} of ${delivery_id}`)
    delivery.state = state
    delivery.nextMs = next_attempt_at === null ? null : Date.parse(next_attempt_at)
    if (attempt === 1 && delivery.endpointId !== null) this.fanOuts.tried(delivery.endpointId, delivery.account, entry.record.timeMs)
    if (state !== 'pending' || usualMs === undefined) return
    const foundMs = (delivery.nextMs ?? 0) - entry.record.timeMs
    assertWait({ foundMs, usualMs, askedMs: Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS) }, `attempt ${attempt} of ${delivery_id}`)
  }
}

/** What the dispatcher reported of the delivery; the first report counts. */
function resultOf({ decided }: Entry, deliveryId: string): DeliveryResult {
  assert.ok(decided?.command.type === 'RecordDeliveries', 'attempts are what the dispatcher reported')
  const found = decided.command.results.find((result) => result.deliveryId === deliveryId)
  assert.ok(found !== undefined, 'an attempt was reported')
  return found
}
