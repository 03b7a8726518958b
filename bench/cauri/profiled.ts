// CPU profile of Cauri under a workload: one more window on a separate server with the CPU profiler. The profiler slows the server, so
// its rate is not a figure of the row.
import { join } from 'node:path'
import { formatTopFunctions, readMainThreadProfile, selfTimes } from '../cpu-profile.ts'
import type { Measurement, Subject } from '../measure.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber } from '../statistics.ts'

const FUNCTIONS = 25

/** Returns the profile as lines of text. Only samples of the measured window count, not start, warm-up and stop. */
export function profilePayouts(stand: Stand, workload: PayoutWorkload): Promise<string[]> {
  return profile(stand, (server) => stand.measurePayouts(server, workload))
}

/** Returns the profile under payout batches. */
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
