// Time and order of a simulated machine: what is ready runs in random order, the wall clock jumps both ways, and
// alarms count real time, as setTimeout does.
import type { Clock, Scheduler } from '../../../engine/actor/ports.ts'
import type { Prng } from '../../support/prng.ts'

interface Alarm {
  readonly dueMs: number
  readonly run: () => void
}

/** How often an alarm rings although other work is ready. */
const ALARM_FIRST = 0.2

export class SimLoop implements Clock, Scheduler {
  readonly #prng: Prng
  #ready: (() => void)[] = []
  #alarms: Alarm[] = []
  /** Since the machine was switched on; never goes back. */
  #uptimeMs = 0
  #wallOffsetMs: number

  constructor(prng: Prng, startMs: number) {
    this.#prng = prng
    this.#wallOffsetMs = startMs
  }

  now(): number {
    return this.#wallOffsetMs + this.#uptimeMs
  }

  soon(run: () => void): void {
    this.#ready.push(run)
  }

  at(timeMs: number, run: () => void): () => void {
    const alarm: Alarm = { dueMs: this.#uptimeMs + Math.max(0, timeMs - this.now()), run }
    this.#alarms.push(alarm)
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm)
    }
  }

  jump(byMs: number): void {
    this.#wallOffsetMs += byMs
  }

  /** Time passes while nothing runs. */
  pass(byMs: number): void {
    this.#uptimeMs += byMs
  }

  /** One piece of work or one alarm; false when there is neither before `withinMs` from now have passed. */
  step(withinMs: number): boolean {
    const alarm = this.#nextAlarm(withinMs)
    if (this.#ready.length > 0 && (alarm === null || !this.#prng.chance(ALARM_FIRST))) {
      const at = this.#prng.below(this.#ready.length)
      const [run] = this.#ready.splice(at, 1)
      run?.()
      return true
    }
    if (alarm === null) return false
    this.#alarms = this.#alarms.filter((other) => other !== alarm)
    this.#uptimeMs = Math.max(this.#uptimeMs, alarm.dueMs)
    alarm.run()
    return true
  }

  /** Power off: nothing that was planned ever runs. */
  forgetAll(): void {
    this.#ready = []
    this.#alarms = []
  }

  #nextAlarm(withinMs: number): Alarm | null {
    let next: Alarm | null = null
    for (const alarm of this.#alarms) if (next === null || alarm.dueMs < next.dueMs) next = alarm
    return next !== null && next.dueMs <= this.#uptimeMs + withinMs ? next : null
  }
}
