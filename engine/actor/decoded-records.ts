// The records that were decoded last. A page of a batch's payouts reads one many times, and decoding 500 lines takes 1 ms; a turn of a
// disbursement and a page of its lines read its creation, its newest change, its lines and its payouts in turn.
import type { LogRecord } from '../domain/record.ts'

const RECORDS_MAX = 4

export class DecodedRecords {
  /** Most recently used first. */
  readonly #records: LogRecord[] = []

  get(sequence: number): LogRecord | undefined {
    const records = this.#records
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

  add(record: LogRecord): LogRecord {
    this.#records.unshift(record)
    if (this.#records.length > RECORDS_MAX) this.#records.pop()
    return record
  }
}
