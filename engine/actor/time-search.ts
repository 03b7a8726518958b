// Finds where a time begins in the log by binary search: record times never decrease. It caches the times of the
// first steps, which never change.
import type { TimeMs } from '../kernel/time.ts'

/** Maximum of cached times, 50 bytes each: the first twelve steps of every search. */
const KNOWN_MAX = 4096

export class TimeSearch {
  readonly #timeOf: (sequence: number) => TimeMs
  readonly #known = new Map<number, TimeMs>()

  constructor(timeOf: (sequence: number) => TimeMs) {
    this.#timeOf = timeOf
  }

  /** Returns the first sequence whose record is not before `timeMs`; the last sequence plus one when there is none. */
  first(timeMs: TimeMs, lastSequence: number): number {
    let from = 1
    let to = lastSequence + 1
    while (from < to) {
      const middle = roundest(from, to - 1)
      if (this.#at(middle) >= timeMs) to = middle
      else from = middle + 1
    }
    return from
  }

  #at(sequence: number): TimeMs {
    const known = this.#known.get(sequence)
    if (known !== undefined) return known
    const timeMs = this.#timeOf(sequence)
    if (this.#known.size < KNOWN_MAX) this.#known.set(sequence, timeMs)
    return timeMs
  }
}

/**
 * Returns the number in the range that is divisible by the largest power of two. Searches therefore share steps,
 * wherever the log ends.
 */
function roundest(from: number, to: number): number {
  let step = 1
  while (Math.floor(to / (step * 2)) * step * 2 >= from) step *= 2
  return Math.floor(to / step) * step
}
