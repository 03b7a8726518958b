// How long Cauri's event loop stood still at worst, as its own metrics say: since they were last asked for.
import { readMetrics, sampleOf } from './metrics-text.ts'

const METRIC = 'nodejs_eventloop_lag_max_seconds'
/** The histogram behind it counts the time from one tick of a timer to the next, its period included. */
const PERIOD_MS = 10

/** Since the reading before, or since the start. */
export async function readLoopStallMs(port: number): Promise<number> {
  return Math.max(0, sampleOf(await readMetrics(port), METRIC) * 1000 - PERIOD_MS)
}
