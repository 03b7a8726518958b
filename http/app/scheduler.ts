// The event loop behind the engine's port.
import type { Scheduler } from '../../engine/actor/ports.ts'

/** How long an alarm sleeps at most before it looks at the clock again: somebody may have set it meanwhile. */
const LOOK_AFTER_MS = 1000

export interface Time {
  /** The wall clock: it may be set, either way. */
  nowMs(): number
  /** Never goes back and is never set. */
  runningMs(): number
}

/**
 * `soon` is the check phase: after everything that the sockets brought in this round of the loop, before the next
 * round. An alarm rings when the clock shows its time, within a second when the clock was set forward, and no later than
 * it was planned for when the clock was set back: whoever hears it looks at the time anew. Alarms do not keep the process alive.
 */
export function schedulerOn(time: Time): Scheduler {
  return {
    soon: (run) => {
      setImmediate(run)
    },
    at: (timeMs, run) => {
      const endMs = time.runningMs() + timeMs - time.nowMs()
      let timer: NodeJS.Timeout
      const look = (): void => {
        const leftMs = Math.min(timeMs - time.nowMs(), endMs - time.runningMs())
        timer = leftMs > LOOK_AFTER_MS ? setTimeout(look, LOOK_AFTER_MS) : setTimeout(run, Math.max(0, leftMs))
        timer.unref()
      }
      look()
      return () => clearTimeout(timer)
    },
  }
}

export const loopScheduler: Scheduler = schedulerOn({ nowMs: () => Date.now(), runningMs: () => performance.now() })
