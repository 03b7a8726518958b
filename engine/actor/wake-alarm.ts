// The one alarm of the engine: the earliest time that was asked for.
import type { TimeMs } from '../kernel/time.ts'
import type { Scheduler } from './ports.ts'

export class WakeAlarm {
  readonly #scheduler: Scheduler
  readonly #onWake: () => void
  #wakeMs = Number.POSITIVE_INFINITY
  #cancel: () => void = () => {}

  constructor(scheduler: Scheduler, onWake: () => void) {
    this.#scheduler = scheduler
    this.#onWake = onWake
  }

  /** Sets the alarm unless it is set for an earlier time. `wakeMs` is the clock's time; infinity sets none. */
  set(wakeMs: TimeMs): void {
    if (wakeMs >= this.#wakeMs) return
    this.#cancel()
    this.#wakeMs = wakeMs
    this.#cancel = this.#scheduler.at(wakeMs, this.#ring)
  }

  cancel(): void {
    this.#cancel()
  }

  readonly #ring = (): void => {
    this.#wakeMs = Number.POSITIVE_INFINITY
    this.#onWake()
  }
}
