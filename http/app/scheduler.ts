// Scheduler port of the engine on the event loop.
import type { Clock, Scheduler } from '../../engine/actor/ports.ts'
import { systemClock } from './clock.ts'

/** Maximum sleep of an alarm before it reads the clock again, because the clock may have been set. */
const LOOK_AFTER_MS = 1000

export interface Time {
  /** Wall clock, which may be set forward or back. */
  nowMs(): number
  /** Monotonic clock. */
  runningMs(): number
}

/**
 * Returns a scheduler. `soon` runs in the check phase, after all socket input of the loop's turn. An alarm fires when
 * the clock shows its time, and within a second after a jump forward. After a jump back it fires at the planned time,
 * so callers read the clock again. Alarms do not keep the process alive.
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

/** The clock of the application, and the scheduler that follows it. */
export interface ApplicationTime {
  readonly clock: Clock
  readonly scheduler: Scheduler
}

export const SYSTEM_TIME: ApplicationTime = { clock: systemClock, scheduler: loopScheduler }
