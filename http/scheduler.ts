// The event loop behind the engine's port.
import type { Scheduler } from '../engine/actor/ports.ts'

/** setTimeout counts in 32 bits; what is further away is looked at again then. */
const DELAY_MAX_MS = 2 ** 31 - 1

/**
 * `soon` is the check phase: after everything that the sockets brought in this round of the loop, before the next
 * round. Alarms do not keep the process alive.
 */
export const loopScheduler: Scheduler = {
  soon: (run) => {
    setImmediate(run)
  },
  at: (timeMs, run) => {
    let timer: NodeJS.Timeout
    const plan = (): void => {
      const delayMs = timeMs - Date.now()
      timer = delayMs > DELAY_MAX_MS ? setTimeout(plan, DELAY_MAX_MS) : setTimeout(run, Math.max(0, delayMs))
      timer.unref()
    }
    plan()
    return () => clearTimeout(timer)
  },
}
