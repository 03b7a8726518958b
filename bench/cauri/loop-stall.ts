// How long Cauri's event loop stood still at worst, as its own metrics say: since they were last asked for.

const METRIC = 'nodejs_eventloop_lag_max_seconds'
/** The histogram behind it counts the time from one tick of a timer to the next, its period included. */
const PERIOD_MS = 10

/** Since the reading before, or since the start. */
export async function readLoopStallMs(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const value = new RegExp(`^${METRIC} (\\S+)$`, 'm').exec(await response.text())?.[1]
  if (value === undefined) throw new Error(`the server's metrics lack ${METRIC}`)
  return Math.max(0, Number(value) * 1000 - PERIOD_MS)
}
