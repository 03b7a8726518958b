// Index entries in three parallel columns, sorted by hash and position: the format in which runs are made, merged and stored.
import type { IndexSegment } from '../../engine/actor/ports.ts'

/** `count` entries are in use, strictly ascending by (high, low, position). */
export interface SortedColumns {
  readonly count: number
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly position: Float64Array
}

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
const DIGIT_MASK = DIGITS - 1
/** Three digits of 11 bits hold 32 bits. */
const SHIFTS = [0, 11, 22] as const

/**
 * Sorts a segment and drops duplicates. A stable radix sort over the 64 bits of the hash. Positions arrive nearly ascending,
 * so only the order within equal hashes is left to check. 65 536 entries take 5 to 9 ms.
 */
export function sortSegment(segment: IndexSegment): SortedColumns {
  const { count, high, low, position } = segment
  let order = new Uint32Array(count)
  let other = new Uint32Array(count)
  for (let index = 0; index < count; index++) order[index] = index
  const starts = new Uint32Array(DIGITS)
  for (const column of [low, high]) {
    for (const shift of SHIFTS) {
      sortByDigit(column, shift, order, other, starts)
      const swapped = order
      order = other
      other = swapped
    }
  }
  orderPositions(segment, order)
  return gather(high, low, position, order)
}

export function emptyColumns(capacity: number): { count: number; high: Uint32Array; low: Uint32Array; position: Float64Array } {
  return { count: 0, high: new Uint32Array(capacity), low: new Uint32Array(capacity), position: new Float64Array(capacity) }
}

/** Returns the index of the first entry that is not below (high, low, position). */
export function lowerBound(columns: SortedColumns, high: number, low: number, position: number): number {
  let from = 0
  let to = columns.count
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBelow(columns, middle, high, low, position)) from = middle + 1
    else to = middle
  }
  return from
}

function isBelow(columns: SortedColumns, index: number, high: number, low: number, position: number): boolean {
  const itsHigh = columns.high[index] as number
  if (itsHigh !== high) return itsHigh < high
  const itsLow = columns.low[index] as number
  if (itsLow !== low) return itsLow < low
  return (columns.position[index] as number) < position
}

/** Does one counting pass from `order` into `other`. */
function sortByDigit(column: Uint32Array, shift: number, order: Uint32Array, other: Uint32Array, starts: Uint32Array): void {
  const count = order.length
  starts.fill(0)
  for (let index = 0; index < count; index++) {
    const digit = ((column[index] as number) >>> shift) & DIGIT_MASK
    starts[digit] = (starts[digit] as number) + 1
  }
  let start = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const size = starts[digit] as number
    starts[digit] = start
    start += size
  }
  for (let index = 0; index < count; index++) {
    const entry = order[index] as number
    const digit = ((column[entry] as number) >>> shift) & DIGIT_MASK
    const at = starts[digit] as number
    starts[digit] = at + 1
    other[at] = entry
  }
}

/** Insertion sort within equal hashes: only entries of the same record can be out of order. */
function orderPositions(segment: IndexSegment, order: Uint32Array): void {
  const { high, low, position } = segment
  for (let index = 1; index < order.length; index++) {
    const entry = order[index] as number
    let at = index
    while (at > 0) {
      const before = order[at - 1] as number
      if (high[before] !== high[entry] || low[before] !== low[entry]) break
      if ((position[before] as number) <= (position[entry] as number)) break
      order[at] = before
      at--
    }
    order[at] = entry
  }
}

function gather(high: Uint32Array, low: Uint32Array, position: Float64Array, order: Uint32Array): SortedColumns {
  const sorted = emptyColumns(order.length)
  let count = 0
  for (let index = 0; index < order.length; index++) {
    const entry = order[index] as number
    const itsHigh = high[entry] as number
    const itsLow = low[entry] as number
    const itsPosition = position[entry] as number
    const last = count - 1
    if (count > 0 && sorted.high[last] === itsHigh && sorted.low[last] === itsLow && sorted.position[last] === itsPosition) continue
    sorted.high[count] = itsHigh
    sorted.low[count] = itsLow
    sorted.position[count] = itsPosition
    count++
  }
  sorted.count = count
  return sorted
}
