// Waits for an idle machine before a measurement: on two cores, another process falsifies the figure.
import { setTimeout as pause } from 'node:timers/promises'
import { machineSeconds } from './process/cpu-time.ts'

const SAMPLE_MS = 300
const QUIET_CORES = 0.1

/** Resolves when less than a tenth of a core was busy (true), or after `mostMs` (false). 0: does not look. */
export async function waitUntilQuiet(mostMs: number): Promise<boolean> {
  if (mostMs === 0) return true
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
