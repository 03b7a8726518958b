// CPU profiles of Cauri's threads under a workload: one more window on a separate server with the CPU profiler. The profiler slows the server, so
// its rate is not a figure of the row.
import { join } from 'node:path'
import { type CpuProfile, formatTopFunctions, readMainThreadProfile, readWorkerProfiles, selfTimes } from '../cpu-profile.ts'
import type { Measurement, Subject } from '../measure.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber } from '../statistics.ts'

const FUNCTIONS = 25
const WORKER_FUNCTIONS = 10

/** Returns the profiles as lines of text, without and with an HTTP thread. Only samples of the measured window count, not start, warm-up and stop. */
export async function profilePayouts(stand: Stand, workload: PayoutWorkload): Promise<string[]> {
  const measure = (server: Subject): Promise<Measurement> => stand.measurePayouts(server, workload)
  return [...(await profile(stand, 0, measure)), ...(await profile(stand, 1, measure))]
}

/** Returns the profiles under payout batches. */
export function profileBatches(stand: Stand, workload: PayoutWorkload): Promise<string[]> {
  return profile(stand, 0, (server) => stand.measureBatches(server, workload))
}

async function profile(stand: Stand, httpThreads: number, measure: (server: Subject) => Promise<Measurement>): Promise<string[]> {
  const dataDir = await stand.cauri.freshFolder()
  const profileFolder = join(stand.folder, `profile-${httpThreads}`)
  const server = await stand.cauri.start(dataDir, { profileFolder, httpThreads })
  const { perSecond, window } = await measure(server)
  await server.stop()
  const [pid] = server.pids
  stand.cauri.remove(dataDir)
  const shown = (thread: string, one: CpuProfile, count: number): string[] => [
    `Cauri's ${thread} thread under the profiler, ${httpThreads} HTTP threads (${formatNumber(perSecond)}/s), self times:`,
    ...formatTopFunctions(selfTimes(one, window), count),
  ]
  const lines = shown('main', readMainThreadProfile(profileFolder, pid), FUNCTIONS)
  for (const [name, one] of readWorkerProfiles(profileFolder, pid)) lines.push(...shown(name, one, WORKER_FUNCTIONS))
  return lines
}
