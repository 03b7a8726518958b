// What a search of the log finds: an event, and its record.
import type { LogRecord, StoredEvent } from '../domain/record.ts'
import { eventIndexOf, type Position, positionOf, sequenceOf } from '../kernel/position.ts'

export interface Hit {
  readonly position: Position
  readonly record: LogRecord
  readonly event: StoredEvent
  readonly eventIndex: number
}

/** A hit that decodes its record on first use. */
export class PeekedHit implements Hit {
  readonly position: Position
  readonly event: StoredEvent
  readonly eventIndex: number
  readonly #recordAt: (sequence: number) => LogRecord

  constructor(position: Position, event: StoredEvent, recordAt: (sequence: number) => LogRecord) {
    this.position = position
    this.event = event
    this.eventIndex = eventIndexOf(position)
    this.#recordAt = recordAt
  }

  get record(): LogRecord {
    return this.#recordAt(sequenceOf(this.position))
  }
}

const NO_EVENT: StoredEvent = { type: '', version: 0, account: -1, text: '{}', payload: null }

/** Returns the hit of one event of a decoded record. Entries of idempotency keys and frames may lead to no event. */
export function hitIn(record: LogRecord, eventIndex: number): Hit {
  return { position: positionOf(record.sequence, eventIndex), record, event: record.events[eventIndex] ?? NO_EVENT, eventIndex }
}

/** Returns the hit of the record that `keep` accepts. The id is that of one of its transactions, or of an event. */
export function hitById(record: LogRecord, id: string, keep: (hit: Hit) => boolean): Hit | null {
  const transaction = record.transactions.find((one) => one.id === id)
  const from = transaction?.eventIndex ?? 0
  const to = transaction?.eventIndex ?? record.events.length - 1
  for (let eventIndex = from; eventIndex <= to; eventIndex++) {
    const hit = hitIn(record, eventIndex)
    if (keep(hit)) return hit
  }
  return null
}
