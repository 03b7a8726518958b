// Waits for the machine to be idle before a measurement: on two cores, somebody else's compile run is the figure.
import { setTimeout as pause } from 'node:timers/promises'
import { machineSeconds } from './process/cpu-time.ts'

const SAMPLE_MS = 300
const QUIET_CORES = 0.1

/** Answers once fewer than a tenth of a core was busy, or after `mostMs`; true when it was quiet. */
export async function waitUntilQuiet(mostMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + mostMs
  do {
    const before = machineSeconds()
    const beforeMs = performance.now()
    await pause(SAMPLE_MS)
    const after = machineSeconds()
    if (before === null || after === null) return true
    if ((after.busy - before.busy) / ((performance.now() - beforeMs) / 1000) < QUIET_CORES) return true
  } while (performance.now() < deadlineMs)
  return false
}
