// What one payout costs the server: what rows compare that ask whether a cost grows.
import type { Measurement } from '../measure.ts'

/** Microseconds of the main thread's CPU time; without /proc of the clock's. */
export function costsOf(measurements: readonly Measurement[]): number[] {
  return measurements.map(({ perSecond, serverMainThreadCores }) => ((serverMainThreadCores ?? 1) * 1e6) / perSecond)
}
