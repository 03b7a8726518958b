// Merchant events as their merchant knows them: those that have a record of their own, and those of payouts and batches,
// which are read from the payout or batch itself, so that a payout costs no second record.
import { assert } from '../kernel/assert.ts'
import { type Position, positionOf } from '../kernel/position.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { RecordedBillPayment } from './bill/bill-state.ts'
import { billPaidData } from './bill/bill-versions.ts'
import { chargeEventData } from './charge/charge-versions.ts'
import type { Past } from './decision.ts'
import { mandateEventData } from './mandate/mandate-versions.ts'
import { batchHeadOf } from './payout/batch-events.ts'
import type { Payout } from './payout/payout-state.ts'
import { type LogRecord, payloadOf, type StoredEvent, textOf } from './record.ts'
import type { State } from './state.ts'
import type { DocumentReference, MerchantEvent, MerchantEventHead, RecordedMerchantEvent } from './webhook/webhook-events.ts'
import { READ_FROM_RECORDS, type Webhooks } from './webhook/webhook-state.ts'

const DERIVED: ReadonlySet<string> = new Set(READ_FROM_RECORDS)
const NONE: ReadonlySet<Position> = new Set()
type Documents = Pick<Past, 'eventAt'>

/** Whether the merchant's list may show this event of the log. */
export function isMerchantEvent({ type }: StoredEvent): boolean {
  return isMerchantEventType(type)
}

export function isMerchantEventType(type: string): boolean {
  return type === 'merchant_event.recorded' || DERIVED.has(type)
}

/** The event that the merchant sees; null for events of the log that it does not. */
export function merchantEventOf(event: StoredEvent, past: Documents): MerchantEvent | null {
  if (event.type !== 'merchant_event.recorded') return DERIVED.has(event.type) ? new DerivedEvent(event) : null
  const recorded = payloadOf<RecordedMerchantEvent>(event)
  return 'data' in recorded ? recorded : new ReferringEvent(recorded, past)
}

/**
 * The payouts and batches of a record that have an event of their own in it: an endpoint asked for their type when they were
 * decided. That event takes the place of the derived one.
 */
export function recordedBeside({ events }: Pick<LogRecord, 'events'>): ReadonlySet<Position> {
  if (events.length === 1) return NONE
  let recorded: Set<Position> | null = null
  for (const event of events) {
    const derived = derivedOf(event)
    if (derived === null) continue
    recorded ??= new Set()
    recorded.add(derived)
  }
  return recorded ?? NONE
}

/** Returns the places of the account's events in the record, in order: the frames of its stream. */
export function shownPositions(record: LogRecord, account: AccountNumber): Position[] {
  const beside = recordedBeside(record)
  const positions: Position[] = []
  for (let index = 0; index < record.events.length; index++) {
    const event = record.events[index] as StoredEvent
    const position = positionOf(record.sequence, index)
    if (event.account === account && isShown(event, position, beside)) positions.push(position)
  }
  return positions
}

/** Counts the events of each account in the record. `RecordScan` counts the same from its bytes. */
export function countMerchantEvents({ webhooks }: State, record: LogRecord): void {
  const beside = recordedBeside(record)
  for (let index = 0; index < record.events.length; index++) {
    const event = record.events[index] as StoredEvent
    if (isShown(event, positionOf(record.sequence, index), beside)) addMerchantEvents(webhooks, event.account, 1)
  }
}

export function addMerchantEvents({ eventCounts }: Webhooks, account: AccountNumber, count: number): void {
  eventCounts.set(account, eventCounts.last(account) + count)
}

/** A payout or batch is not shown where the record has its event beside it. */
function isShown(event: StoredEvent, position: Position, beside: ReadonlySet<Position>): boolean {
  if (!isMerchantEvent(event)) return false
  return event.type === 'merchant_event.recorded' || !beside.has(position)
}

/** Position of the payout or batch whose derived event a recorded event replaces. Null for every other event. */
export function derivedOf(event: StoredEvent): Position | null {
  if (event.type !== 'merchant_event.recorded') return null
  const recorded = payloadOf<RecordedMerchantEvent>(event)
  return DERIVED.has(recorded.type) && 'document_position' in recorded ? recorded.document_position : null
}

/** Reads its data from the document when it is asked for. */
class ReferringEvent implements MerchantEvent {
  readonly id: string
  readonly type: MerchantEvent['type']
  readonly environment: MerchantEvent['environment']
  readonly created_at: string
  readonly deliveries: MerchantEvent['deliveries']
  readonly #reference: DocumentReference
  readonly #past: Documents

  constructor({ id, type, environment, created_at, deliveries, ...reference }: MerchantEventHead & DocumentReference, past: Documents) {
    this.id = id
    this.type = type
    this.environment = environment
    this.created_at = created_at
    this.deliveries = deliveries
    this.#reference = reference
    this.#past = past
  }

  get data(): object {
    const { document_position, merchant_id = '' } = this.#reference
    const document = this.#past.eventAt(document_position)
    if (DERIVED.has(document.type)) return payloadOf(document)
    if (document.type === 'bill.paid') return billPaidData(payloadOf<RecordedBillPayment>(document))
    if (document.type.startsWith('mandate.')) return mandateEventData(document, this.#past)
    assert(document.type.startsWith('charge.'), 'an event refers to a document whose data it knows to read')
    return chargeEventData(document, this.#past, merchant_id)
  }
}

/** Reads as a recorded one without deliveries of its own; its id is that of the payout or batch. */
export class DerivedEvent implements MerchantEvent {
  readonly id: string
  readonly type: MerchantEvent['type']
  readonly environment: MerchantEvent['environment']
  readonly created_at: string
  readonly deliveries = []
  readonly #event: StoredEvent

  constructor(event: StoredEvent) {
    const { id, environment, created_at } = event.type === 'batch.completed' ? batchHeadOf(event) : payloadOf<Payout>(event)
    this.id = id
    this.type = event.type as MerchantEvent['type']
    this.environment = environment
    this.created_at = created_at
    this.#event = event
  }

  get data(): object {
    return payloadOf(this.#event)
  }

  /** JSON text of the data, without making the data. */
  get dataText(): string {
    return textOf(this.#event)
  }
}
