// Lists of merchant events, newest first, each with what became of its deliveries by now. Events of payouts and batches
// that have no record of their own are read from the payout or batch.
import type { Engine } from '../../../engine/actor/engine.ts'
import type { History, Hit } from '../../../engine/actor/history.ts'
import { encodeCursor } from '../../../engine/contract/cursor.ts'
import type { ListEventsQuery } from '../../../engine/contract/webhook.ts'
import { DerivedEvent, derivedIdOf, isMerchantEvent, merchantEventOf, recordedBeside } from '../../../engine/domain/merchant-events.ts'
import { payloadOf, type StoredEvent } from '../../../engine/domain/record.ts'
import type { State } from '../../../engine/domain/state.ts'
import {
  batchesTerm,
  batchTerm,
  merchantEventsTerm,
  merchantEventTerm,
  payoutsTerm,
  payoutTerm,
  undeliveredTerm,
} from '../../../engine/domain/terms.ts'
import { type DeliveryState, deliveriesOf, deliveryState, eventText } from '../../../engine/domain/webhook/deliveries.ts'
import type { DeliveryAttempt, MerchantEvent } from '../../../engine/domain/webhook/webhook-events.ts'
import type { MerchantEventType } from '../../../engine/domain/webhook/webhook-state.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { type Position, sequenceOf } from '../../../engine/kernel/position.ts'
import type { Term } from '../../../engine/kernel/term.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'
import { answerDocuments } from '../../lists/document-list.ts'
import { envelope, type PageWindow, pageWindow } from '../../lists/lists.ts'
import { later } from '../../server/later.ts'
import type { Call, MerchantPrincipal } from '../../server/route.ts'

/** With no more undelivered events than this they are looked at one by one; otherwise all events are gone through. */
const FEW_MAX = 512
/** Events between two looks at other requests. */
const PER_SLICE = 16

type ListEngine = Pick<Engine, 'state' | 'history'>
type ListCall = Call<unknown, ListEventsQuery, MerchantPrincipal>

export function answerEvents(engine: ListEngine, call: ListCall): void {
  const { type, delivery_success } = call.query
  const { account } = call.principal
  const window = pageWindow(call.query)
  if (window === null) return call.refuse('invalid_parameter', 'cursor')
  const few = delivery_success === false ? fewUndelivered(engine, account) : null
  if (few !== null) return later(call, async () => call.answer(200, await fewPage(engine, few, call.query, window)))
  const seen = new SeenEvents(window.below)
  answerDocuments(call, engine.history, {
    terms: termsOf(account, type),
    match: 'any',
    keep: (hit) => hit.event.account === account && isMerchantEvent(hit.event) && seen.isOwn(hit, type),
    current: ({ event }) => listedText(engine, account, eventOf(event), delivery_success),
  })
}

/** Where events of the type, or of all types, are filed. */
function termsOf(account: AccountNumber, type: MerchantEventType | undefined): Term[] {
  const recorded = merchantEventsTerm(account, type)
  switch (type) {
    case undefined:
      return [recorded, payoutsTerm(account), batchesTerm(account)]
    case 'payout.paid':
      return [recorded, payoutsTerm(account, 'state', 'paid')]
    case 'payout.failed':
      return [recorded, payoutsTerm(account, 'state', 'failed')]
    case 'batch.completed':
      return [recorded, batchesTerm(account)]
    default:
      return [recorded]
  }
}

/** Drops payouts and batches that have an event of their own in the same record: it stands behind them, so it was seen before. */
class SeenEvents {
  /** The record that the page begins in, -1 when it begins with a whole one: what stands above is on the page before. */
  readonly #cutSequence: number
  #sequence = -1
  #recorded: Set<string> = new Set()

  constructor(below: Position | undefined) {
    this.#cutSequence = below === undefined ? -1 : sequenceOf(below)
  }

  /** Hits come newest first. False for events of another type too. */
  isOwn(hit: Hit, type: MerchantEventType | undefined): boolean {
    const sequence = sequenceOf(hit.position)
    if (sequence !== this.#sequence) {
      this.#sequence = sequence
      this.#recorded = new Set(sequence === this.#cutSequence ? recordedBeside(hit.record) : [])
    }
    const seen = eventOf(hit.event)
    if (type !== undefined && seen.type !== type) return false
    if (seen instanceof DerivedEvent) return !this.#recorded.has(seen.id)
    const of = derivedIdOf(seen)
    if (of !== null) this.#recorded.add(of)
    return true
  }
}

function eventOf(event: StoredEvent): MerchantEvent {
  const found = merchantEventOf(event)
  assert(found !== null, 'the list holds merchant events')
  return found
}

/** The event that the merchant knows by this id. */
export function findEvent(history: Pick<History, 'first'>, account: AccountNumber, id: string): Hit | null {
  const isIt = ({ event }: Hit): boolean => event.account === account && merchantEventOf(event)?.id === id
  const recorded = history.first(merchantEventTerm(id), isIt)
  if (recorded !== null) return recorded
  const derived = history.first(payoutTerm(id), isIt) ?? history.first(batchTerm(id), isIt)
  return derived === null || recordedBeside(derived.record).has(id) ? null : derived
}

export function currentText({ state, history }: ListEngine, account: AccountNumber, event: StoredEvent): string {
  const told = eventOf(event)
  return eventText(told, deliveryState(deliveriesOf(state, history, account, told)))
}

function listedText(
  { state, history }: ListEngine,
  account: AccountNumber,
  told: MerchantEvent,
  wanted: boolean | undefined,
): string | null {
  const outcome = deliveryState(deliveriesOf(state, history, account, told))
  return wanted === undefined || isListed(outcome, wanted) ? eventText(told, outcome) : null
}

/** An event that nobody was to be told of has neither succeeded nor failed. */
function isListed(outcome: DeliveryState, wanted: boolean): boolean {
  return wanted ? outcome === 'succeeded' : outcome === 'pending' || outcome === 'failed'
}

/** Positions of all events that have, or once had, an open or failed delivery, newest first; null when there are many. */
function fewUndelivered({ state, history }: ListEngine, account: AccountNumber): Position[] | null {
  const positions = new Set<Position>()
  for (const id of openIds(state, account)) {
    const delivery = state.webhooks.deliveries.get(id)
    if (delivery !== undefined) positions.add(delivery.position)
    if (positions.size > FEW_MAX) return null
  }
  const eventIds = new Set<string>()
  const keep = ({ event }: Hit): boolean => event.account === account && (isMerchantEvent(event) || event.type === 'delivery.attempted')
  const { hits, next } = history.page({ terms: [undeliveredTerm(account)], keep, limit: FEW_MAX })
  if (next !== null) return null
  for (const { event, position } of hits) {
    if (isMerchantEvent(event)) positions.add(position)
    else eventIds.add(payloadOf<DeliveryAttempt>(event).event_id)
  }
  for (const id of eventIds) {
    const found = findEvent(history, account, id)
    if (found !== null) positions.add(found.position)
  }
  return [...positions].sort((one, other) => other - one)
}

function* openIds({ webhooks }: State, account: AccountNumber): Generator<string> {
  for (const { id } of webhooks.endpointsOf(account)) yield* webhooks.openBeside({ account, endpoint_id: id })
  yield* webhooks.openBeside({ account, endpoint_id: null })
}

async function fewPage(engine: ListEngine, positions: readonly Position[], query: ListEventsQuery, window: PageWindow): Promise<string> {
  const rows: string[] = []
  let lastRow: Position = 0
  for (const [index, position] of positions.entries()) {
    if (index % PER_SLICE === PER_SLICE - 1) await new Promise(setImmediate)
    if (position >= (window.below ?? Number.POSITIVE_INFINITY)) continue
    const event = engine.history.eventAt(position)
    const told = eventOf(event)
    if ((query.type !== undefined && told.type !== query.type) || !isWithin(told, window)) continue
    const text = listedText(engine, event.account, told, false)
    if (text === null) continue
    if (rows.length === window.limit) return envelope(rows, encodeCursor({ position: lastRow }))
    rows.push(text)
    lastRow = position
  }
  return envelope(rows, null)
}

function isWithin({ created_at }: MerchantEvent, { createdFromMs, createdToMs }: PageWindow): boolean {
  const createdMs = parseRfc3339(created_at)
  return createdMs >= (createdFromMs ?? Number.NEGATIVE_INFINITY) && createdMs < (createdToMs ?? Number.POSITIVE_INFINITY)
}
