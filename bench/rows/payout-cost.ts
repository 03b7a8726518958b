// Cost of one payout for the server, for rows that compare costs.
import type { Measurement } from '../measure.ts'

/** Returns microseconds of the main thread's CPU time; without /proc, of elapsed time. */
export function costsOf(measurements: readonly Measurement[]): number[] {
  return measurements.map(({ perSecond, serverMainThreadCores }) => ((serverMainThreadCores ?? 1) * 1e6) / perSecond)
}
