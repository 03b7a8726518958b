// What clients saw of one balance that payouts of one franc lower: whether some order of all operations, each at a moment between its
// request and its answer, explains every answer (linearizability of a counter).

export interface Payment {
  readonly key: string
  /** Of the first attempt. */
  readonly startMs: number
  /** Of the answer that acknowledged it. */
  readonly endMs: number
  /** Body of the answer. */
  readonly body: string
}

export interface Reading {
  readonly node: string
  readonly startMs: number
  readonly endMs: number
  readonly balance: number
}

/** Everything that no order explains, in words; empty for a linearizable history. */
export function contradictions(initial: number, payments: readonly Payment[], readings: readonly Reading[]): string[] {
  const starts = payments.map(({ startMs }) => startMs).sort(ascending)
  const ends = payments.map(({ endMs }) => endMs).sort(ascending)
  const found: string[] = []
  let seenBefore = 0
  const byEnd = readings.toSorted((one, other) => one.endMs - other.endMs)
  let ended = 0
  for (const reading of readings.toSorted((one, other) => one.startMs - other.startMs)) {
    const paid = initial - reading.balance
    const least = countUpTo(ends, reading.startMs)
    const most = countUpTo(starts, reading.endMs)
    if (paid < least) found.push(`${reading.node} showed ${paid} payouts when ${least} were acknowledged`)
    if (paid > most) found.push(`${reading.node} showed ${paid} payouts when ${most} were sent`)
    for (; (byEnd[ended]?.endMs ?? Number.POSITIVE_INFINITY) < reading.startMs; ended++) {
      seenBefore = Math.max(seenBefore, initial - (byEnd[ended] as Reading).balance)
    }
    if (paid < seenBefore) found.push(`${reading.node} showed ${paid} payouts after ${seenBefore} had been shown`)
  }
  return found
}

/** How many of the ascending values are not above `limit`. */
function countUpTo(values: readonly number[], limit: number): number {
  let from = 0
  let to = values.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((values[middle] as number) <= limit) from = middle + 1
    else to = middle
  }
  return from
}

function ascending(one: number, other: number): number {
  return one - other
}
