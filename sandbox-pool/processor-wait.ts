// How long a process was ready to run and had no processor.
import { readFileSync } from 'node:fs'

/**
 * Milliseconds that the main thread of a process waited so far (Documentation/scheduler/sched-stats.rst); 0 where the system does not
 * say, and for a process that is gone.
 */
export function processorWaitMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
