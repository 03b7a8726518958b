// The last durations of an operation, for percentiles of now. Adding one is a store into an array.
import { RECENT_TIMES_MAX } from './server-limits.ts'

export interface Percentiles {
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

export class RecentTimes {
  readonly #values = new Float64Array(RECENT_TIMES_MAX)
  #count = 0

  add(durationMs: number): void {
    this.#values[this.#count % RECENT_TIMES_MAX] = durationMs
    this.#count++
  }

  /** Returns the percentiles of the last RECENT_TIMES_MAX durations, null without any. */
  percentiles(): Percentiles {
    const sorted = this.#values.slice(0, Math.min(this.#count, RECENT_TIMES_MAX)).sort()
    return { p50Ms: at(sorted, 0.5), p99Ms: at(sorted, 0.99) }
  }
}

function at(sorted: Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}
