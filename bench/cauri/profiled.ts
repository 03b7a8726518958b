// Where Cauri's time goes under a workload: one more window on a server of its own that runs under the CPU profiler. The
// profiler slows it down, so what it reaches here is no figure of the row.
import { join } from 'node:path'
import { formatTopFunctions, readMainThreadProfile, selfTimes } from '../cpu-profile.ts'
import type { Measurement, Subject } from '../measure.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber } from '../statistics.ts'

const FUNCTIONS = 25

/** Lines for the reader. Only samples of the measured window count, not those of start, warm-up and stop. */
export function profilePayouts(stand: Stand, workload: PayoutWorkload): Promise<string[]> {
  return profile(stand, (server) => stand.measurePayouts(server, workload))
}

/** The same under batches. */
export function profileBatches(stand: Stand, workload: PayoutWorkload): Promise<string[]> {
  return profile(stand, (server) => stand.measureBatches(server, workload))
}

async function profile(stand: Stand, measure: (server: Subject) => Promise<Measurement>): Promise<string[]> {
  const dataDir = await stand.cauri.freshFolder()
  const profileFolder = join(stand.folder, 'profile')
  const server = await stand.cauri.start(dataDir, { profileFolder })
  const { perSecond, window } = await measure(server)
  await server.stop()
  const times = selfTimes(readMainThreadProfile(profileFolder, server.pids[0]), window)
  stand.cauri.remove(dataDir)
  return [`Cauri's main thread under the profiler (${formatNumber(perSecond)}/s), self times:`, ...formatTopFunctions(times, FUNCTIONS)]
}
