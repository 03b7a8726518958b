// The log as documents are read from it, made of records that begin with the first.
import type { Past } from '../../engine/domain/decision.ts'
import type { LogRecord, StoredEvent } from '../../engine/domain/record.ts'
import { eventIndexOf, sequenceOf } from '../../engine/kernel/position.ts'

export function pastOf(records: readonly LogRecord[]): Pick<Past, 'eventAt'> {
  return { eventAt: (position) => records[sequenceOf(position) - 1]?.events[eventIndexOf(position)] as StoredEvent }
}
