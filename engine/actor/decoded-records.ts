// The records that were decoded last. A page of a batch's payouts reads one many times, and decoding 500 lines takes 1 ms; a turn of a
// disbursement and a page of its lines read its creation, its newest change, its lines and its payouts in turn.
import type { LogRecord } from '../domain/record.ts'

/**
 * Large records have places of their own. Small ones, which every webhook and bill reads, pushed out the batches whose deliveries go on, so
 * each was decoded again and again: half of what a scavenge copied while batches opened deliveries.
 */
const SMALL_MAX = 4
const LARGE_MAX = 8
/** Events from which on a record is large: decoding takes 0.1 ms. */
const LARGE_EVENTS = 32

export class DecodedRecords {
  /** Most recently used first. */
  readonly #small: LogRecord[] = []
  readonly #large: LogRecord[] = []

  get(sequence: number): LogRecord | undefined {
    return used(this.#small, sequence) ?? used(this.#large, sequence)
  }

  add(record: LogRecord): LogRecord {
    if (record.events.length < LARGE_EVENTS) addTo(this.#small, record, SMALL_MAX)
    else addTo(this.#large, record, LARGE_MAX)
    return record
  }
}

/** Returns the record with the sequence and moves it to the front. */
function used(records: LogRecord[], sequence: number): LogRecord | undefined {
  for (let at = 0; at < records.length; at++) {
    const record = records[at] as LogRecord
    if (record.sequence !== sequence) continue
    if (at > 0) {
      records.splice(at, 1)
      records.unshift(record)
    }
    return record
  }
  return undefined
}

function addTo(records: LogRecord[], record: LogRecord, max: number): void {
  records.unshift(record)
  if (records.length > max) records.pop()
}
