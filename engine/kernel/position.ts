// Position of an event in the log: the sequence of its record and its index within the record, in one safe integer.

/** sequence × 4096 + index. Positions ascend with time. */
export type Position = number

export const EVENTS_PER_RECORD_MAX = 4096
export const POSITION_MAX: Position = Number.MAX_SAFE_INTEGER

export function positionOf(sequence: number, eventIndex: number): Position {
  return sequence * EVENTS_PER_RECORD_MAX + eventIndex
}

export function sequenceOf(position: Position): number {
  return Math.floor(position / EVENTS_PER_RECORD_MAX)
}

export function eventIndexOf(position: Position): number {
  return position % EVENTS_PER_RECORD_MAX
}
