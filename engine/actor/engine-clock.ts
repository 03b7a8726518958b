// The engine's time: the clock's, but never decreasing.
import type { TimeMs } from '../kernel/time.ts'
import type { Clock } from './ports.ts'

export class EngineClock {
  readonly #clock: Clock
  /** The clock's last reading. */
  #clockMs: TimeMs
  /** The engine's time, with the half milliseconds of a slowed clock. */
  #exactMs: TimeMs
  #recordMs: TimeMs

  /** Starts at the time of the last record, or at the clock's when that is later. */
  constructor(clock: Clock, recordMs: TimeMs) {
    this.#clock = clock
    this.#clockMs = clock.now()
    this.#recordMs = recordMs
    this.#exactMs = Math.max(recordMs, this.#clockMs)
  }

  /**
   * Returns the engine's time. After the clock was set back it runs at half speed until the clock has caught up, so that timers are
   * late rather than stopped.
   */
  nowMs(): TimeMs {
    const clockMs = this.#clock.now()
    const passedMs = clockMs - this.#clockMs
    this.#clockMs = clockMs
    if (passedMs > 0) this.#exactMs = Math.max(clockMs, this.#exactMs + passedMs / 2)
    return Math.floor(this.#exactMs)
  }

  /** Time of the last record: the ledger's time, which depends on no clock of this machine. */
  get recordMs(): TimeMs {
    return this.#recordMs
  }

  /** Moves the time on to that of a record. */
  advanceTo(timeMs: TimeMs): void {
    this.#recordMs = timeMs
    this.#exactMs = Math.max(this.#exactMs, timeMs)
  }

  /** Returns the clock's time at which the engine's time is `dueMs`; the engine may be ahead of the clock. */
  clockTimeOf(dueMs: TimeMs): TimeMs {
    const leftMs = Math.max(0, dueMs - this.nowMs())
    return Math.min(dueMs, this.#clockMs + 2 * leftMs)
  }
}
