// A loop that turns only when a test says so: time, alarms and queued work stand still in between.
import type { Clock, Scheduler } from '../../engine/actor/ports.ts'

/** Work that waits until the test lets it through, in order: stands for a disk or a thread. */
export class WaitingWork {
  readonly #waiting: (() => void)[] = []

  readonly put = (run: () => void): void => {
    this.#waiting.push(run)
  }

  get count(): number {
    return this.#waiting.length
  }

  /** Lets the oldest through; false when there was none. */
  runOne(): boolean {
    const run = this.#waiting.shift()
    run?.()
    return run !== undefined
  }

  /** Loses what waits. */
  forgetAll(): void {
    this.#waiting.length = 0
  }

  /** Lets through what waits now and what that brings. */
  runAll(): void {
    while (this.runOne());
  }
}

interface Alarm {
  readonly timeMs: number
  readonly run: () => void
}

export class ManualLoop implements Clock, Scheduler {
  readonly #soon = new WaitingWork()
  #alarms: Alarm[] = []
  nowMs: number

  constructor(nowMs: number) {
    this.nowMs = nowMs
  }

  get alarmCount(): number {
    return this.#alarms.length
  }

  get soonCount(): number {
    return this.#soon.count
  }

  now(): number {
    return this.nowMs
  }

  soon(run: () => void): void {
    this.#soon.put(run)
  }

  at(timeMs: number, run: () => void): () => void {
    const alarm = { timeMs, run }
    this.#alarms.push(alarm)
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm)
    }
  }

  /** Loses everything that was planned. */
  forgetAll(): void {
    this.#soon.forgetAll()
    this.#alarms = []
  }

  /** Runs the oldest queued work. */
  runOne(): void {
    this.#soon.runOne()
  }

  /** Turns until nothing is queued. Alarms wait for `advance`. */
  turn(): void {
    this.#soon.runAll()
  }

  /** Rings the alarms up to that time once, at any time of the clock: real timers do not follow a clock that is set back. */
  ringThrough(timeMs: number): void {
    const due = this.#alarms.filter((alarm) => alarm.timeMs <= timeMs)
    this.#alarms = this.#alarms.filter((alarm) => !due.includes(alarm))
    for (const { run } of due) run()
    this.turn()
  }

  /** Moves the clock and rings the alarms that are due, earliest first. */
  advance(byMs: number): void {
    this.nowMs += byMs
    for (;;) {
      const due = this.#alarms.filter(({ timeMs }) => timeMs <= this.nowMs).sort((one, other) => one.timeMs - other.timeMs)[0]
      if (due === undefined) break
      this.#alarms = this.#alarms.filter((alarm) => alarm !== due)
      due.run()
      this.turn()
    }
    this.turn()
  }
}
