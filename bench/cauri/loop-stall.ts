// Longest stall of Cauri's event loop since the last reading, from its metrics.
import { readMetrics, sampleOf } from './metrics-text.ts'

const METRIC = 'nodejs_eventloop_lag_max_seconds'
/** Period of the timer in the histogram. It is included in each value. */
const PERIOD_MS = 10

/** Returns the longest stall since the reading before, or since the start. */
export async function readLoopStallMs(port: number): Promise<number> {
  return Math.max(0, sampleOf(await readMetrics(port), METRIC) * 1000 - PERIOD_MS)
}
